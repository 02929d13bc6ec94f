import CoreDataEngine

/// The elements of structures that are kept as composite attributes.
enum StructElements {
    /// An element, by the name of its property.
    struct Element {
        let name: String
        let type: Any.Type
        let isOptional: Bool
    }

    /// The elements of a structure, which its own decoding asks for.
    ///
    /// - Throws: An error that names the type if it asks for something else than elements by name.
    static func of(_ type: Any.Type) throws -> [Element] {
        guard let decodable = type as? any Decodable.Type else {
            throw SwiftDataError.unsupported("The type \(type) can't be kept: it is not Codable.")
        }
        let recorder = ElementRecorder()
        do {
            _ = try decodable.init(from: recorder)
        } catch {
            throw SwiftDataError.unsupported(
                "The elements of the structure \(type) can't be found: its init(from:) throws \(error).")
        }
        guard recorder.record.isKeyed, !recorder.record.elements.isEmpty else {
            throw SwiftDataError.unsupported("The structure \(type) has no elements with names.")
        }
        return recorder.record.elements
    }

    /// The attribute type of an element.
    static func leafType(_ type: Any.Type) -> NSAttributeDescription.AttributeType? {
        if let scalar = ScalarTypes.type(of: type) { return scalar }
        switch EnumSlots.layout(of: type) {
        case .raw(let raw): return ScalarTypes.type(of: raw)
        case .cases: return nil
        case nil: return type is any EmptyMaking.Type ? .binaryData : nil
        }
    }
}

private func unsupported(_ path: [any CodingKey]) -> DecodingError {
    DecodingError.dataCorrupted(
        .init(
            codingPath: path, debugDescription: "The elements of a structure can only be read by name."))
}

// MARK: Recording

/// A decoder that notes what is asked for and gives out samples.
struct ElementRecorder: Decoder {
    final class Record {
        var elements: [StructElements.Element] = []
        var isKeyed = false
    }

