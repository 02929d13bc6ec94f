/// How a context reads rows that it knows of, on its queue. A store of the application's own gets the context; any
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
}
