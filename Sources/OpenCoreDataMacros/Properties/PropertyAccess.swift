public import CoreDataPlatform

/// Makes the properties that accessors read and write. The type of the value decides which kind it is.
///
/// `@ManagedObject` calls these functions; there is no need to.
public enum PropertyAccess {
    /// A property whose values are kept as they are: an attribute or a relationship.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    /// - Returns: The property.
    public static func property<Value: ManagedValue>(_ name: String, of type: Value.Type) -> ManagedProperty<Value> {
        ManagedProperty(name)
    }

    /// A property whose values are kept as they are, of a type that can't be seen from its name.
    ///
    /// The default value only says the type here.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    ///   - fallback: The default value, which isn't evaluated.
    /// - Returns: The property.
    public static func property<Value: ManagedValue>(
        _ name: String, of type: Value.Type, default fallback: @autoclosure @escaping @Sendable () -> Value
    ) -> ManagedProperty<Value> {
        ManagedProperty(name)
    }

    // MARK: Raw values

    /// An attribute that keeps raw values.
    ///
    /// An unknown raw value stays in the store until another value is set. The fallback is evaluated each time that it
    /// is needed.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    ///   - fallback: The value that is read if the raw value is missing or unknown.
    /// - Returns: The property.
    public static func property<Value: RawRepresentable>(
        _ name: String, of type: Value.Type, default fallback: @autoclosure @escaping @Sendable () -> Value
    ) -> ConvertedProperty<Value> where Value.RawValue: RequiredAttributeValue {
        let raw = Value.RawValue.managedAttributeForm
        return ConvertedProperty(
            name, form: AttributeForm(raw.type) { raw.modelValue($0.rawValue) },
            accepting: Value.RawValue.acceptedProperties,
            reading: { object, property in
                Value.RawValue.readOptional(object, property).flatMap(Value.init(rawValue:)) ?? fallback()
            },
            writing: { value, object, property in Value.RawValue.write(value.rawValue, object, property) })
    }

    /// An optional attribute that keeps raw values. A raw value that the type doesn't have reads as nil.
    ///
    /// The unknown raw value stays in the store until another value is set.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    /// - Returns: The property.
    public static func property<Value: RawRepresentable>(
        _ name: String, of type: Value?.Type
    ) -> ConvertedProperty<Value?> where Value.RawValue: RequiredAttributeValue {
        let raw = Value.RawValue.managedAttributeForm
        return ConvertedProperty(
            name,
            form: AttributeForm(raw.type, isOptional: true) { $0.flatMap { raw.modelValue($0.rawValue) } },
            accepting: Value.RawValue.acceptedProperties,
            reading: { object, property in
                Value.RawValue.readOptional(object, property).flatMap(Value.init(rawValue:))
            },
            writing: { value, object, property in
                Value.RawValue.writeOptional(value?.rawValue, object, property)
            })
    }

    // MARK: Codable values

    /// An attribute of binary data that keeps values as JSON.
    ///
    /// The keys of the JSON are sorted. Data that can't be decoded stays in the store until another value is set.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    ///   - fallback: The value that is read if the data is missing or can't be decoded.
    /// - Returns: The property.
    @_disfavoredOverload
    public static func property<Value: Codable>(
        _ name: String, of type: Value.Type, default fallback: @autoclosure @escaping @Sendable () -> Value
    ) -> ConvertedProperty<Value> {
        ConvertedProperty(
            name, form: AttributeForm(.binaryData) { try? JSONCoding.encode($0) },
            accepting: Data.acceptedProperties,
            reading: { object, property in JSONCoding.read(Value.self, object, property) ?? fallback() },
            writing: { value, object, property in JSONCoding.write(value, object, property) })
    }

    /// An optional attribute of binary data that keeps values as JSON. Data that is no value of the type reads as nil.
    ///
    /// The data that can't be decoded stays in the store until another value is set.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    /// - Returns: The property.
    @_disfavoredOverload
    public static func property<Value: Codable>(_ name: String, of type: Value?.Type) -> ConvertedProperty<Value?> {
        ConvertedProperty(
            name, form: AttributeForm(.binaryData, isOptional: true) { $0.flatMap { try? JSONCoding.encode($0) } },
            accepting: Data.acceptedProperties,
            reading: { object, property in JSONCoding.read(Value.self, object, property) },
            writing: { value, object, property in JSONCoding.write(value, object, property) })
    }

    // MARK: Transformable values

    /// A transformable attribute. Data that gives no value of the type reads as nil.
    ///
    /// The attribute is always optional, whatever the class says.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - type: The type of its values.
    ///   - transformerName: The name under which the value transformer is registered; nil for keyed archives.
    /// - Returns: The property.
    public static func transformable<Value>(
        _ name: String, of type: Value?.Type, by transformerName: String? = nil
    ) -> ConvertedProperty<Value?> {
        var form = AttributeForm<Value?>(.transformable, isOptional: true) { $0 }
        form.transformerName = transformerName
        return ConvertedProperty(
            name, form: form, accepting: .transformables,
            reading: { object, property in object.transformedValue(property) as? Value },
            writing: { value, object, property in object.setTransformedValue(value, property) })
    }
}
