/// Running queries. All of these belong to the context's queue; unsaved changes of the context count.
extension NSManagedObjectContext {
    /// Returns the objects that match a query, in its order. The array is empty if no object matches.
    ///
    /// The objects are those of this context: running the query again returns the same instances for the same rows.
    /// Deleted objects aren't in the result, and unsaved ones are, unless the query is `storedOnly()`. Memory grows
    /// with the result; see ``allInBatches(_:)``.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Returns: The objects.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func all<T>(_ query: Query<T>) throws -> [T] {
        let layout = try entityLayout(of: query)
        return try found(by: query.request(for: layout, in: self), layout)
    }

    /// Returns the first object that matches a query, or `nil` if no object matches.
    ///
    /// A limit of the query is replaced by 1, and its offset counts. Without an order, any matching object may be
    /// returned.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Returns: The object, or `nil`.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func first<T>(_ query: Query<T>) throws -> T? {
        let layout = try entityLayout(of: query)
        let request: NSFetchRequest<T> = try query.request(for: layout, in: self)
        request.fetchLimit = 1
        return try found(by: request, layout).first
    }

    /// Returns the first object that matches a query.
    ///
    /// Use it if the program needs the object. If several objects match, that isn't an error.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Returns: The object.
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` if no object matches;
    ///   ``DatabaseError/invalidQuery(entity:reason:)``, or the store's error.
    public func one<T>(_ query: Query<T>) throws -> T {
        let layout = try entityLayout(of: query)
        let request: NSFetchRequest<T> = try query.request(for: layout, in: self)
        request.fetchLimit = 1
        if let object = try found(by: request, layout).first { return object }
        throw DatabaseError.notFound(entity: layout.name, condition: request.predicate?.predicateFormat)
    }

    /// Returns the number of objects that match a query. Objects are created only if the context has unsaved changes.
    ///
    /// A limit and an offset count, so the result is never greater than the limit. Without unsaved changes, the store
    /// counts.
    ///
    /// - Parameter query: The conditions.
    /// - Returns: The number of objects.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func count<T>(_ query: Query<T>) throws -> Int {
        let layout = try entityLayout(of: query)
        let request: NSFetchRequest<T> = try query.request(for: layout, in: self)
        return try DatabaseError.translating(layout, request.predicate) {
            guard let window = ResultWindow(widening: request, in: self) else { return try count(for: request) }
            request.includesPropertyValues = false
            return window.applied(to: try fetch(request)).count
        }
    }

    /// Returns the identifiers of the objects that match a query, in its order.
    ///
    /// No objects are created for the result. Identifiers can be passed to other contexts, which load their objects
    /// with `object(_:_:)`. New objects that aren't saved have temporary identifiers, except in blocks of `write` and
    /// in drafts.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Returns: The identifiers.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func ids<T>(_ query: Query<T>) throws -> [NSManagedObjectID] {
        let layout = try entityLayout(of: query)
        let request = try query.request(NSManagedObjectID.self, for: layout, in: self)
        request.resultType = .managedObjectIDResultType
        request.propertiesToFetch = nil
        return try found(by: request, layout)
    }

    /// Returns the objects that a query finds, created batch by batch as they are iterated over, so that memory use
    /// doesn't grow with the result.
    ///
    /// A batch has 500 objects, unless the query says otherwise with `batched(by:)`. Use the objects on the context's
    /// queue, like those of any other fetch.
    ///
    /// - Parameter query: The query.
    /// - Returns: A collection of the objects.
    /// - Throws: A ``DatabaseError`` that names the entity and the condition.
    public func allInBatches<T>(_ query: Query<T>) throws -> FetchedObjects<T> {
        let layout = try entityLayout(of: query)
        let request: NSFetchRequest<T> = try query.request(for: layout, in: self)
        if request.fetchBatchSize == 0 { request.fetchBatchSize = 500 }
        return try DatabaseError.translating(layout, request.predicate) { try fetchInBatches(request) }
    }

    private func found<Element>(by request: NSFetchRequest<Element>, _ layout: EntityLayout) throws -> [Element] {
        try DatabaseError.translating(layout, request.predicate) {
            guard let window = ResultWindow(widening: request, in: self) else { return try fetch(request) }
            return window.applied(to: try fetch(request))
        }
    }
}
