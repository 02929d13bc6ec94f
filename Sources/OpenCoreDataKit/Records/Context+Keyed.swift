/// Objects by their keys. All of these belong to the context's queue; unsaved changes of the context count.
extension NSManagedObjectContext {
    /// Returns the object with a key, or `nil` if there is no such object. The store is queried only if no loaded
    /// object has the key.
    ///
    /// Loaded objects are searched one after the other, and unsaved ones are found, too. If several objects have the
    /// key, any of them is returned. For many keys, `objects(_:keys:)` takes a single query.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - key: The key.
    /// - Returns: The object, or `nil`.
    /// - Throws: ``DatabaseError`` if the class has no entity, or its key isn't an attribute.
    public func object<T: Keyed>(_ type: T.Type, key: T.Key) throws -> T? {
        try KeyLookup(type, in: self).first(key)
    }

    /// Returns the objects with the given keys, by key. Thousands of keys take one query.
    ///
    /// An import finds related objects with it:
    ///
    /// ```swift
    /// let authors = try context.objects(Author.self, keys: items.map(\.author))
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - keys: The keys. Keys without an object are missing from the result.
    /// - Returns: The objects by their keys. If several objects have the same key, any of them is returned.
    /// - Throws: ``DatabaseError`` if the class has no entity, its key isn't an attribute, or the keys are decimal numbers
    ///   of the type `NSDecimalNumber`, which only Apple's systems can hash. Use `Decimal`.
    public func objects<T: Keyed>(_ type: T.Type, keys: some Sequence<T.Key>) throws -> [T.Key: T] {
        try KeyLookup(type, in: self).existing(keys)
    }

    /// Returns the object with a key, or creates it.
    ///
    /// A new object has its key and the model's default values, and isn't saved. Two contexts can create the same key
    /// at the same time, unless the model has a uniqueness constraint for it.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - key: The key.
    /// - Returns: The object, which may be new.
    /// - Throws: ``DatabaseError`` if the class has no entity, or its key isn't an attribute.
    public func findOrCreate<T: Keyed>(_ type: T.Type, key: T.Key) throws -> T {
        let lookup = try KeyLookup(type, in: self)
        if let found = try lookup.first(key) { return found }
        let object = try create(type, lookup.layout)
        lookup.set(key, of: object)
        return object
    }

    /// Inserts or updates an object for each item.
    ///
    /// Before `apply` is called for the first time, all objects are found with one query, and missing ones are created
    /// with their keys. Items with equal keys refer to the same object, and `apply` is called once for each of them.
    ///
    /// With `batchSize`, the items are handled in batches. Each is saved and released before the next, so that memory
    /// use doesn't grow with the number of items. Between batches, all objects of the context become faults, including
    /// those that the caller holds; they stay usable. Inside of `Database.importing` this is the default.
    ///
    /// - Parameters:
    ///   - items: The items to import.
    ///   - type: The class of the objects.
    ///   - keyPaths: Relationships that `apply` reads or changes on existing objects: they are loaded with one query
    ///     for all objects.
    ///   - batchSize: The number of items between saves; 0 leaves saving to the caller. By default, an import saves,
    ///     and other contexts don't.
    ///   - key: Returns the key of an item.
    ///   - apply: Sets the values of an item's object. The key is already set.
    /// - Returns: How many objects were inserted and how many updated.
    /// - Throws: ``DatabaseError``, or the error of `apply`: objects created for items that `apply` hasn't finished are
    ///   deleted again. In an import, earlier batches stay saved.
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
    /// Works as `upsert(_:into:prefetching:batchSize:key:_:)` does, for items that are `Identifiable` with the type of
    /// the key.
    ///
    /// ```swift
    /// let outcome = try context.upsert(downloads, into: Book.self) { item, book in book.title = item.title }
    /// ```
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - type: The class of the objects.
    ///   - keyPaths: Relationships to load with the objects that exist.
    ///   - batchSize: The number of items between saves; 0 leaves saving to the caller.
    ///   - apply: Sets the object's values from the item.
    /// - Returns: How many objects were inserted and how many existed.
    /// - Throws: The errors of the form that takes the key.
    @discardableResult
    public func upsert<T: Keyed, Item: Identifiable>(
        _ items: [Item], into type: T.Type = T.self, prefetching keyPaths: [PartialKeyPath<T>] = [],
        batchSize: Int? = nil, _ apply: (Item, T) throws -> Void
    ) throws -> UpsertOutcome where Item.ID == T.Key {
        try upsert(items, into: type, prefetching: keyPaths, batchSize: batchSize, key: \.id, apply)
    }
}
