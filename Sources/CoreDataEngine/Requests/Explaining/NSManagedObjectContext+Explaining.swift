import Foundation

extension NSManagedObjectContext {
    /// Explains how the stores execute a fetch, by executing it once. No objects are created, and unsaved changes
    /// aren't included.
    ///
    ///     print(try context.explain(request))
    ///
    /// - Parameter request: The request, of any result type.
    /// - Returns: The statement, plan and cost for each SQL store.
    /// - Throws: The errors of `fetch(_:)`.
    public func explain<T>(_ request: NSFetchRequest<T>) throws -> FetchExplanation {
        checkQueue()
        let layout = try entity(of: request)
        if let error = request.predicate?.formatError ?? request.havingPredicate?.formatError { throw error }
        let (search, purpose) = try explained(request, layout)
        let statements = try search.stores.compactMap { store in
            try (store as? any ExplainingStore)?.explain(search.query, purpose)
        }
        return FetchExplanation(entityName: layout.name, statements: statements)
    }

    private func explained(_ request: NSFetchRequestBase, _ layout: EntityLayout) throws -> (StoreSearch, FetchPurpose)
    {
        switch request.resultType {
        case .dictionaryResultType:
            let query = try request.columnQuery(for: layout).query
            return (try search(query, in: stores(for: request, layout)), .columns)
        case .countResultType: return (try countSearch(request, layout), .count)
        default: return (try objectSearch(request, layout), .rows)
        }
    }
}
