// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(ObjectiveC)
public import CoreData

/// A type that a property of a model can have.
public protocol ManagedPropertyType {
    /// Which properties of a model go with it.
    static var acceptedProperties: AcceptedProperties { get }
}

extension ManagedPropertyType {
    public static var acceptedProperties: AcceptedProperties { .any }
}

/// A type that a managed property can have.
///
/// Numbers, `Bool`, `String`, `Date`, `Data`, `UUID`, `URL`, `Decimal`, their optionals, an optional managed
/// object, and a `Set` or array of managed objects.
public protocol ManagedValue: ManagedPropertyType {
    /// Reads the property of an object.
    static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self
    /// Writes the property of an object.
    static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty)
}

/// A type whose optional a managed property can have too.
public protocol OptionalManagedValue: ManagedPropertyType {
    /// Reads the property of an object.
    static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self?
    /// Writes the property of an object.
    static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty)
}

extension Optional: ManagedPropertyType where Wrapped: OptionalManagedValue {}

extension Optional: ManagedValue where Wrapped: OptionalManagedValue {
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Wrapped? {
        Wrapped.readOptional(object, property)
    }

    public static func write(_ value: Wrapped?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        Wrapped.writeOptional(value, object, property)
    }
}

// MARK: Attributes

/// A type of attributes: what it is as an object of Foundation's, as Apple's framework has it.
public protocol ManagedAttributeValue: ManagedValue, OptionalManagedValue {
    /// Takes the value out; `nil` when it is of another type.
    init?(managed object: Any)
    /// The value as the framework takes it.
    var managedObject: Any { get }
    /// What a property that isn't optional has before anything was set.
    static var absent: Self { get }
}

extension ManagedAttributeValue {
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self {
        readOptional(object, property) ?? absent
    }

    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        object.accessedValue(property).flatMap(Self.init(managed:))
    }

    public static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setAccessedValue(value.managedObject, property)
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.setAccessedValue(value?.managedObject, property)
    }

    public init?(managed object: Any) {
        guard let value = object as? Self else { return nil }
        self = value
    }

    public var managedObject: Any { self }
}

/// The integer types of attributes.
public protocol ManagedInteger: ManagedAttributeValue, FixedWidthInteger {}

extension ManagedInteger {
    public init?(managed object: Any) {
        guard let number = object as? NSNumber else { return nil }
        self.init(truncatingIfNeeded: number.int64Value)
    }

    public var managedObject: Any { NSNumber(value: Int64(truncatingIfNeeded: self)) }
    public static var absent: Self { 0 }
}

extension Int: ManagedInteger {}
extension Int16: ManagedInteger {}
extension Int32: ManagedInteger {}
extension Int64: ManagedInteger {}

extension Bool: ManagedAttributeValue {
    public init?(managed object: Any) {
        guard let number = object as? NSNumber else { return nil }
        self = number.boolValue
    }

    public var managedObject: Any { NSNumber(value: self) }
    public static var absent: Bool { false }
}

extension Double: ManagedAttributeValue {
    public init?(managed object: Any) {
        // A date that is a number to Swift is a `TimeInterval`.
        if let date = object as? Date {
            self = date.timeIntervalSinceReferenceDate
        } else {
            guard let number = object as? NSNumber else { return nil }
            self = number.doubleValue
        }
    }

    public var managedObject: Any { NSNumber(value: self) }
    public static var absent: Double { 0 }
}

extension Float: ManagedAttributeValue {
    public init?(managed object: Any) {
        guard let number = object as? NSNumber else { return nil }
        self = number.floatValue
    }

    public var managedObject: Any { NSNumber(value: self) }
    public static var absent: Float { 0 }
}

extension Decimal: ManagedAttributeValue {
    public init?(managed object: Any) {
        guard let number = object as? NSNumber else { return nil }
        self = number.decimalValue
    }

    public var managedObject: Any { NSDecimalNumber(decimal: self) }
    public static var absent: Decimal { 0 }
}

extension String: ManagedAttributeValue {
    public static var absent: String { "" }
}

extension Date: ManagedAttributeValue {
    public static var absent: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension Data: ManagedAttributeValue {
    public static var absent: Data { Data() }
}

extension UUID: ManagedAttributeValue {
    public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: ManagedAttributeValue {
    /// Not a location in the file system, which something could be written to or deleted from.
    public static var absent: URL { URL(string: "about:blank") ?? URL(fileURLWithPath: "/dev/null") }
}
#endif
