package import Foundation

/// The bytes that a row in memory holds for a composite attribute: the values of its leaves, in the order of
/// `SlotLayout.leaves`, each with a byte for its kind. Stores on disk keep each leaf in a column of its own.
package enum CompositeCoding {
    enum Tag: UInt8 {
        case null, integer, real, text, blob
    }

    /// The bytes for a dictionary by names of elements; nil when every element is missing and the attribute is optional.
    ///
    /// A mandatory composite attribute whose elements are all optional may have none of them: then it is an empty
    /// dictionary, which a store keeps as it keeps nil.
    ///
    /// - Throws: Core Data error 1550 when the value is no dictionary, or an element is unknown or of another type.
    static func encode(_ value: Any, slot: SlotLayout) throws -> Data? {
        guard let elements = value as? [String: Any] else {
            throw invalid(slot, "is a dictionary by names of elements, and not a \(type(of: value))")
        }
        var values = [SQLValue](repeating: .null, count: slot.leaves.count)
        try collect(elements, path: slot.name, slot: slot, into: &values)
        return slot.isOptional && values.allSatisfy { $0 == .null } ? nil : pack(values)
    }

    /// The dictionary for bytes that `encode` or a store made. Elements without a value are left out.
    static func decode(_ data: Data, slot: SlotLayout) -> [String: Any] {
        var result = CompositeNode()
        for (leaf, value) in zip(slot.leaves, unpack(data)) {
            guard let element = leaf.any(fromStored: value) else { continue }
            let path = leaf.name.dropFirst(slot.name.count + 1).split(separator: ".").map(String.init)
            result.set(element, at: path[...])
        }
        return result.dictionary
    }

    /// The bytes of a composite after one of its leaves got another value; null when no leaf has any.
    static func setting(
        _ leaf: SlotLayout, to value: PropertyValue, in composite: PropertyValue, slot: SlotLayout
    ) throws -> PropertyValue {
        let packed: Data? =
            switch composite {
            case .data(let data): data
            case .transformed(let box): try slot.archived(box.value)
            default: nil
            }
        var values = packed.map(unpack) ?? []
        values += [SQLValue](repeating: .null, count: max(0, slot.leaves.count - values.count))
        values[leaf.index] = try leaf.stored(value)
        return values.allSatisfy { $0 == .null } ? .null : .data(pack(values))
    }

    private static func collect(
        _ elements: [String: Any], path: String, slot: SlotLayout, into values: inout [SQLValue]
    ) throws {
        for (name, element) in elements {
            let path = "\(path).\(name)"
            guard let index = slot.leaves.firstIndex(where: { $0.name == path }) else {
                guard slot.leaves.contains(where: { $0.name.hasPrefix(path + ".") }),
                    let inner = element as? [String: Any]
                else { throw invalid(slot, "has no element \(path.dropFirst(slot.name.count + 1))") }
                try collect(inner, path: path, slot: slot, into: &values)
                continue
            }
            do {
                values[index] = try slot.leaves[index].stored(element)
            } catch let error as UnacceptableValue {
                // The sentence ends as that of the whole does.
                throw invalid(slot, "has an element of another type. \(error.sentence.dropLast())")
            }
        }
    }

    private static func invalid(_ slot: SlotLayout, _ problem: String) -> CocoaError {
        CoreDataError.make(
            NSManagedObjectValidationError,
            "The composite attribute \(slot.name) of \(slot.owner.name) \(problem).")
    }

    // MARK: Bytes

    package static func pack(_ values: [SQLValue]) -> Data {
        var data = Data(count: values.reduce(0) { $0 + packedCount($1) })
        data.withUnsafeMutableBytes { bytes in
            var writer = Writer(bytes)
            for value in values { writer.append(value) }
        }
        return data
    }

    private static func packedCount(_ value: SQLValue) -> Int {
        switch value {
        case .null: Writer.nullCount
        case .integer, .real: Writer.numberCount
        case .text(let string): Writer.numberCount + string.utf8.count
        case .blob(let blob): Writer.numberCount + blob.count
        }
    }

    /// Puts values one after the other into memory that is large enough.
    struct Writer {
        /// How many bytes null has.
        static let nullCount = 1
        /// How many bytes a number has, and what stands before the bytes of text and data.
        static let numberCount = 9

        private let bytes: UnsafeMutableRawBufferPointer
        private var position = 0

        init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

        mutating func append(_ value: SQLValue) {
            switch value {
            case .null: appendNull()
            case .integer(let number): append(.integer, UInt64(bitPattern: number))
            case .real(let number): append(.real, number.bitPattern)
            case .text(var string): string.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
            case .blob(let blob): blob.withUnsafeBytes { append(.blob, $0) }
            }
        }

        mutating func appendNull() {
            bytes[position] = Tag.null.rawValue
            position += Self.nullCount
        }

        mutating func append(_ tag: Tag, _ number: UInt64) {
            bytes[position] = tag.rawValue
            bytes.storeBytes(of: number.littleEndian, toByteOffset: position + 1, as: UInt64.self)
            position += Self.numberCount
        }

        mutating func append(_ tag: Tag, _ content: UnsafeRawBufferPointer) {
            append(tag, UInt64(content.count))
            UnsafeMutableRawBufferPointer(rebasing: bytes[position...]).copyMemory(from: content)
            position += content.count
        }
    }

    /// The values in bytes that `pack` made; what is cut off is left out.
    package static func unpack(_ data: Data) -> [SQLValue] {
        var rest = data[...]
        var values: [SQLValue] = []
        func number() -> UInt64? {
            guard rest.count >= 8 else { return nil }
            defer { rest = rest.dropFirst(8) }
            return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func counted() -> Data? {
            guard let count = number(), count <= UInt64(rest.count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Data(rest.prefix(Int(count)))
        }
        while let tag = rest.popFirst().flatMap(Tag.init) {
            switch tag {
            case .null: values.append(.null)
            case .integer: values.append(number().map { .integer(Int64(bitPattern: $0)) } ?? .null)
            case .real: values.append(number().map { .real(Double(bitPattern: $0)) } ?? .null)
            case .text: values.append(counted().map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null)
            case .blob: values.append(counted().map { .blob($0) } ?? .null)
            }
        }
        return values
    }

    // MARK: Damage

    /// Whether bytes that `pack` made have values as the engine stores them; if not, they are damaged, or another program
    /// wrote them in another form.
    static func isUsual(_ bytes: UnsafeRawBufferPointer, _ leaves: [SlotLayout]) -> Bool {
        var position = 0
        for leaf in leaves {
            guard position < bytes.count, let tag = Tag(rawValue: bytes[position]) else { return true }
            position += 1
            if tag == .null { continue }
            guard bytes.count - position >= 8 else { return true }
            let number = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
            position += 8
            guard isUsual(tag, number, leaf.kind) else { return false }
            if tag == .text || tag == .blob { position += Int(clamping: number) }
        }
        return true
    }

    /// - Parameter number: The bits of a number, or how many bytes there are.
    private static func isUsual(_ tag: Tag, _ number: UInt64, _ kind: SlotKind) -> Bool {
        switch (tag, kind) {
        case (_, .undefined), (.null, _): true
        case (.integer, .integer16), (.integer, .integer32):
            kind.integerRange?.contains(Int64(bitPattern: number)) == true
        case (.integer, .integer64), (.integer, .boolean), (.integer, .double), (.integer, .float),
            (.integer, .date), (.integer, .decimal):
            true
        case (.real, .double), (.real, .float), (.real, .date): true
        case (.real, .decimal): Double(bitPattern: number).isFinite
        case (.text, .string): true
        case (.blob, .data), (.blob, .transformable): true
        case (.blob, .uuid): number == 16
        default: false
        }
    }

    /// The values of leaves, those that are damaged apart.
    static func sound(
        _ values: [SQLValue], _ leaves: [SlotLayout]
    ) -> (values: [SQLValue], damaged: [(leaf: SlotLayout, found: SQLValue)]) {
        var values = values
        var damaged: [(leaf: SlotLayout, found: SQLValue)] = []
        for leaf in leaves where leaf.index < values.count {
            let found = values[leaf.index]
            if let value = PropertyValue.sound(found, kind: leaf.kind) {
                values[leaf.index] = (try? leaf.stored(value)) ?? found
            } else {
                values[leaf.index] = .null
                damaged.append((leaf, found))
            }
        }
        return (values, damaged)
    }
}

/// A composite value as it is put together from its leaves.
private struct CompositeNode {
    var dictionary: [String: Any] = [:]

    mutating func set(_ value: Any, at path: ArraySlice<String>) {
        guard let name = path.first else { return }
        if path.count == 1 {
            dictionary[name] = value
        } else {
            var inner = CompositeNode(dictionary: dictionary[name] as? [String: Any] ?? [:])
            inner.set(value, at: path.dropFirst())
            dictionary[name] = inner.dictionary
        }
    }
}

extension SlotLayout {
    /// The bytes of a transformable or composite value, for a row; nil for a composite without any element.
    ///
    /// - Throws: Core Data error 134060 for a value that can't be archived, 1550 for one that is no composite of the
    ///   attribute.
    package func archived(_ value: Any) throws -> Data? {
        if kind == .composite { return try CompositeCoding.encode(value, slot: self) }
        return try attribute.map { try TransformableCoding.encode(value, attribute: $0) }
    }

    /// The leaf of a composite attribute that a path leads to, which begins with the attribute's name.
    func leaf(at path: some Sequence<String>) -> SlotLayout? {
        let name = path.joined(separator: ".")
        return leaves.first { $0.name == name }
    }

    /// The value of a leaf in the form of its column.
    ///
    /// - Throws: `UnacceptableValue` when the type doesn't fit.
    package func stored(_ value: Any) throws -> SQLValue { try stored(propertyValue(from: value)) }

    /// The value of a leaf in the form of its column.
    package func stored(_ value: PropertyValue) throws -> SQLValue {
        switch value {
        case .null, .reference, .object: .null
        case .integer(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let string): .text(string)
        case .uri(let url): .text(url.absoluteString)
        case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .decimal(let box): SQLNumber.value(of: box.value)
        case .data(let data): .blob(data)
        case .transformed(let box): try archived(box.value).map { .blob($0) } ?? .null
        }
    }

    /// What an application gets for a leaf's column.
    package func any(fromStored value: SQLValue) -> Any? {
        switch (value, kind) {
        case (.null, _): nil
        case (.integer(let number), .double), (.integer(let number), .float), (.integer(let number), .date):
            any(from: .double(Double(number)))
        case (.integer(let number), .decimal): NSDecimalNumber(decimal: Decimal(number))
        case (.real(let number), .decimal): Decimal(shortestStringOf: number).map { NSDecimalNumber(decimal: $0) }
        case (.integer(let number), _): any(from: .integer(number))
        case (.real(let number), _): any(from: .double(number))
        case (.text(let string), .uri): URL(string: string)
        case (.text(let string), _): string
        case (.blob(let data), .uuid):
            data.count == 16 ? data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } : nil
        case (.blob(let data), _): any(from: .data(data))
        }
    }
}
