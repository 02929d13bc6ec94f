import OpenCoreDataKit

extension NSManagedObjectContext {
    /// The entity of a class in the model of this context alone.
    ///
    /// A child context uses the model of its parent. A class of several entities is an error; name the entity in a
    /// fetch request then.
    ///
    /// - Parameter type: The class; entities name it with or without its module.
    /// - Returns: The entity.
    /// - Throws: ``EntityError``.
    public func entity(for type: NSManagedObject.Type) throws -> NSEntityDescription {
        guard layout != nil else { throw EntityError.persistentStoreCoordinatorWasNil }
        let entities = entities(ofClass: type)
        let className = String(reflecting: type)
        guard let first = entities.first else { throw EntityError.modelDoesNotContainEntityWithClassName(className) }
        guard entities.count == 1 else {
            throw EntityError.modelContainsMultipleEntitiesWithClassName(className, entities.count)
        }
        return first.entity
    }
}
