/// How a context reads from a store, on the context's queue. A store of the application's own is told of the context; any
/// other just reads.
extension RowStore {
    /// The rows with these references.
    func fetchRows(
        references: [Int64], entity: EntityLayout, includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> RowSlab {
        if let ownStore {
            return try ownStore.fetchRows(
                references: references, entity: entity, includesValues: includesValues, for: context)
        }
        return try fetchRows(references: references, entity: entity, includesValues: includesValues)
    }

    /// The destinations of a to-many relationship of several owners.
    func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> ToManyRows {
        if let ownStore {
            return try ownStore.fetchToMany(
                relationship, owners: owners, includesValues: includesValues, for: context)
        }
        return try fetchToMany(relationship, owners: owners, includesValues: includesValues)
    }

    /// What a request for objects finds.
    func answer(
        to request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> StoreAnswer<[RowSlab]> {
        if let ownStore { return try ownStore.answer(to: request, query, in: context) }
        let rows = try context.reading(self) { try fetchRowParts(query) }
        return StoreAnswer(store: self, rows: rows, rowCache: context.rowCache(of: self))
    }

    /// The identifiers of what a request finds.
    func identifiers(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        if let ownStore { return try ownStore.identifiers(for: request, query, in: context) }
        let slabs = try context.reading(self) { try fetchRowParts(query) }
        let rowCount = slabs.reduce(0) { $0 + $1.count }
        // An empty array is one for all: whoever fills it writes where all threads read.
        if rowCount == 0 { return [] }
        let entities = query.entity.model.entities
        let place = place
        return [NSManagedObjectID](unsafeUninitializedCapacity: rowCount) { buffer, count in
            for slab in slabs {
                for row in 0..<slab.count {
                    let layout = entities[slab.entityIndex(row)]
                    buffer.initializeElement(
                        at: count, to: NSManagedObjectID(layout: layout, reference: slab.reference(row), place: place))
                    count += 1
                }
            }
        }
    }

    /// The dictionaries that a request asks for.
    func dictionaries(
        for request: NSFetchRequestBase, _ query: StoreQuery, columns: [ResultColumn],
        in context: NSManagedObjectContext
    ) throws -> [[String: Any]] {
        if let ownStore { return try ownStore.dictionaries(for: request, query, columns: columns, in: context) }
        let rows = try context.reading(self) { try fetchColumns(query) }
        let answer = StoreAnswer(store: self, rows: rows, rowCache: context.rowCache(of: self))
        return context.dictionaries([answer], columns, query.entity)
    }

    /// How many objects a request finds.
    func count(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> Int {
        if let ownStore { return try ownStore.count(for: request, query, in: context) }
        return try context.reading(self) { try countRows(query) }
    }
}
