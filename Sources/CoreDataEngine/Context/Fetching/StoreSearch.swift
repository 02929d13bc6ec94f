import Foundation

/// What a fetch asks of the stores: the part that needs no context, and may run beside its queue.
struct StoreSearch {
    var query: StoreQuery
    let stores: [any RowStore]
    /// What a pinned context reads.
    var generation: QueryGeneration?

    typealias Answer = StoreAnswer

    func rows() throws -> [Answer<[RowSlab]>] {
        try stores.map { store in try answer(store) { try store.fetchRowParts(query) } }
    }

    /// The rows for a context, on whose queue this is called. Stores of the application's own get its request.
    func rows(for request: NSFetchRequestBase, in context: NSManagedObjectContext) throws -> [Answer<[RowSlab]>] {
        try stores.map { try $0.answer(to: request, query, in: context) }
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
        try count { store, query in try count(query, in: store) }
    }

    /// The same for a context, on whose queue this is called. Stores of the application's own get its request.
    func count(for request: NSFetchRequestBase, in context: NSManagedObjectContext) throws -> Int {
        try count { store, query in try store.count(for: request, query, in: context) }
    }

    private func count(_ rows: (any RowStore, StoreQuery) throws -> Int) throws -> Int {
        if let only = stores.onlyElement { return try rows(only, query) }
        var query = query
        (query.offset, query.limit) = (0, 0)
        let all = try stores.reduce(0) { try $0 + rows($1, query) }
        let rest = max(0, all - self.query.offset)
        return self.query.limit > 0 ? min(rest, self.query.limit) : rest
    }

    private func count(_ query: StoreQuery, in store: any RowStore) throws -> Int {
        guard let state = generation?.state(of: store) else { return try store.countRows(query) }
        return try state.reading { try store.countRows(query) }
    }
}
