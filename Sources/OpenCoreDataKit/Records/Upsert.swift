/// Brings items into a context: objects that are there are found by their keys, others made.
struct Upsert<T: Keyed> {
    let lookup: KeyLookup<T, T.Key>
    let prefetchedPaths: [String]
    /// How many items are handled between saves; 0 to leave saving to the caller.
    let batchSize: Int

    private var context: NSManagedObjectContext { lookup.context }

    func run<Item>(_ items: [Item], key: (Item) -> T.Key, _ apply: (Item, T) throws -> Void) throws -> UpsertOutcome {
        var outcome = UpsertOutcome()
        guard batchSize > 0 else {
            try bring(items[...], key, apply, &outcome)
            return outcome
        }
        // A block that imports more leaves the saving to this import: objects of the batch are not complete yet.
        let usual = context.importBatchSize
        context.importBatchSize = 0
        defer { context.importBatchSize = usual }
        for start in stride(from: 0, to: items.count, by: batchSize) {
            try bring(items[start..<min(start + batchSize, items.count)], key, apply, &outcome)
            try context.saveImported()
        }
        return outcome
    }

    /// All objects are there before the first is handed out, so that a block that imports more of the class finds them.
    private func bring<Item>(
        _ items: ArraySlice<Item>, _ key: (Item) -> T.Key, _ apply: (Item, T) throws -> Void,
        _ outcome: inout UpsertOutcome
    ) throws {
        guard !items.isEmpty else { return }
        let keys = items.map(key)
        var known = try lookup.existing(keys, prefetching: prefetchedPaths)
        let updated = known.count
        var created: [T] = []
        var objects: [T] = []
        objects.reserveCapacity(keys.count)
        for key in keys {
            if let object = known[key] {
                objects.append(object)
                continue
            }
            let object = try context.create(T.self, lookup.layout)
            lookup.set(key, of: object)
            known[key] = object
            created.append(object)
            objects.append(object)
        }
        try hand(objects, items, created, apply)
        outcome.updated += updated
        outcome.inserted += created.count
    }

    private func hand<Item>(
        _ objects: [T], _ items: ArraySlice<Item>, _ created: [T], _ apply: (Item, T) throws -> Void
    ) throws {
        var done = 0
        do {
            for (item, object) in zip(items, objects) {
                try apply(item, object)
                done += 1
            }
        } catch {
            // Objects that weren't filled are deleted.
            let filled = Set(objects[..<done].map(ObjectIdentifier.init))
            for object in created where !filled.contains(ObjectIdentifier(object)) { context.delete(object) }
            throw error
        }
    }
}

extension NSManagedObjectContext {
    /// Saves a batch of an import and turns its objects into faults, so that those without other references are
    /// released.
    fileprivate func saveImported() throws {
        if hasChanges {
            do { try save() } catch { throw DatabaseError.saving(error) }
        }
        refreshAllObjects()
    }
}