    let record = Record()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        record.isKeyed = true
        return KeyedDecodingContainer(RecordingContainer(record: record))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported([]) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unsupported([]) }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: ElementRecorder.Record
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) throws -> Bool { false }

    private func note(_ type: Any.Type, _ key: Key, isOptional: Bool) {
        let name = ElementName.of(key)
        guard !record.elements.contains(where: { $0.name == name }) else { return }
        let wrapped = (type as? any OptionalType.Type)?.wrapped
        record.elements.append(
            .init(name: name, type: wrapped ?? type, isOptional: isOptional || wrapped != nil))
    }

    private func value<Value>(_ type: Value.Type, _ key: Key) throws -> Value {
        note(type, key, isOptional: false)
        guard let sample = SampleValues.make(type) else { throw unsupported([key]) }
        return sample
    }

    private func valueIfPresent<Value>(_ type: Value.Type, _ key: Key) throws -> Value? {
        note(type, key, isOptional: true)
        return nil
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try value(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try valueIfPresent(type, key) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try valueIfPresent(type, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw unsupported([key]) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported([key]) }
    func superDecoder() throws -> any Decoder { throw unsupported([]) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw unsupported([key]) }
}

// MARK: Decoding

/// Makes structures of the elements of a composite attribute.
struct ElementDecoder: Decoder {
    fileprivate let elements: ElementSource
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Value: Decodable>(_ type: Value.Type, _ elements: [String: Any]) throws -> Value {
        let dictionary = ElementSource.Dictionary(elements)
        return try withExtendedLifetime(dictionary) {
            try Value(from: ElementDecoder(elements: ElementSource(dictionary)))
        }
    }

    /// - Parameters:
    ///   - composite: The bytes of the attribute. Without any, each element is missing.
    ///   - layout: Where the elements stand in them.
    static func decode<Value: Decodable>(
        _ type: Value.Type, _ composite: PackedComposite, _ layout: StructLayout
    ) throws -> Value {
        guard composite.hasBytes else { return try decode(type, [:]) }
        return try withExtendedLifetime(layout) {
            try Value(from: ElementDecoder(elements: ElementSource(composite, layout)))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ElementContainer(elements: elements))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported([]) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unsupported([]) }
}

private struct ElementContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let elements: ElementSource
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { elements.names.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { elements.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { !elements.contains(key) }

    private func string(_ key: Key) -> String? { elements.plain(key) { $0.string(at: $1) } }
    private func integer(_ key: Key) -> Int? {
        elements.plain(key) { $0.integer(at: $1).map { Int(truncatingIfNeeded: $0) } }
    }
    private func real(_ key: Key) -> Double? { elements.plain(key) { $0.real(at: $1) } }
    private func flag(_ key: Key) -> Bool? { elements.plain(key) { $0.integer(at: $1).map { $0 != 0 } } }

    /// A value of the common types that have no functions of their own.
    private func common<Value>(_ type: Value.Type, _ key: Key) -> Value? {
        if type == Date.self {
            return elements.plain(key) { $0.real(at: $1).map(Date.init(timeIntervalSinceReferenceDate:)) } as? Value
        }
        if type == UUID.self { return elements.plain(key) { $0.uuid(at: $1) } as? Value }
        return nil
    }

    /// The value of an element; a sample where the row has none that the type can show.
    private func value<Value>(_ type: Value.Type, _ key: Key) throws -> Value {
        if let optional = type as? any OptionalType.Type {
            guard let decodable = optional.wrapped as? any Decodable.Type,
                let found: Any = try found(decodable, key), let value = found as? Value
            else {
                guard let none = optional.none as? Value else { throw unsupported([key]) }
                return none
            }
            return value
        }
        if let found: Any = try found(type, key), let value = found as? Value { return value }
        guard let sample = SampleValues.make(type) else { throw unsupported([key]) }
        return sample
    }

    private func valueIfPresent<Value>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try found(type, key) as? Value
    }

    private func found(_ type: Any.Type, _ key: Key) throws -> Any? {
        guard let stored = elements.stored(key) else { return nil }
        func open<Value>(_ type: Value.Type) throws -> Any? { try found(type, stored) }
        return try _openExistential(type, do: open)
    }

    private func found<Value>(_ type: Value.Type, _ stored: Any) throws -> Any? {
        if ScalarTypes.type(of: type) != nil { return ScalarTypes.value(stored, as: type) }
        if case .raw = EnumSlots.layout(of: type), let raw = type as? any RawRepresentable.Type {
            func open<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? {
                ScalarTypes.value(stored, as: Raw.RawValue.self).flatMap(Raw.init(rawValue:))
            }
            return open(raw)
        }
        if let data = stored as? Data, let decodable = type as? any Decodable.Type {
            return try JSONDecoder().decode(decodable, from: data)
        }
        if let inner = stored as? [String: Any], let decodable = type as? any Decodable.Type {
            return try ElementDecoder.decode(decodable, inner)
        }
        return nil
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try flag(key) ?? value(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try string(key) ?? value(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try real(key) ?? value(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) ?? value(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(type, key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try common(type, key) ?? value(type, key)
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try flag(key) ?? valueIfPresent(type, key)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try string(key) ?? valueIfPresent(type, key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try real(key) ?? valueIfPresent(type, key)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try integer(key) ?? valueIfPresent(type, key)
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try valueIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try valueIfPresent(type, key) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try common(type, key) ?? valueIfPresent(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw unsupported([key]) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported([key]) }
    func superDecoder() throws -> any Decoder { throw unsupported([]) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw unsupported([key]) }
}

// MARK: Encoding

/// Makes the elements of a composite attribute of structures.
struct ElementEncoder: Encoder {
    // @unchecked Sendable because one thread has it at a time: who takes it from a layout.
    final class Elements: @unchecked Sendable {
        fileprivate var values: [String: Any] = [:]
        /// Where the elements stand in the bytes that are made of them; `nil` for a dictionary.
        fileprivate let layout: StructLayout?
        fileprivate let builder: CompositeBuilder
        /// Whether the bytes can't have what was given.
        @exclusivity(unchecked) fileprivate var isUnpackable = false
        /// The container of the last structure that was packed, for the next one: making one takes longer than filling
        /// it. It refers to this object until `end` is called.
        @exclusivity(unchecked) private var kept: (keys: ObjectIdentifier, container: AnyObject)?

        fileprivate init(_ layout: StructLayout? = nil) {
            self.layout = layout
            builder = CompositeBuilder(leaves: layout?.leaves.count ?? 0)
        }

        /// The bytes; `nil` where there is no value, or one that they can't have.
        fileprivate var bytes: Data? { isUnpackable ? nil : builder.data }

        /// Makes it as new.
        fileprivate func clear() {
            builder.clear()
            isUnpackable = false
        }

        /// The container that takes the values.
        fileprivate func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            let keys = ObjectIdentifier(type)
            if let kept, kept.keys == keys {
                return unsafeDowncast(kept.container, to: KeptContainer<Key>.self).container
            }
            let made = KeyedEncodingContainer(ElementEncodingContainer<Key>(elements: self))
            if layout != nil { kept = (keys, KeptContainer(made)) }
            return made
        }

        /// Forgets the container.
        fileprivate func end() { kept = nil }
    }

    fileprivate let elements: Elements
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode<Value: Encodable>(_ value: Value) throws -> [String: Any] {
        let encoder = ElementEncoder(elements: Elements())
        try value.encode(to: encoder)
        return encoder.elements.values
    }

    /// The bytes of a structure; nil where they can't have its values, or it has none.
    static func pack<Value: Encodable>(_ value: Value, _ layout: StructLayout) throws -> Data? {
        let taken = layout.spare.take() ?? .passRetained(Elements(layout))
        defer {
            if !layout.spare.give(taken) {
                taken._withUnsafeGuaranteedRef { $0.end() }
                taken.release()
            }
        }
        return try taken._withUnsafeGuaranteedRef { elements in
            defer { elements.clear() }
            try value.encode(to: ElementEncoder(elements: elements))
            return elements.bytes
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        elements.container(keyedBy: type)
    }

    // Types that write other things than elements have no composite attribute: their recording fails.
    func unkeyedContainer() -> any UnkeyedEncodingContainer { programmerError("No elements with names.") }
    func singleValueContainer() -> any SingleValueEncodingContainer { programmerError("No elements with names.") }
}

private final class KeptContainer<Key: CodingKey> {
    let container: KeyedEncodingContainer<Key>

    init(_ container: KeyedEncodingContainer<Key>) { self.container = container }
}

private struct ElementEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let elements: ElementEncoder.Elements
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws {
        if let layout = elements.layout {
            if let leaf = layout.leaf(of: key) { elements.builder.remove(leaf) }
        } else {
            elements.values[ElementName.of(key)] = nil
        }
    }

    /// The number of an element that the bytes have as it is.
    @inline(__always)
    private func leaf(_ kind: SlotKind, _ key: Key) -> Int? {
        elements.layout?.leaf(of: key, kind)
    }

    /// Sets a value of the common types that have no functions of their own.
    ///
    /// - Returns: Whether it was one of them.
    @inline(__always)
    private func setCommon<Value>(_ value: Value, _ key: Key) -> Bool {
        // The types are the same, and a cast would look that up again.
        if Value.self == Date.self, let leaf = leaf(.date, key) {
            let date = unsafeBitCast(value, to: Date.self)
            elements.builder.set(leaf, real: date.timeIntervalSinceReferenceDate)
            return true
        }
        if Value.self == UUID.self, let leaf = leaf(.uuid, key) {
            elements.builder.set(leaf, uuid: unsafeBitCast(value, to: UUID.self))
            return true
        }
        return false
    }

    private func set<Value: Encodable>(_ value: Value, _ key: Key) throws {
        if let optional = value as? any OptionalType {
            guard let content = optional.content as? any Encodable else { return }
            return try set(content, key)
        }
        let element: Any
        if ScalarTypes.type(of: Value.self) != nil {
            element = ScalarTypes.stored(value)
        } else if case .raw = EnumSlots.layout(of: Value.self), let raw = value as? any RawRepresentable {
            element = ScalarTypes.stored(raw.rawValue)
        } else if Value.self is any EmptyMaking.Type {
            element = try JSONEncoder().encode(value)
        } else {
            element = try ElementEncoder.encode(value)
        }
        guard let layout = elements.layout else {
            elements.values[ElementName.of(key)] = element
            return
        }
        if let leaf = layout.leaf(of: key), let packed = try? layout.leaves[leaf].stored(element) {
            elements.builder.set(leaf, packed)
        } else {
            elements.isUnpackable = true
        }
    }

    mutating func encode(_ value: Bool, forKey key: Key) throws {
        guard let leaf = leaf(.boolean, key) else { return try set(value, key) }
        elements.builder.set(leaf, integer: value ? 1 : 0)
    }
    mutating func encode(_ value: String, forKey key: Key) throws {
        guard let leaf = leaf(.string, key) else { return try set(value, key) }
        elements.builder.set(leaf, text: value)
    }
    mutating func encode(_ value: Double, forKey key: Key) throws {
        guard let leaf = leaf(.double, key) else { return try set(value, key) }
        elements.builder.set(leaf, real: value)
    }
    mutating func encode(_ value: Float, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: Int, forKey key: Key) throws {
        guard let leaf = leaf(.integer64, key) else { return try set(value, key) }
        elements.builder.set(leaf, integer: Int64(value))
    }
    mutating func encode(_ value: Int8, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws {
        guard let leaf = leaf(.integer64, key) else { return try set(value, key) }
        elements.builder.set(leaf, integer: value)
    }
    mutating func encode(_ value: UInt, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { try set(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { try set(value, key) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if !setCommon(value, key) { try set(value, key) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(ElementEncodingContainer<NestedKey>(elements: ElementEncoder.Elements()))
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        programmerError("No elements with names.")
    }
    mutating func superEncoder() -> any Encoder { ElementEncoder(elements: ElementEncoder.Elements()) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}
