public import Foundation

/// The objects of one save: what a context hands to a store of the application's own.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// Creates a request of the objects that a save writes.
    ///
    /// Contexts create such requests for stores that are subclasses of ``NSIncrementalStore``. A request that a program
    /// executes itself saves all changes of the context, whatever objects it names.
    ///
    /// - Parameters:
    ///   - insertedObjects: New objects.
    ///   - updatedObjects: Objects with changes.
    ///   - deletedObjects: Objects to delete.
    ///   - lockedObjects: Objects whose version is checked and raised without a change.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// Creates a request that saves nothing.
    ///
    /// Executing it is the same as ``NSManagedObjectContext/save()``.
    public convenience override init() {
        self.init(inserted: nil, updated: nil, deleted: nil, locked: nil)
    }

    /// New objects.
    open private(set) var insertedObjects: Set<NSManagedObject>?
    /// Objects with changes.
    open private(set) var updatedObjects: Set<NSManagedObject>?
    /// Objects to delete.
    open private(set) var deletedObjects: Set<NSManagedObject>?
    /// Objects whose version is checked and raised without a change.
    open private(set) var lockedObjects: Set<NSManagedObject>?

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        try context.save()
        return NSPersistentStoreResult()
    }

    package override func coordinatorResult(in context: NSManagedObjectContext) throws -> Any {
        try context.save()
        return [Any]()
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
        copy.affectedStores = affectedStores
        return copy
    }
}
