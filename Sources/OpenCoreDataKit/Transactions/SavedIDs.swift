import Synchronization

/// Identifiers of what was saved.
struct SavedIDs: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []

    init() {}

    /// Takes them from the notification of a save.
    init(_ notification: Notification) {
        func ids(_ key: String) -> Set<NSManagedObjectID> {
            switch notification.userInfo?[key] {
            case let set as Set<NSManagedObjectID>: set
            case let set as NSSet: Set(set.allObjects.compactMap { $0 as? NSManagedObjectID })
            default: []
            }
        }
        inserted = ids(NSInsertedObjectIDsKey)
        updated = ids(NSUpdatedObjectIDsKey)
        deleted = ids(NSDeletedObjectIDsKey)
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Adds what a later save did.
    mutating func add(_ later: SavedIDs) {
        inserted.formUnion(later.inserted)
        updated.formUnion(later.updated.subtracting(inserted))
        let gone = later.deleted
        updated.subtract(gone)
        deleted.formUnion(gone.subtracting(inserted))
        inserted.subtract(gone)
    }

    /// The same objects as another coordinator on the same stores knows them.
    func translated(to coordinator: NSPersistentStoreCoordinator) -> SavedIDs {
        let stores = Dictionary(
            coordinator.persistentStores.compactMap { store in store.identifier.map { ($0, store) } }
        ) { first, _ in first }
        func translate(_ ids: Set<NSManagedObjectID>) -> Set<NSManagedObjectID> {
            Set(
                ids.map { id in
                    guard let store = stores[id.storeIdentifier], let entity = coordinator.layout[id.layout.name]
                    else { return id }
                    return NSManagedObjectID(layout: entity, reference: id.reference, store: store)
                })
        }
        var result = SavedIDs()
        result.inserted = translate(inserted)
        result.updated = translate(updated)
        result.deleted = translate(deleted)
        return result
    }

    func commit(_ kind: Commit.Kind) -> Commit {
        Commit(kind: kind, inserted: inserted, updated: updated, deleted: deleted)
    }

    /// What a context has to know so that the objects it holds are as the store has them. New objects are left out: it
    /// holds none of them.
    var changesOfKnownObjects: [AnyHashable: Any] {
        [NSUpdatedObjectIDsKey: Array(updated), NSDeletedObjectIDsKey: Array(deleted)]
    }
}

/// Collects what a context saves.
final class SavedIDCollector: Sendable {
    /// Identifiers behind a lock.
    private final class Box: Sendable {
        let collected = Mutex(SavedIDs())
    }

    private let box: Box
    private let observer: NoticeObserver

    init(_ context: NSManagedObjectContext) {
        let box = Box()
        self.box = box
        observer = NoticeObserver(.NSManagedObjectContextDidSaveObjectIDs, of: context) { notification in
            let saved = SavedIDs(notification)
            box.collected.withLock { $0.add(saved) }
        }
    }

    /// What was saved so far.
    var ids: SavedIDs { box.collected.withLock { $0 } }
}
