import CoreDataPlatform

/// Identifiers of what was saved.
struct SavedIDs: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    var replaced: [NSManagedObjectID: NSManagedObjectID] = [:]

    init() {}

    init(_ changes: TransactionChanges) {
        inserted = changes.inserted
        updated = changes.updated
        deleted = changes.deleted
        replaced = changes.replaced
    }

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
        #if !canImport(ObjectiveC)
        replaced = notification.userInfo?[ChangeInfo.replacedKey] as? [NSManagedObjectID: NSManagedObjectID] ?? [:]
        #endif
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    func commit(_ kind: Commit.Kind) -> Commit {
        Commit(kind: kind, inserted: inserted, updated: updated, deleted: deleted, replaced: replaced)
    }

    /// Merges them into a context, on its queue.
    var merge: @Sendable (NSManagedObjectContext) -> Void {
        let info: [AnyHashable: Any] = [
            NSInsertedObjectIDsKey: Array(inserted), NSUpdatedObjectIDsKey: Array(updated),
            NSDeletedObjectIDsKey: Array(deleted),
        ]
        // Only identifiers, which are safe anywhere.
        let box = SendableBox(info)
        return { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: box.value, into: [$0]) }
    }

    /// What a context has to know so that the objects it holds are as the store has them. New objects are left out: it
    /// holds none of them.
    var changesOfKnownObjects: [AnyHashable: Any] {
        [NSUpdatedObjectIDsKey: Array(updated), NSDeletedObjectIDsKey: Array(deleted)]
    }
}
