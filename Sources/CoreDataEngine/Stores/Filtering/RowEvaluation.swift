/// Answers queries by reading rows and looking at them one by one, for what a store's language cannot express: sort
/// descriptors, columns and conditions on groups.
package struct RowEvaluation {
    private let store: any RowStore

    package init(store: any RowStore) { self.store = store }

    /// The rows of a query. The store finds those that match; their order and window are found here.
    package func rows(_ query: StoreQuery) throws -> RowSlab {
        let session = StoreRowSession(store, model: query.entity.model)
        let slab = try session.slab(query)
        if let failure = session.failure { throw failure }
        return slab
    }

    /// The columns of a query.
    package func columns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        let session = StoreRowSession(store, model: query.entity.model)
        let rows = try InMemoryColumnQuery(query: query, session: session).result()
        if let failure = session.failure { throw failure }
        return rows
    }
}
