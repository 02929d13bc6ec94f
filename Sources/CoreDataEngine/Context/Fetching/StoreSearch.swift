import Foundation

/// A fetch as the stores receive it; a ``StoreAnswer`` is the answer of one store.
///
/// It doesn't use the context, and may run off its queue, unless it names the context.
struct StoreSearch {
    /// A context that asks, and its request: stores of the application's own get both.
    private struct RequestOrigin {
        let request: NSFetchRequestBase
        let context: NSManagedObjectContext
    }

    var query: StoreQuery
    let stores: [any RowStore]
    /// What a pinned context reads.
    private let generation: QueryGeneration?
    private var origin: RequestOrigin?

    init(query: StoreQuery, stores: [any RowStore], generation: QueryGeneration? = nil) {
        self.query = query
        self.stores = stores
        self.generation = generation
    }

    /// The same for a context that asks, on whose queue the search has to run then.
    func asked(for request: NSFetchRequestBase, by context: NSManagedObjectContext) -> StoreSearch {
        var search = self
        search.origin = RequestOrigin(request: request, context: context)
        return search
    }

    /// The rows of each store.
    func rows() throws -> [StoreAnswer<[RowSlab]>] {
        try stores.map { store in
            if let origin, let own = store.ownStore {
                return try own.answer(to: origin.request, query, in: origin.context)
            }
            return try answer(store) { try store.fetchRowParts(query) }
        }
    }

    /// The identifiers of the rows of all stores, one store after the other.
    func identifiers() throws -> [NSManagedObjectID] {
        if let only = stores.onlyElement { return try identifiers(in: only) }
        return try stores.flatMap { try identifiers(in: $0) }
    }

    private func identifiers(in store: any RowStore) throws -> [NSManagedObjectID] {
        if let origin, let own = store.ownStore {
            return try own.identifiers(for: origin.request, query, in: origin.context)
        }
        let slabs = try answer(store) { try store.fetchRowParts(query) }.rows
        let rowCount = slabs.reduce(0) { $0 + $1.count }
        // All threads share one empty array, which must not be written to.
        if rowCount == 0 { return [] }
        let (entities, storeIdentity) = (query.entity.model.entities, store.storeIdentity)
        return [NSManagedObjectID](unsafeUninitializedCapacity: rowCount) { buffer, count in
            for slab in slabs {
                for row in 0..<slab.count {
                    let layout = entities[slab.entityIndex(row)]
                    buffer.initializeElement(
                        at: count,
                        to: NSManagedObjectID(
                            layout: layout, reference: slab.reference(row), storeIdentity: storeIdentity))
                    count += 1
                }
            }
        }
    }

    /// The columns that the query names, of each store.
    func columns() throws -> [StoreAnswer<[[PropertyValue]]>] {
        try stores.map { try columns(of: $0) }
    }

    /// The columns that the query names, of one of the stores.
    func columns(of store: any RowStore) throws -> StoreAnswer<[[PropertyValue]]> {
        try answer(store) { try store.fetchColumns(query) }
    }

    private func answer<Rows>(_ store: any RowStore, _ read: () throws -> Rows) throws -> StoreAnswer<Rows> {
        let state = generation?.state(of: store)
        let rowCache = state?.rowCache ?? store.rowCache
        let moment = rowCache.moment
        let rows = try StoreMonitoring.measure(.fetch, in: store, of: query.entity.entity.name) {
            try state.map { try $0.reading(read) } ?? read()
        }
        return StoreAnswer(store: store, rows: rows, rowCache: rowCache, moment: moment)
    }

    /// The number of rows in all stores; offset and limit count.
    func count() throws -> Int {
        if let only = stores.onlyElement { return try count(query, in: only) }
        var whole = query
        (whole.offset, whole.limit) = (0, 0)
        let all = try stores.reduce(0) { try $0 + count(whole, in: $1) }
        let rest = max(0, all - query.offset)
        return query.limit > 0 ? min(rest, query.limit) : rest
    }

    private func count(_ query: StoreQuery, in store: any RowStore) throws -> Int {
        if let origin, let own = store.ownStore {
            return try own.count(for: origin.request, query, in: origin.context)
        }
        return try StoreMonitoring.measure(.count, in: store, of: query.entity.entity.name) {
            guard let state = generation?.state(of: store) else { return try store.countRows(query) }
            return try state.reading { try store.countRows(query) }
        }
    }
}
