/// Answers queries by reading rows and looking at them one by one, for what a store's language cannot express: sort
/// descriptors, columns and conditions on groups.
package struct RowEvaluation {
    private let store: any RowStore

    package init(store: any RowStore) { self.store = store }

    /// The rows of a query. The store finds those that match; their order and window are found here.
    package func rows(_ query: StoreQuery) throws -> RowSlab {
        try checkOrder(of: query, besides: [])
        let session = StoreRowSession(store, model: query.entity.model)
        let slab = try session.slab(query)
        if let failure = session.failure { throw failure }
        return slab
    }

    /// The columns of a query.
    package func columns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        let names = query.columns.compactMap { column -> String? in
            if case .expression(_, let name, _) = column { name } else { nil }
        }
        try checkOrder(of: query, besides: names)
        let session = StoreRowSession(store, model: query.entity.model)
        let rows = try InMemoryColumnQuery(query: query, session: session).result()
        if let failure = session.failure { throw failure }
        return rows
    }

    /// A mistake in a sort descriptor is an error where there are no rows, too.
    private func checkOrder(of query: StoreQuery, besides names: [String]) throws {
        let check = PredicateCheck(entity: query.entity, variables: query.variables)
        for descriptor in query.sortDescriptors {
            guard !descriptor.hasCustomComparator else {
                throw PredicateError.evaluation("A store cannot sort by a comparator: \(descriptor).")
            }
            guard case .key(let key) = descriptor.subject, !names.contains(key) else { continue }
            try check.check(NSExpression(forKeyPath: key))
        }
    }
}
