// What reading and writing do is documented once, at the requirements of the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A value that reads and writes through `PropertyValue`, for the types that aren't on the fastest path.
public protocol BoxedManagedValue: ManagedValue, OptionalManagedValue {
    /// Unwraps the value; `nil` if it has another type.
    init?(boxed: BoxedValue)
    /// The value as the engine keeps it.
    var boxedValue: BoxedValue { get }
    /// What a property that isn't optional has before anything was set.
    static var absent: Self { get }
}

extension BoxedManagedValue {
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self {
        readOptional(object, property) ?? object.absent(absent, property)
    }

    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .boxed) else { return object.keyedValue(property) as? Self }
        return Self(boxed: BoxedValue(object.slotValue(index)))
    }

    public static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .boxed, value.boxedValue.value, value)
    }

    public static func writeOptional(_ value: Self?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .boxed, value?.boxedValue.value ?? .null, value)
    }
}

/// The engine's form of a value, opaque outside it.
public struct BoxedValue {
    let value: PropertyValue

    init(_ value: PropertyValue) { self.value = value }
}

extension Data: BoxedManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.binaryDataAttributeType) }

    public init?(boxed: BoxedValue) {
        guard case .data(let value) = boxed.value else { return nil }
        self = value
    }

    public var boxedValue: BoxedValue { BoxedValue(.data(self)) }
    public static var absent: Data { Data() }
}

extension UUID: BoxedManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.UUIDAttributeType) }

    public init?(boxed: BoxedValue) {
        guard case .uuid(let value) = boxed.value else { return nil }
        self = value
    }

    public var boxedValue: BoxedValue { BoxedValue(.uuid(self)) }
    public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: BoxedManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.URIAttributeType) }

    public init?(boxed: BoxedValue) {
        guard case .uri(let value) = boxed.value else { return nil }
        self = value
    }

    public var boxedValue: BoxedValue { BoxedValue(.uri(self)) }
    /// Not a URL of the file system, which something could be written to or deleted from.
    public static var absent: URL { URL(string: "about:blank") ?? URL(fileURLWithPath: "/dev/null") }
}

extension Decimal: BoxedManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.decimalAttributeType) }

    public init?(boxed: BoxedValue) {
        guard case .decimal(let box) = boxed.value else { return nil }
        self = box.value
    }

    public var boxedValue: BoxedValue { BoxedValue(.decimal(DecimalBox(self))) }
    public static var absent: Decimal { Decimal(0) }

    public static func write(_ value: Decimal, _ object: NSManagedObject, _ property: ResolvedProperty) {
        writeOptional(value, object, property)
    }

    public static func writeOptional(_ value: Decimal?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        // No store can hold one that is no number: validation reports it.
        if let value, value.isNaN { return object.setInvalidValue(value, property) }
        object.forgetInvalidValue(property)
        object.set(property, as: .boxed, value?.boxedValue.value ?? .null, value)
    }
}
