public import CoreDataPlatform

// @unchecked Sendable because all stored properties are constants, and the closures have nothing but types and closures
// that may be shared themselves.

/// A property whose values are kept in another form than accessors give them: enumerations, `Codable` values,
/// transformable ones.
public final class ConvertedProperty<Value>: ResolvedProperty, @unchecked Sendable {
    let form: AttributeForm<Value>
    /// What the stored form goes with.
    private let accepted: AcceptedProperties
    let reading: (NSManagedObject, ResolvedProperty) -> Value
    let writing: (Value, NSManagedObject, ResolvedProperty) -> Void

    init(
        _ name: String, form: AttributeForm<Value>, accepting accepted: AcceptedProperties,
        reading: @escaping (NSManagedObject, ResolvedProperty) -> Value,
        writing: @escaping (Value, NSManagedObject, ResolvedProperty) -> Void
    ) {
        self.form = form
        self.accepted = accepted
        self.reading = reading
        self.writing = writing
        super.init(name)
    }

    override public var acceptedProperties: AcceptedProperties { accepted }

    override public var valueType: Any.Type? { Value.self }
}

extension NSManagedObject {
    /// The value of a property that is converted.
    ///
    /// The value is converted on each access. A `Codable` value that can't be encoded isn't written, and saving the
    /// object throws an error for it.
    ///
    /// - Parameter property: The property.
    /// - Returns: The value.
    public subscript<Value>(property: ConvertedProperty<Value>) -> Value {
        get { property.reading(self, property) }
        set { property.writing(newValue, self, property) }
    }
}
