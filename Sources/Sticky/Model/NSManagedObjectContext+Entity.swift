import OpenCoreDataKit

extension NSManagedObjectContext {
    /// The entity of a class in the model of this context alone.
    ///
    /// - Parameter type: The class; entities name it with or without its module.
    /// - Throws: ``EntityError``.
    public func entity(for type: NSManagedObject.Type) throws -> NSEntityDescription {
        guard layout != nil else { throw EntityError.persistentStoreCoordinatorWasNil }
        return try entities(ofClass: type).map(\.entity).only(named: String(reflecting: type))
    }
}

extension NSManagedObjectModel {
    /// The entity whose class is called so.
    ///
    /// - Throws: ``EntityError``.
    package func entity(for className: String) throws -> NSEntityDescription {
        try entities.filter { $0.managedObjectClassName == className }.only(named: className)
    }
}

extension [NSEntityDescription] {
    fileprivate func only(named className: String) throws -> NSEntityDescription {
        guard let first else { throw EntityError.modelDoesNotContainEntityWithClassName(className) }
        guard count == 1 else { throw EntityError.modelContainsMultipleEntitiesWithClassName(className, count) }
        return first
    }
}
