import CoreDataEngine

/// How values of a type are kept.
enum ValueShape {
    case scalar
    case model(any PersistentModel.Type)
    case models(any PersistentModel.Type)
    case enumeration
    case structure
    /// A list of plain values.
    case list(Any.Type)
    /// Data of the type's own coding; how Apple's framework writes it is not known.
    case json
    case unsupported

    /// - Parameter type: One that is not optional.
    static func of(_ type: Any.Type) -> ValueShape {
        if ScalarTypes.type(of: type) != nil { return .scalar }
        if let model = type as? any PersistentModel.Type { return .model(model) }
        if let array = type as? any ArrayType.Type {
            if let model = array.element as? any PersistentModel.Type { return .models(model) }
            if ScalarTypes.type(of: array.element) != nil { return .list(array.element) }
            return type is any Codable.Type ? .json : .unsupported
        }
        switch TypeKind.of(type) {
        case .enumeration:
            return EnumSlots.layout(of: type) == nil ? (type is any Codable.Type ? .json : .unsupported) : .enumeration
        case .structure where type is any Codable.Type:
            return (try? StructElements.of(type)) == nil ? .json : .structure
        default: return type is any Codable.Type ? .json : .unsupported
        }
    }
}

/// The types whose values attributes have as they are.
enum ScalarTypes {
    typealias AttributeType = NSAttributeDescription.AttributeType

    private static let types: [ObjectIdentifier: AttributeType] = [
        ObjectIdentifier(Int.self): .integer64, ObjectIdentifier(Int64.self): .integer64,
        ObjectIdentifier(Int32.self): .integer32, ObjectIdentifier(Int16.self): .integer16,
        ObjectIdentifier(Int8.self): .integer16, ObjectIdentifier(UInt8.self): .integer16,
        ObjectIdentifier(UInt16.self): .integer16, ObjectIdentifier(UInt32.self): .integer32,
        ObjectIdentifier(UInt64.self): .integer64, ObjectIdentifier(UInt.self): .integer64,
        ObjectIdentifier(Bool.self): .boolean, ObjectIdentifier(Double.self): .double,
        ObjectIdentifier(Float.self): .float, ObjectIdentifier(String.self): .string,
        ObjectIdentifier(Date.self): .date, ObjectIdentifier(Data.self): .binaryData,
        ObjectIdentifier(UUID.self): .uuid, ObjectIdentifier(URL.self): .uri,
        ObjectIdentifier(Decimal.self): .decimal,
    ]

    static func type(of type: Any.Type) -> AttributeType? { types[ObjectIdentifier(type)] }

    /// Whether the bits of unsigned integers are kept in a signed column of their width.
    static func isKeptByBits(_ type: Any.Type) -> Bool {
        type == UInt16.self || type == UInt32.self || type == UInt64.self || type == UInt.self
    }

    /// A value as the engine's composites have it.
    static func stored(_ value: Any) -> Any {
        switch value {
        case let value as UInt8: Int64(value)
        case let value as UInt16: Int64(Int16(truncatingIfNeeded: value))
        case let value as UInt32: Int64(Int32(truncatingIfNeeded: value))
        case let value as UInt64: Int64(bitPattern: value)
        case let value as UInt: Int64(truncatingIfNeeded: value)
        case let value as Int8: Int64(value)
        case let value as Decimal: NSDecimalNumber(decimal: value)
        default: value
        }
    }

    /// A value that a composite or an archive gave out, as a type.
    static func value<Value>(_ stored: Any, as type: Value.Type) -> Value? {
        if let type = type as? any FixedWidthInteger.Type {
            func open<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Any? {
                ((stored as? NSNumber)?.int64Value ?? (stored as? Int64) ?? (stored as? Int).map(Int64.init))
                    .map { Integer(truncatingIfNeeded: $0) }
            }
            return open(type) as? Value
        }
        if let value = stored as? Value { return value }
        switch (type, stored) {
        case (is Bool.Type, let number as NSNumber): return number.boolValue as? Value
        case (is Double.Type, let number as NSNumber): return number.doubleValue as? Value
        case (is Float.Type, let number as NSNumber): return number.floatValue as? Value
        case (is Decimal.Type, let number as NSDecimalNumber): return number.decimalValue as? Value
        default: return nil
        }
    }

    /// A value as a keyed archive of Apple's has it.
    static func archived(_ value: Any) -> Any {
        switch value {
        case let value as String: value
        case let value as Bool: NSNumber(value: value)
        case let value as Double: NSNumber(value: value)
        case let value as Float: NSNumber(value: value)
        case let value as any FixedWidthInteger: NSNumber(value: Int64(truncatingIfNeeded: value))
        default: value
        }
    }
}

/// What kind of type a type is, from its metadata.
enum TypeKind {
    case structure
    case enumeration
    case other

    static func of(_ type: Any.Type) -> TypeKind {
        switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
        case 0x200: .structure
        case 0x201: .enumeration
        default: .other
        }
    }
}

/// Values that stand where a row or a decoder has none.
enum SampleValues {
    static func make<Value>(_ type: Value.Type) -> Value? { any(type) as? Value }

    private static func any(_ type: Any.Type) -> Any? {
        if let plain = plain(type) { return plain }
        guard TypeKind.of(type) == .structure, let type = type as? any Decodable.Type else { return nil }
        return try? type.init(from: ElementRecorder())
    }

    /// A value that no code of the type has a part in.
    static func plain(_ type: Any.Type) -> Any? {
        if let optional = type as? any OptionalType.Type { return optional.none }
        if let array = type as? any EmptyMaking.Type { return array.empty }
        if let integer = type as? any FixedWidthInteger.Type { return integer.init(0) as Any }
        switch type {
        case is Bool.Type: return false
        case is Double.Type: return 0.0
        case is Float.Type: return Float(0)
        case is String.Type: return ""
        case is Date.Type: return Date(timeIntervalSinceReferenceDate: 0)
        case is Data.Type: return Data()
        case is UUID.Type: return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        case is URL.Type: return URL(fileURLWithPath: "/")
        case is Decimal.Type: return Decimal(0)
        default: break
        }
        return EnumSlots.firstCase(of: type)
    }
}

/// A collection that can be empty.
protocol EmptyMaking {
    static var empty: Any { get }
}

extension Array: EmptyMaking { static var empty: Any { [] as Self } }
extension Set: EmptyMaking { static var empty: Any { [] as Self } }
extension Dictionary: EmptyMaking { static var empty: Any { [:] as Self } }
