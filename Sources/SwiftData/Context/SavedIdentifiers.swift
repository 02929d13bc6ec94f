import CoreDataEngine
import Synchronization

/// What a save of the engine writes. That can be other rows than the changed ones, because a new object with the unique
/// value of a row becomes that row.
final class SavedIdentifiers: Sendable {
    /// By the keys of ``ModelContext/NotificationKey``.
    private let identifiers = Mutex<[String: [PersistentIdentifier]]>([:])
    private let subscription = Subscription()

    /// - Parameter engine: The context that is about to save.
    init(of engine: NSManagedObjectContext) {
        subscription.start(.NSManagedObjectContextDidSaveObjectIDs, engine) { [weak self] in self?.note($0) }
    }

    private func note(_ notification: Notification) {
        typealias Key = ModelContext.NotificationKey
        let keys: [(Key, String)] = [
            (.insertedIdentifiers, NSInsertedObjectIDsKey), (.updatedIdentifiers, NSUpdatedObjectIDsKey),
            (.deletedIdentifiers, NSDeletedObjectIDsKey),
        ]
        for (key, name) in keys {
            let saved = notification.userInfo?[name] as? Set<NSManagedObjectID> ?? []
            let (name, sorted) = (key.rawValue, saved.map { PersistentIdentifier($0) }.sorted())
            identifiers.withLock { $0[name] = sorted }
        }
    }

    /// The information that ``ModelContext/didSave`` is posted with.
    var posted: [String: [PersistentIdentifier]] { identifiers.withLock { $0 } }
}
