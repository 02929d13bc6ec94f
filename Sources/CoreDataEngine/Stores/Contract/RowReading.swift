/// What is read from a store of rows.
///
/// Every method may be called from any thread. References are the store's numbers for rows (`Z_PK`), unique within the tree
/// of a root entity.
package protocol RowReading: NSPersistentStore {
    /// The rows that match, in order. With `query.includesValues` false the rows carry identity and version alone.
    func fetchRows(_ query: StoreQuery) throws -> RowSlab
    /// The same in as many slabs as suits the store, one after the other. One, unless the store says otherwise.
    func fetchRowParts(_ query: StoreQuery) throws -> [RowSlab]
    /// How many rows match; offset and limit count.
    func countRows(_ query: StoreQuery) throws -> Int
    /// The identities of the rows that match, in order, packed. Out of `fetchRows`, unless the store has a shorter way.
    func fetchReferences(_ query: StoreQuery) throws -> ReferenceList
    /// One array of values for each row or group, in the order of `query.columns`.
    func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]]
    /// The rows with these references, in any order; those that do not exist are missing. Made for hundreds at a time.
    func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab
    /// The destinations of a to-many relationship of several owners, all of the same root entity.
    func fetchToMany(_ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool) throws -> ToManyRows
    /// Whether rows that are likely to be needed next may be asked for along with one. Yes, unless each costs a call.
    var readsAhead: Bool { get }
}

extension RowReading {
    package func fetchRowParts(_ query: StoreQuery) throws -> [RowSlab] { [try fetchRows(query)] }

    package var readsAhead: Bool { true }
}
