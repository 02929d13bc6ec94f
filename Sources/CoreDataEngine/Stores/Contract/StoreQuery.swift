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
    package var leavesOutStrays = false
    /// The only rows that can match; `nil` where any can.
    package var references: [Int64]?
    /// Values for `$NAME` in the predicate.
    package var variables: [String: Any] = [:]

    /// Whether the rows are locked until the end of the transaction.
    package var lock: RowLock?

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
