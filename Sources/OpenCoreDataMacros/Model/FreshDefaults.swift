public import CoreDataPlatform

extension NSManagedObject {
    /// Gives a new object the values that are made for each object, such as the date of now.
    ///
    /// `@ManagedObject` sees to it that this is done. Only a class that overrides `awakeFromInsert()` itself calls it there,
    /// as Apple's models have no such values; off Apple's platforms it does nothing, since the engine's have.
    ///
    /// - Parameter blueprint: The entity of the class that overrides, `Recipe.entityBlueprint`.
    public func setFreshDefaults(of blueprint: EntityBlueprint) {
        #if canImport(ObjectiveC)
        for property in blueprint.properties {
            guard case .attribute(let attribute) = property.content, let make = attribute.freshDefault else {
                continue
            }
            setPrimitiveValue(make(), forKey: property.name)
        }
        #endif
    }
}
