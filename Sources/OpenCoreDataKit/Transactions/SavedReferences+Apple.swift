#if canImport(ObjectiveC)
import CoreDataPlatform

/// What an import saved, by the identifiers' addresses: Apple's framework doesn't say how identifiers count.
struct SavedReferences: Sendable {
    private var inserted: Set<URL> = []
    private var updated: Set<URL> = []
    private var deleted: Set<URL> = []

    /// Whether nothing was saved, or nothing of it is left.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Adds what a save did.
    mutating func add(_ saved: SavedIDs) {
        func addresses(_ ids: Set<NSManagedObjectID>) -> Set<URL> {
            Set(ids.lazy.filter { !$0.isTemporaryID }.map { $0.uriRepresentation() })
        }
        let gone = addresses(saved.deleted)
        inserted.formUnion(addresses(saved.inserted))
        updated.formUnion(addresses(saved.updated).subtracting(inserted))
        updated.subtract(gone)
        deleted.formUnion(gone.subtracting(inserted))
        inserted.subtract(gone)
    }

    /// The identifiers of all objects, as a coordinator on the same stores knows them.
    func ids(in coordinator: NSPersistentStoreCoordinator) -> SavedIDs {
        func ids(_ addresses: Set<URL>) -> Set<NSManagedObjectID> {
            Set(addresses.compactMap { coordinator.managedObjectID(forURIRepresentation: $0) })
        }
        var result = SavedIDs()
        result.inserted = ids(inserted)
        result.updated = ids(updated)
        result.deleted = ids(deleted)
        return result
    }

    /// What a context has to know so that the objects it holds are as the store has them. On the context's queue.
    func changes(ofObjectsIn context: NSManagedObjectContext) -> [AnyHashable: Any] {
        let held = context.registeredObjects.map(\.objectID).filter { !$0.isTemporaryID }
        return [
            // A context that merges by itself has new objects too, which were changed again by a later save.
            NSUpdatedObjectIDsKey: held.filter {
                let address = $0.uriRepresentation()
                return updated.contains(address) || inserted.contains(address)
            },
            NSDeletedObjectIDsKey: held.filter { deleted.contains($0.uriRepresentation()) },
        ]
    }

    /// Does nothing: a merge reads the rows again.
    func forgetCachedRows(in coordinator: NSPersistentStoreCoordinator) {}
}
#endif
