public import OpenCoreData

extension NSManagedObjectModel {
    /// The model with no class for any entity: models of fixtures name classes as some tests have them, for other entities.
    public func withoutClasses() -> NSManagedObjectModel {
        for entity in entities { entity.managedObjectClassName = "NSManagedObject" }
        return self
    }
}
