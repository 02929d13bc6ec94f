/// Objects by their keys. All of these belong to the context's queue; unsaved changes of the context count.
extension NSManagedObjectContext {
    /// The object with a key; `nil` when there is none. Asks the store only when no loaded object has the key.
    ///
    /// - Throws: ``DatabaseError`` when the class has no entity, or its key is no attribute.
    public func object<T: Keyed>(_ type: T.Type, key: T.Key) throws -> T? {
        try KeyLookup(type, in: self).first(key)
    }

    /// The objects that there are for keys, by their keys: one query for thousands of them.
    ///
    /// This is how an import finds what its items refer to:
    ///
    /// ```swift
    /// let authors = try context.objects(Author.self, keys: items.map(\.author))
    /// ```
    ///
    /// - Throws: ``DatabaseError`` when the class has no entity, or its key is no attribute.
    public func objects<T: Keyed>(_ type: T.Type, keys: some Sequence<T.Key>) throws -> [T.Key: T] {
        try KeyLookup(type, in: self).existing(Set(keys))
    }

    /// The object with a key, or a new one that has it.
    ///
    /// - Throws: ``DatabaseError`` when the class has no entity, or its key is no attribute.
    public func findOrCreate<T: Keyed>(_ type: T.Type, key: T.Key) throws -> T {
        let lookup = try KeyLookup(type, in: self)
        if let found = try lookup.first(key) { return found }
        let object = try create(type, lookup.layout)
        lookup.set(key, of: object)
        return object
    }

    /// Inserts or updates an object for each item.
    ///
    /// All objects are found with one query, and missing ones are made and given their key before the block is called
    /// for the first time. Items with equal keys stand for one object, for which the block is called again.
    ///
    /// With `batchSize` the items are taken in batches; each is saved and forgotten before the next is looked up, so
    /// that memory does not grow with the number of items. All objects of the context become faults in between, those
    /// that the caller holds too; they stay usable. Inside of `Database.importing` this happens by itself.
    ///
    /// - Parameters:
    ///   - items: What to bring in.
    ///   - type: The class of the objects.
    ///   - keyPaths: Relationships that the block reads or changes on objects that are there already: they are loaded
    ///     with one query for all.
    ///   - batchSize: How many items to handle between saves; 0 to leave saving to the caller. When left out, the
    ///     context decides: an import saves, other contexts don't.
    ///   - key: The key of an item.
    ///   - apply: Gives an object the values of its item. The key is set already.
    /// - Returns: How many objects were new, and how many were there.
    /// - Throws: ``DatabaseError``, or what the block throws: objects made for items that the block has not finished
    ///   are deleted again. In an import, batches before that one are saved.
    @discardableResult
    public func upsert<T: Keyed, Item>(
        _ items: [Item], into type: T.Type = T.self, prefetching keyPaths: [PartialKeyPath<T>] = [],
        batchSize: Int? = nil, key: (Item) -> T.Key, _ apply: (Item, T) throws -> Void
    ) throws -> UpsertOutcome {
        let lookup = try KeyLookup(type, in: self)
        let paths = try DatabaseError.translating(lookup.layout, nil) {
            try keyPaths.map { try PropertyPath.name(of: $0) }
        }
        let size = max(0, batchSize ?? importBatchSize)
        return try Upsert(lookup: lookup, prefetchedPaths: paths, batchSize: size).run(items, key: key, apply)
    }

    /// Inserts or updates an object for each item, whose `id` is the key.
    ///
    /// - Returns: How many objects were new, and how many were there.
    /// - Throws: As the form that takes the key does.
    @discardableResult
    public func upsert<T: Keyed, Item: Identifiable>(
        _ items: [Item], into type: T.Type = T.self, prefetching keyPaths: [PartialKeyPath<T>] = [],
        batchSize: Int? = nil, _ apply: (Item, T) throws -> Void
    ) throws -> UpsertOutcome where Item.ID == T.Key {
        try upsert(items, into: type, prefetching: keyPaths, batchSize: batchSize, key: \.id, apply)
    }
}
