import CoreDataEngine

/// How an enumeration is kept: by its raw value, or by the name of its case.
struct EnumCoding<Enumeration> {
    let value: ([String: Any], _ property: String) -> Enumeration?
    let elements: (Enumeration, _ property: String) -> [String: Any]
}

/// What is known of enumerations that can be attributes.
enum EnumSlots {
    enum Layout {
        /// A raw value of a type.
        case raw(Any.Type)
        /// The names of the cases, in the order of their declaration.
        case cases([String])
    }

    static func layout(of type: Any.Type) -> Layout? {
        guard TypeKind.of(type) == .enumeration else { return nil }
        if let type = type as? any RawRepresentable.Type {
            let raw = rawType(type)
            return ScalarTypes.type(of: raw) == nil ? nil : .raw(raw)
        }
        return caseNames(of: type).map { .cases($0) }
    }

    private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> Any.Type { Raw.RawValue.self }

    static func slot(_ name: String, _ type: Any.Type) -> AnyModelSlot? {
        if let type = type as? any RawRepresentable.Type {
            func open<Raw: RawRepresentable>(_ type: Raw.Type) -> AnyModelSlot {
                EnumSlot(
                    name,
                    EnumCoding<Raw>(
                        value: { elements, property in
                            elements[property].flatMap { ScalarTypes.value($0, as: Raw.RawValue.self) }
                                .flatMap(Raw.init(rawValue:))
                        },
                        elements: { value, property in [property: ScalarTypes.stored(value.rawValue)] }))
            }
            return open(type)
        }
        guard let names = caseNames(of: type) else { return nil }
        func open<Enumeration>(_ type: Enumeration.Type) -> AnyModelSlot {
            EnumSlot(
                name,
                EnumCoding<Enumeration>(
                    value: { elements, _ in
                        names.firstIndex { elements[$0] as? String == $0 }.flatMap { value(at: $0) }
                    },
                    elements: { value, _ in index(of: value).map { [names[$0]: names[$0]] } ?? [:] }))
        }
        return _openExistential(type, do: open)
    }

    /// The name of a value's case, of an enumeration without raw value and payload.
    static func caseName(of value: Any) -> String? {
        let type = Swift.type(of: value)
        guard TypeKind.of(type) == .enumeration, !(value is any RawRepresentable), let names = caseNames(of: type)
        else { return nil }
        func open<Value>(_ value: Value) -> Int? { index(of: value) }
        return _openExistential(value, do: open).flatMap { names.indices.contains($0) ? names[$0] : nil }
    }

    /// The name of a value's case among those of its type.
    static func caseName<Enumeration>(of value: Enumeration, among names: [String]) -> String? {
        index(of: value).flatMap { names.indices.contains($0) ? names[$0] : nil }
    }

    /// A value of an enumeration whose cases have no payload: the first one.
    static func firstCase(of type: Any.Type) -> Any? {
        guard TypeKind.of(type) == .enumeration, caseNames(of: type) != nil else { return nil }
        func open<Enumeration>(_ type: Enumeration.Type) -> Any? { value(at: 0) as Enumeration? }
        return _openExistential(type, do: open)
    }

    // MARK: Memory

    // The cases of an enumeration without payload are numbered in the order of their declaration, in as few bytes as
    // hold the number. Swift's ABI documents it.

    static func value<Enumeration>(at index: Int) -> Enumeration? {
        withUnsafeTemporaryAllocation(of: Enumeration.self, capacity: 1) { buffer -> Enumeration? in
            guard let address = buffer.baseAddress else { return nil }
            let bytes = UnsafeMutableRawPointer(address)
            switch MemoryLayout<Enumeration>.size {
            case 0: break
            case 1: bytes.storeBytes(of: UInt8(truncatingIfNeeded: index), as: UInt8.self)
            case 2: bytes.storeBytes(of: UInt16(truncatingIfNeeded: index), as: UInt16.self)
            default: return nil
            }
            return address.pointee
        }
    }

    static func index<Enumeration>(of value: Enumeration) -> Int? {
        withUnsafeBytes(of: value) { bytes in
            switch MemoryLayout<Enumeration>.size {
            case 0: 0
            case 1: Int(bytes.load(as: UInt8.self))
            case 2: Int(bytes.load(as: UInt16.self))
            default: nil
            }
        }
    }

    /// The names of the cases from the type's descriptor; nil when one has a payload.
    static func caseNames(of type: Any.Type) -> [String]? {
        guard TypeKind.of(type) == .enumeration else { return nil }
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        guard descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF == 0 else { return nil }
        let count = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
        let offset = descriptor.load(fromByteOffset: 16, as: Int32.self)
        guard offset != 0, count > 0, MemoryLayout<UInt16>.size >= sizeNeeded(count) else { return nil }
        let fields = descriptor + 16 + Int(offset)
        let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        guard fields.load(fromByteOffset: 12, as: UInt32.self) == UInt32(count) else { return nil }
        return (0..<count).map { index in
            let name = fields + 16 + index * recordSize + 8
            return String(cString: (name + Int(name.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
        }
    }

    private static func sizeNeeded(_ count: Int) -> Int { count <= 1 << 8 ? 1 : count <= 1 << 16 ? 2 : 4 }
}
