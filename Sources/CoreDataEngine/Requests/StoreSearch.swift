import Foundation

/// What a fetch asks of the stores: the part that needs no context, and may run beside its queue.
struct StoreSearch {
    var query: StoreQuery
    let stores: [any RowStore]
    /// What a pinned context reads.
    var generation: QueryGeneration?

    /// What one store answered.
    struct Answer<Rows> {
        let store: any RowStore
        let rows: Rows
        /// Where other contexts that read the same find the rows.
        let rowCache: RowCache
    }

    func rows() throws -> [Answer<RowSlab>] {
        try stores.map { store in try answer(store) { try store.fetchRows(query) } }
    }

    func columns() throws -> [Answer<[[PropertyValue]]>] {
        try stores.map { store in try answer(store) { try store.fetchColumns(query) } }
    }

    private func answer<Rows>(_ store: any RowStore, _ read: () throws -> Rows) throws -> Answer<Rows> {
        guard let state = generation?.state(of: store) else {
            return Answer(store: store, rows: try read(), rowCache: store.rowCache)
        }
        return Answer(store: store, rows: try state.reading(read), rowCache: state.rowCache)
    }

    /// The number of rows in all stores; offset and limit count.
    func count() throws -> Int {
        if let only = stores.onlyElement { return try count(query, in: only) }
        var all = query
        (all.offset, all.limit) = (0, 0)
        var sum = 0
        for store in stores { sum += try count(all, in: store) }
        let rest = max(0, sum - query.offset)
        return query.limit > 0 ? min(rest, query.limit) : rest
    }

    private func count(_ query: StoreQuery, in store: any RowStore) throws -> Int {
        guard let state = generation?.state(of: store) else { return try store.countRows(query) }
        return try state.reading { try store.countRows(query) }
    }
}
