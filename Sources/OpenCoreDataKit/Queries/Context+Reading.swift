/// Running queries. All of these belong to the context's queue; unsaved changes of the context count.
extension NSManagedObjectContext {
    /// Returns the objects that match a query, in its order. The array is empty if no object matches.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func all<T>(_ query: Query<T>) throws -> [T] {
        let layout = try entityLayout(of: query)
        return try found(by: query.request(for: layout, in: self), layout)
    }

    /// Returns the first object that matches a query, or `nil` if no object matches.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Throws: ``DatabaseError`` that names entity and condition.
    public func first<T>(_ query: Query<T>) throws -> T? {
        let layout = try entityLayout(of: query)
        let request: NSFetchRequest<T> = try query.request(for: layout, in: self)
        request.fetchLimit = 1
        return try found(by: request, layout).first
    }

    /// Returns the first object that matches a query.
    ///
    /// - Parameter query: The conditions and the order.
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` if no object matches.
    public func one<T>(_ query: Query<T>) throws -> T {
        let layout = try entityLayout(of: query)
        let request: NSFetchRequest<T> = try query.request(for: layout, in: self)
        request.fetchLimit = 1
        if let object = try found(by: request, layout).first { return object }
        throw DatabaseError.notFound(entity: layout.name, condition: request.predicate?.predicateFormat)
    }

    /// Returns the number of objects that match a query. Objects are created only if the context has unsaved changes.
    ///
    /// - Parameter query: The conditions.
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
    /// - Parameter query: The conditions and the order.
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
    /// - Parameter query: The query.
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
