#if !canImport(ObjectiveC)
import CoreDataPlatform

/// What an import saved, as ranges of references: new rows of an entity get references in a row, so that the memory does
/// not grow with their number.
struct SavedReferences: Sendable {
    /// An entity of a store, by the names that all coordinators have for them.
    private struct Key: Hashable {
        var store: String
        var entity: String

        init(store: String, entity: String) {
            self.store = store
            self.entity = entity
        }

        init(_ id: NSManagedObjectID) { self.init(store: id.storeIdentifier, entity: id.layout.name) }
    }

    private struct Changes {
        var inserted = RangeSet<Int64>()
        var updated = RangeSet<Int64>()
        var deleted = RangeSet<Int64>()

        var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

        mutating func add(
            inserted new: RangeSet<Int64>, updated changed: RangeSet<Int64>, deleted gone: RangeSet<Int64>
        ) {
            inserted.formUnion(new)
            updated.formUnion(changed.subtracting(inserted))
            updated.subtract(gone)
            deleted.formUnion(gone.subtracting(inserted))
            inserted.subtract(gone)
        }
    }

    private var entries: [Key: Changes] = [:]

    /// Whether nothing was saved, or nothing of it is left.
    var isEmpty: Bool { entries.values.allSatisfy(\.isEmpty) }

    /// Adds what a save did.
    mutating func add(_ saved: SavedIDs) {
        let inserted = Self.ranges(of: saved.inserted)
        let updated = Self.ranges(of: saved.updated)
        let deleted = Self.ranges(of: saved.deleted)
        for key in Set(inserted.keys).union(updated.keys).union(deleted.keys) {
            entries[key, default: Changes()].add(
                inserted: inserted[key] ?? RangeSet(), updated: updated[key] ?? RangeSet(),
                deleted: deleted[key] ?? RangeSet())
        }
    }

    private static func ranges(of ids: Set<NSManagedObjectID>) -> [Key: RangeSet<Int64>] {
        var references: [Key: [Int64]] = [:]
        for id in ids where !id.isTemporaryID { references[Key(id), default: []].append(id.reference) }
        return references.mapValues { references in
            var ranges: [Range<Int64>] = []
            for reference in references.sorted() {
                if let last = ranges.indices.last, ranges[last].upperBound == reference {
                    ranges[last] = ranges[last].lowerBound..<reference + 1
                } else {
                    ranges.append(reference..<reference + 1)
                }
            }
            return RangeSet(ranges)
        }
    }

    // MARK: Use

    /// The identifiers of all objects, as a coordinator on the same stores knows them.
    func ids(in coordinator: NSPersistentStoreCoordinator) -> SavedIDs {
        var result = SavedIDs()
        forEach(in: coordinator) { store, entity, changes in
            func add(_ ranges: RangeSet<Int64>, to ids: inout Set<NSManagedObjectID>) {
                for range in ranges.ranges {
                    for reference in range {
                        ids.insert(NSManagedObjectID(layout: entity, reference: reference, store: store))
                    }
                }
            }
            add(changes.inserted, to: &result.inserted)
            add(changes.updated, to: &result.updated)
            add(changes.deleted, to: &result.deleted)
        }
        return result
    }

    /// What a context has to know so that the objects it holds are as the store has them. On the context's queue.
    func changes(ofObjectsIn context: NSManagedObjectContext) -> [AnyHashable: Any] {
        var updated: [NSManagedObjectID] = []
        var deleted: [NSManagedObjectID] = []
        for object in context.registeredObjects {
            let id = object.objectID
            guard !id.isTemporaryID, let changes = entries[Key(id)] else { continue }
            // A context that merges by itself has new objects too, which were changed again by a later save.
            if changes.updated.contains(id.reference) || changes.inserted.contains(id.reference) {
                updated.append(id)
            }
            if changes.deleted.contains(id.reference) { deleted.append(id) }
        }
        return [NSUpdatedObjectIDsKey: updated, NSDeletedObjectIDsKey: deleted]
    }

    /// Makes a coordinator forget the rows that it has in memory of what was changed or deleted.
    func forgetCachedRows(in coordinator: NSPersistentStoreCoordinator) {
        forEach(in: coordinator) { store, entity, changes in
            for range in changes.updated.union(changes.deleted).ranges {
                for reference in range { store.rowCache.forget(reference: reference, root: entity.root) }
            }
        }
    }

    private func forEach(
        in coordinator: NSPersistentStoreCoordinator,
        _ body: (NSPersistentStore, EntityLayout, Changes) -> Void
    ) {
        for store in coordinator.persistentStores {
            for (key, changes) in entries where key.store == store.identifier {
                if let entity = coordinator.layout[key.entity] { body(store, entity, changes) }
            }
        }
    }
}
#endif
