import CoreData
import Foundation

/// Overrides every method and property that can be overridden on Apple's systems.
final class WatchedContext: NSManagedObjectContext, @unchecked Sendable {
    static let ran = Ran()
    let ran = Ran()

    override var concurrencyType: NSManagedObjectContextConcurrencyType { note(super.concurrencyType) }
    override var userInfo: NSMutableDictionary { note(super.userInfo) }
    override var registeredObjects: Set<NSManagedObject> { note(super.registeredObjects) }
    override var insertedObjects: Set<NSManagedObject> { note(super.insertedObjects) }
    override var updatedObjects: Set<NSManagedObject> { note(super.updatedObjects) }
    override var deletedObjects: Set<NSManagedObject> { note(super.deletedObjects) }
    override var hasChanges: Bool { note(super.hasChanges) }
    override var queryGenerationToken: NSQueryGenerationToken? { note(super.queryGenerationToken) }
    override var name: String? { didSet { ran.note(#function) } }
    override var transactionAuthor: String? { didSet { ran.note(#function) } }
    override var mergePolicy: Any { didSet { ran.note(#function) } }
    override var automaticallyMergesChangesFromParent: Bool { didSet { ran.note(#function) } }
    override var propagatesDeletesAtEndOfEvent: Bool { didSet { ran.note(#function) } }
    override var shouldDeleteInaccessibleFaults: Bool { didSet { ran.note(#function) } }
    override var stalenessInterval: TimeInterval { didSet { ran.note(#function) } }
    override var retainsRegisteredObjects: Bool { didSet { ran.note(#function) } }
    override var undoManager: UndoManager? { didSet { ran.note(#function) } }
    override var parent: NSManagedObjectContext? { didSet { ran.note(#function) } }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator? { didSet { ran.note(#function) } }

    override func insert(_ object: NSManagedObject) { note(super.insert(object)) }
    override func delete(_ object: NSManagedObject) { note(super.delete(object)) }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        note(super.registeredObject(for: objectID))
    }
    override func object(with objectID: NSManagedObjectID) -> NSManagedObject { note(super.object(with: objectID)) }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try note(super.existingObject(with: objectID))
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        try note(super.obtainPermanentIDs(for: objects))
    }
    override func assign(_ object: Any, to store: NSPersistentStore) { note(super.assign(object, to: store)) }
    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try note(super.fetch(request))
    }
    override func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try note(super.count(for: request))
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try note(super.execute(request))
    }
    override func save() throws { try note(super.save()) }
    override func processPendingChanges() { note(super.processPendingChanges()) }
    override func rollback() { note(super.rollback()) }
    override func reset() { note(super.reset()) }
    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        note(super.refresh(object, mergeChanges: flag))
    }
    override func refreshAllObjects() { note(super.refreshAllObjects()) }
    override func detectConflicts(for object: NSManagedObject) { note(super.detectConflicts(for: object)) }
    override func mergeChanges(fromContextDidSave notification: Notification) {
        note(super.mergeChanges(fromContextDidSave: notification))
    }
    override class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        ran.note(#function)
        super.mergeChanges(fromRemoteContextSave: changeNotificationData, into: contexts)
    }
    override func undo() { note(super.undo()) }
    override func redo() { note(super.redo()) }
    override func perform(_ block: @escaping () -> Void) { note(super.perform(block)) }
    override func performAndWait(_ block: () -> Void) { note(super.performAndWait(block)) }
    override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        try note(super.setQueryGenerationFrom(generation))
    }
    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { note(super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)) }

    private func note<T>(_ value: @autoclosure () throws -> T, _ name: String = #function) rethrows -> T {
        ran.note(name)
        return try value()
    }
}
