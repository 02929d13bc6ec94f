public import CoreDataPlatform

extension PropertyBlueprint {
    /// A relationship.
    ///
    /// `@ManagedObject` calls it. The destination, and whether the relationship is to many and ordered, follow from the
    /// type of the property. A `maxCount` of a to-one relationship is ignored.
    ///
    /// - Parameters:
    ///   - property: The property of the accessors.
    ///   - deleteRule: What happens to the other end when an object is deleted.
    ///   - inverse: Which relationship leads back.
    ///   - optional: Whether an object may be saved without any.
    ///   - minCount: The smallest number of objects.
    ///   - maxCount: The largest number of objects of a to-many; 0 for any number.
    ///   - originalName: The name in the version of the model before.
    ///   - hashModifier: A string that makes the version hash different.
    /// - Returns: The description of the relationship.
    public static func relationship<Value: RelationshipValue>(
        _ property: ManagedProperty<Value>, deleteRule: NSDeleteRule = .nullify, inverse: InverseName = .found,
        optional: Bool = true, minCount: Int = 0, maxCount: Int = 0, originalName: String? = nil,
        hashModifier: String? = nil
    ) -> PropertyBlueprint {
        PropertyBlueprint(
            property: property, originalName: originalName, hashModifier: hashModifier,
            content: .relationship(
                RelationshipBlueprint(
                    Value.managedRelationshipForm, inverse: inverse, deleteRule: deleteRule, isOptional: optional,
                    minCount: minCount, maxCount: maxCount)))
    }

    /// Says that an attribute can't be a relationship.
    @available(
        *, unavailable,
        message: "A relationship is an optional managed object, or a Set or array of them: use @Attribute here."
    )
    public static func relationship(
        _ property: ResolvedProperty, deleteRule: NSDeleteRule = .nullify, inverse: InverseName = .found,
        optional: Bool = true, minCount: Int = 0, maxCount: Int = 0, originalName: String? = nil,
        hashModifier: String? = nil
    ) -> PropertyBlueprint {
        PropertyBlueprint(
            property: property, originalName: nil, hashModifier: nil,
            content: .relationship(
                RelationshipBlueprint(
                    RelationshipForm(destination: NSManagedObject.self, isToMany: false, isOrdered: false))))
    }
}

extension RelationshipBlueprint {
    init(
        _ form: RelationshipForm, inverse: InverseName = .found, deleteRule: NSDeleteRule = .nullify,
        isOptional: Bool = true, minCount: Int = 0, maxCount: Int = 0
    ) {
        self.form = form
        self.inverse = inverse
        self.deleteRule = deleteRule
        self.isOptional = isOptional
        self.minCount = minCount
        self.maxCount = maxCount
    }
}
