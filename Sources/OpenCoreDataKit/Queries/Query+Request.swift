/// Queries as fetch requests.
extension Query {
    /// Returns the fetch request for this query in a context, for code that works with fetch requests.
    ///
    /// Each call returns a new request, which can be changed without an effect on the query. An object passed to
    /// `after(_:)` is read from the context.
    ///
    /// - Parameter context: The context, whose model has the entity of the class.
    /// - Returns: A request with the conditions, the order and all other settings.
    /// - Throws: ``DatabaseError`` if the class has no entity in the context's model, or the query is invalid.
    public func fetchRequest(in context: NSManagedObjectContext) throws -> NSFetchRequest<T> {
        try request(for: context.entityLayout(of: self), in: context)
    }

    /// A request for an entity, with every setting; of any type of result.
    func request<Result: NSFetchRequestResult>(
        _ type: Result.Type = Result.self, for layout: EntityLayout, in context: NSManagedObjectContext
    ) throws -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>()
        request.entity = layout.entity
        for step in steps { try apply(step, to: untyped(request), layout) }
        try goOn(in: untyped(request), layout, context)
        #if !canImport(ObjectiveC)
        try lockRows(of: untyped(request), layout, context)
        #endif
        // Even if `adjusted` changed it, the result is of the query's class.
        request.entity = layout.entity
        try check(untyped(request), layout)
        return request
    }

    private func apply(_ step: QueryStep, to request: NSFetchRequestBase, _ layout: EntityLayout) throws {
        switch step {
        case .filter(let condition): request.predicate = request.predicate.and(condition)
        case .order(let descriptors): request.sortDescriptors = descriptors.isEmpty ? nil : descriptors
        case .limit(let count): request.fetchLimit = count
        case .offset(let count): request.fetchOffset = count
        case .batch(let count): request.fetchBatchSize = count
        case .prefetch(let paths): request.relationshipKeyPathsForPrefetching = paths
        case .fields(let names): request.propertiesToFetch = names
        case .exactEntity: request.includesSubentities = false
        case .storedOnly: request.includesPendingChanges = false
        case .asFaults:
            request.includesPropertyValues = false
            request.returnsObjectsAsFaults = true
        case .distinct: request.returnsDistinctResults = true
        case .adjust(let change): change(request)
        // Needs the order, which may be set later.
        case .after: break
        // Needs the context.
        case .lock: break
        case .impossible(let reason): throw DatabaseError.invalidQuery(entity: layout.name, reason: reason)
        }
    }

    private func check(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws {
        if let error = request.predicate?.formatError {
            throw DatabaseError.invalidQuery(entity: layout.name, reason: DatabaseError.sentence(error))
        }
        for path in request.relationshipKeyPathsForPrefetching ?? [] {
            if case .attribute = try PropertyPath.target(of: path, from: layout) {
                throw DatabaseError.invalidQuery(
                    entity: layout.name, reason: "'\(path)' is an attribute; only relationships can be prefetched.")
            }
        }
        for case let name as String in request.propertiesToFetch ?? [] {
            _ = try PropertyPath.target(of: name, from: layout)
        }
    }
}
