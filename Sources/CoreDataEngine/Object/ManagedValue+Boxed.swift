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
    /// Reads the property of an object.
    ///
    /// If the property has no value, the result is `absent`. For a saved object, ``UnreadableValues`` reports that,
    /// unless the type is `Data`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func read(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self {
        readOptional(object, property) ?? object.absent(absent, property)
    }

    /// Reads the property of an object, or returns `nil` if it has no value.
    ///
    /// The object's fault is fired. A value of another type gives `nil`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func readOptional(_ object: NSManagedObject, _ property: ResolvedProperty) -> Self? {
        guard let index = property.index(in: object, as: .boxed) else { return object.keyedValue(property) as? Self }
        return Self(boxed: BoxedValue(object.slotValue(index)))
    }

    /// Writes the property of an object.
    ///
    /// The object's fault is fired, and the next save writes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Self, _ object: NSManagedObject, _ property: ResolvedProperty) {
        object.set(property, as: .boxed, value.boxedValue.value, value)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
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

    /// Unwraps the value.
    ///
    /// The result is `nil` if the value has another type. Reading a property calls it.
    ///
    /// - Parameter boxed: The value as the engine keeps it.
    public init?(boxed: BoxedValue) {
        guard case .data(let value) = boxed.value else { return nil }
        self = value
    }

    public var boxedValue: BoxedValue { BoxedValue(.data(self)) }
    public static var absent: Data { Data() }
}

extension UUID: BoxedManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.UUIDAttributeType) }

    /// Unwraps the value.
    ///
    /// The result is `nil` if the value has another type. Reading a property calls it.
    ///
    /// - Parameter boxed: The value as the engine keeps it.
    public init?(boxed: BoxedValue) {
        guard case .uuid(let value) = boxed.value else { return nil }
        self = value
    }

    public var boxedValue: BoxedValue { BoxedValue(.uuid(self)) }
    public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension URL: BoxedManagedValue {
    public static var acceptedProperties: AcceptedProperties { .attributes(.URIAttributeType) }

    /// Unwraps the value.
    ///
    /// The result is `nil` if the value has another type. Reading a property calls it.
    ///
    /// - Parameter boxed: The value as the engine keeps it.
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

    /// Unwraps the value.
    ///
    /// The result is `nil` if the value has another type. Reading a property calls it.
    ///
    /// - Parameter boxed: The value as the engine keeps it.
    public init?(boxed: BoxedValue) {
        guard case .decimal(let box) = boxed.value else { return nil }
        self = box.value
    }

    public var boxedValue: BoxedValue { BoxedValue(.decimal(DecimalBox(self))) }
    public static var absent: Decimal { Decimal(0) }

    /// Writes the property of an object.
    ///
    /// A value that isn't a number is an error when the object is saved.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func write(_ value: Decimal, _ object: NSManagedObject, _ property: ResolvedProperty) {
        writeOptional(value, object, property)
    }

    /// Writes the property of an object.
    ///
    /// `nil` removes the value. A value that isn't a number is an error when the object is saved.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - object: The object.
    ///   - property: The property, found in the object's entity.
    public static func writeOptional(_ value: Decimal?, _ object: NSManagedObject, _ property: ResolvedProperty) {
        // No store can hold one that is no number: validation reports it.
        if let value, value.isNaN { return object.setInvalidValue(value, property) }
        object.forgetInvalidValue(property)
        object.set(property, as: .boxed, value?.boxedValue.value ?? .null, value)
    }
}
