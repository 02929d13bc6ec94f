/// A store of the application's own, whose methods get the context that asks and its request.
///
/// All of this is called on the queue of the context.
package protocol ApplicationStore: RowStore {
    /// The rows with these references; those that do not exist are missing.
    func fetchRows(
        references: [Int64], entity: EntityLayout, includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> RowSlab
    /// The destinations of a to-many relationship of several owners, all of the same root entity.
    func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool, for context: NSManagedObjectContext
    ) throws -> ToManyRows
    /// What a request for objects finds.
    func answer(
        to request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> StoreAnswer<[RowSlab]>
    /// The identifiers of what a request finds.
    func identifiers(
        for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID]
    /// The dictionaries that a request asks for.
    func dictionaries(
        for request: NSFetchRequestBase, _ query: StoreQuery, columns: [ResultColumn],
        in context: NSManagedObjectContext
    ) throws -> [[String: Any]]
    /// How many objects a request finds.
    func count(for request: NSFetchRequestBase, _ query: StoreQuery, in context: NSManagedObjectContext) throws -> Int
}
