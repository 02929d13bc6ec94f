import Foundation

/// What a fetch asks of the stores: the part that needs no context, and may run beside its queue.
struct StoreSearch {
    var query: StoreQuery
    let stores: [any RowStore]

    /// What one store answered.
    struct Answer<Rows> {
        let store: any RowStore
        let rows: Rows
    }

    func rows() throws -> [Answer<RowSlab>] {
        try stores.map { Answer(store: $0, rows: try $0.fetchRows(query)) }
    }

    func columns() throws -> [Answer<[[PropertyValue]]>] {
        try stores.map { Answer(store: $0, rows: try $0.fetchColumns(query)) }
    }

    /// The number of rows in all stores; offset and limit count.
    func count() throws -> Int {
        if stores.count == 1 { return try stores[0].countRows(query) }
        var query = query
        (query.offset, query.limit) = (0, 0)
        let all = try stores.reduce(0) { try $0 + $1.countRows(query) }
        let rest = max(0, all - self.query.offset)
        return self.query.limit > 0 ? min(rest, self.query.limit) : rest
    }
}
