import Foundation

/// What the context and the coordinator ask of a store that keeps rows: SQLite, in memory, and the atomic stores.
///
/// Implementations are subclasses of `NSPersistentStore`. Every method may be called from any thread; a store serialises
/// what it must. References are the store's numbers for rows (`Z_PK`), unique within the tree of a root entity.
package protocol RowStore: NSPersistentStore {
    /// The rows that match, in order. With `query.includesValues` false the rows carry identity and version alone.
    func fetchRows(_ query: StoreQuery) throws -> RowSlab
    /// The same in as many slabs as suits the store, one after the other.
    func fetchRowParts(_ query: StoreQuery) throws -> [RowSlab]
    /// How many rows match; offset and limit count.
    func countRows(_ query: StoreQuery) throws -> Int
    /// The identities of the rows that match, in order, packed.
    func fetchReferences(_ query: StoreQuery) throws -> ReferenceList
    /// One array of values for each row or group, in the order of `query.columns`.
    func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]]
    /// The rows with these references, in any order; those that do not exist are missing. Made for hundreds at a time.
    func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab
    /// The destinations of a to-many relationship of several owners, all of the same root entity.
    func fetchToMany(_ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool) throws -> ToManyRows
    /// The same for a context that asks, on whose queue this is called.
    func fetchRows(
        references: [Int64], entity: EntityLayout, includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> RowSlab
    /// The same for a context that asks, on whose queue this is called.
    func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> ToManyRows
    /// What a context's request for objects finds, on the context's queue.
    func answer(
        to request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> StoreAnswer<[RowSlab]>
    /// The identifiers of what a context's request finds, on the context's queue.
    func identifiers(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID]
    /// The dictionaries that a context's request asks for, on the context's queue.
    func dictionaries(
        for request: NSFetchRequestBase, _ query: StoreQuery, columns: [ResultColumn],
        in context: NSManagedObjectContext
    ) throws -> [[String: Any]]
    /// How many objects a context's request finds, on the context's queue.
    func count(for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext) throws -> Int
    /// Whether rows that are likely to be needed next may be asked for along with one.
    var readsAhead: Bool { get }
    /// Hands out `count` new references for rows of the root entity's tree and returns the first. Never reused.
    func allocateReferences(count: Int, root: EntityLayout) throws -> Int64
    /// Carries a plan out in one transaction, or changes nothing and tells why.
    func execute(_ plan: SavePlan) throws -> SaveOutcome
    /// Inserts rows of one entity in one transaction.
    func insertRows(_ batch: BatchInsert) throws -> BatchOutcome
    /// Changes the rows that match in one transaction.
    func updateRows(_ batch: BatchUpdate) throws -> BatchOutcome
    /// Deletes rows, and what the delete rules say, in one transaction. Nothing points to them afterwards.
    func deleteRows(_ batch: BatchDelete) throws -> BatchOutcome
    /// Reads the metadata, or makes it for a new store. Called once, before anything else.
    func loadMetadata() throws
    /// Writes `metadata` to the file.
    func saveMetadata() throws
    /// Releases files and connections.
    func close()
}

extension RowStore {
    package func fetchRows(
        references: [Int64], entity: EntityLayout, includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> RowSlab {
        try fetchRows(references: references, entity: entity, includesValues: includesValues)
    }

    package func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> ToManyRows {
        try fetchToMany(relationship, owners: owners, includesValues: includesValues)
    }

    package func fetchRowParts(_ query: StoreQuery) throws -> [RowSlab] { [try fetchRows(query)] }

    package var readsAhead: Bool { true }

    package func answer(
        to request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> StoreAnswer<[RowSlab]> {
        let rows = try context.reading(self) { try fetchRowParts(query) }
        return StoreAnswer(store: self, rows: rows, rowCache: context.rowCache(of: self))
    }

    package func identifiers(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
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

    package func dictionaries(
        for request: NSFetchRequestBase, _ query: StoreQuery, columns: [ResultColumn],
        in context: NSManagedObjectContext
    ) throws -> [[String: Any]] {
        let rows = try context.reading(self) { try fetchColumns(query) }
        let answer = StoreAnswer(store: self, rows: rows, rowCache: context.rowCache(of: self))
        return context.dictionaries([answer], columns, query.entity)
    }

    package func count(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> Int {
        try context.reading(self) { try countRows(query) }
    }
}

/// What one store answered.
package struct StoreAnswer<Rows> {
    package let store: any RowStore
    package let rows: Rows
    /// Where other contexts that read the same find the rows.
    let rowCache: RowCache
    /// What keeps the objects of rows without values alive, where a store answered with objects.
    var objects: [NSManagedObject] = []
}

/// What to read from a store. Membership, order and window are the store's to apply.
package struct StoreQuery {
    package var entity: EntityLayout
    package var includesSubentities = true
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor] = []
    /// 0: no limit.
    package var limit = 0
    package var offset = 0
    package var includesValues = true
    /// Whether all rows are to come in one slab: batches are counted from its beginning.
    package var isBatched = false
    /// For `fetchColumns`: what each column is.
    package var columns: [QueryColumn] = []
    package var groupBy: [QueryColumn] = []
    package var having: NSPredicate?
    package var isDistinct = false
    /// Whether SQL has to leave out rows that belong to no entity of the table. See `StrayRows`.
    var leavesOutStrays = false
    /// Values for `$NAME` in the predicate.
    package var variables: [String: Any] = [:]

    /// Whether all rows that match are wanted, in any order.
    var isUnordered: Bool { sortDescriptors.isEmpty && limit == 0 && offset == 0 }

    package init(entity: EntityLayout) { self.entity = entity }
}

/// A column of a dictionary result.
package enum QueryColumn {
    /// An attribute or to-one of the entity, or a key path over to-ones.
    case keyPath(String)
    /// The row's own identity: `reference` values.
    case objectID
    case expression(NSExpression, name: String, type: NSAttributeType)
}

/// The destinations of a to-many relationship, owner by owner.
package struct ToManyRows {
    /// All destination rows, grouped by owner in the order of `owners`, ordered within an owner when the relationship is.
    package var rows: RowSlab
    /// For each owner that was asked for: where its destinations stand in `rows`.
    package var ranges: [Range<Int>]

    package init(rows: RowSlab, ranges: [Range<Int>]) {
        self.rows = rows
        self.ranges = ranges
    }
}
