public import CoreDataPlatform

extension PropertyBlueprint {
    /// An attribute whose values are kept as they are.
    ///
    /// `@ManagedObject` calls it for properties with `@Attribute`. A limit that doesn't fit the type makes creating the
    /// model throw.
    ///
    /// - Parameters:
    ///   - property: The property of the accessors.
    ///   - value: What a new object has.
    ///   - options: How the attribute is stored and computed.
    ///   - originalName: The name in the version of the model before.
    ///   - min: The least value or length.
    ///   - max: The greatest value or length.
    ///   - pattern: A regular expression that a whole string must match.
    ///   - hashModifier: A string that makes the version hash different.
    /// - Returns: The description of the attribute.
    public static func attribute<Value: AttributeValue>(
        _ property: ManagedProperty<Value>, default value: DefaultValue<Value> = .none, _ options: AttributeOption...,
        originalName: String? = nil, min: (any AttributeLimit)? = nil, max: (any AttributeLimit)? = nil,
        pattern: String? = nil, hashModifier: String? = nil
    ) -> PropertyBlueprint {
        PropertyBlueprint(
            property: property, originalName: originalName, hashModifier: hashModifier,
            content: .attribute(
                AttributeBlueprint(
                    Value.managedAttributeForm, default: value, options: options, least: min, most: max,
                    pattern: pattern)))
    }

    /// An attribute whose values are converted.
    ///
    /// `@ManagedObject` calls it for enumerations, `Codable` values and transformable ones with `@Attribute`. Limits
    /// are those of the stored form.
    ///
    /// - Parameters:
    ///   - property: The property of the accessors.
    ///   - value: What a new object has.
    ///   - options: How the attribute is stored and computed.
    ///   - originalName: The name in the version of the model before.
    ///   - min: The least value or length.
    ///   - max: The greatest value or length.
    ///   - pattern: A regular expression that a whole string must match.
    ///   - hashModifier: A string that makes the version hash different.
    /// - Returns: The description of the attribute.
    public static func attribute<Value>(
        _ property: ConvertedProperty<Value>, default value: DefaultValue<Value> = .none, _ options: AttributeOption...,
        originalName: String? = nil, min: (any AttributeLimit)? = nil, max: (any AttributeLimit)? = nil,
        pattern: String? = nil, hashModifier: String? = nil
    ) -> PropertyBlueprint {
        PropertyBlueprint(
            property: property, originalName: originalName, hashModifier: hashModifier,
            content: .attribute(
                AttributeBlueprint(
                    property.form, default: value, options: options, least: min, most: max, pattern: pattern)))
    }

    /// Says that a relationship can't be an attribute.
    @available(*, unavailable, message: "This property is a relationship: use @Relationship instead of @Attribute.")
    public static func attribute<Value: RelationshipValue>(
        _ property: ManagedProperty<Value>, default value: DefaultValue<Value> = .none, _ options: AttributeOption...,
        originalName: String? = nil, min: (any AttributeLimit)? = nil, max: (any AttributeLimit)? = nil,
        pattern: String? = nil, hashModifier: String? = nil
    ) -> PropertyBlueprint {
        PropertyBlueprint(
            property: property, originalName: nil, hashModifier: nil,
            content: .relationship(RelationshipBlueprint(Value.managedRelationshipForm)))
    }

    // MARK: Properties of which nothing is said

    /// An attribute whose values are kept as they are.
    ///
    /// `@ManagedObject` calls it for properties without `@Attribute`.
    ///
    /// - Parameters:
    ///   - property: The property of the accessors.
    ///   - value: What a new object has.
    /// - Returns: The description of the attribute.
    public static func property<Value: AttributeValue>(
        _ property: ManagedProperty<Value>, default value: DefaultValue<Value> = .none
    ) -> PropertyBlueprint { attribute(property, default: value) }

    /// An attribute whose values are converted.
    ///
    /// `@ManagedObject` calls it for enumerations and `Codable` values without `@Attribute`.
    ///
    /// - Parameters:
    ///   - property: The property of the accessors.
    ///   - value: What a new object has.
    /// - Returns: The description of the attribute.
    public static func property<Value>(
        _ property: ConvertedProperty<Value>, default value: DefaultValue<Value> = .none
    ) -> PropertyBlueprint { attribute(property, default: value) }

    /// A relationship. Its initial value is empty, and says nothing.
    ///
    /// `@ManagedObject` calls it for relationships without `@Relationship`: they are optional, nullify, and have the
    /// inverse that can only be meant.
    ///
    /// - Parameters:
    ///   - property: The property of the accessors.
    ///   - value: Ignored.
    /// - Returns: The description of the relationship.
    public static func property<Value: RelationshipValue>(
        _ property: ManagedProperty<Value>, default value: DefaultValue<Value> = .none
    ) -> PropertyBlueprint { relationship(property) }
}
