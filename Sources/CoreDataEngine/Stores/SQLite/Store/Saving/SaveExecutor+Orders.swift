/// To-manys without an inverse, and the order of ordered ones.
extension SaveExecutor {
    func changeHiddenOwners() throws {
        for change in plan.hiddenOwners {
            let entity = try mapping(change.relationship.owner)
            guard case .hidden(let table, let column) = entity.mapping(change.relationship) else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "The relationship \(change.relationship.name) of \(entity.layout.name) has no hidden column.")
            }
            let name = SQLName.quotedIfNeeded(column.name)
            if let owner = change.owner {
                try connection.run(
                    "UPDATE \(SQLName.quotedIfNeeded(table)) SET \(name)=? WHERE Z_PK=?",
                    [.integer(owner), .integer(change.destination)])
            } else {
                // The row may belong to another owner by now.
                try connection.run(
                    "UPDATE \(SQLName.quotedIfNeeded(table)) SET \(statements.emptied(column)) "
                        + "WHERE Z_PK=? AND \(name) IS ?",
                    [.integer(change.destination), change.formerOwner.map { .integer($0) } ?? .null])
            }
        }
    }

    /// Where the order of a to-many is kept.
    private struct OrderColumns {
        var table: String
        /// Says whose destinations they are.
        var owner: String
        /// Says which destination it is.
        var destination: String
        var order: String
        /// Whether a pair may stand in the other direction only.
        var isReflexive = false
    }

    func writeOrders() throws {
        for change in plan.orders {
            guard let columns = try orderColumns(of: change.relationship) else { continue }
            let rows = try connection.rows(
                "SELECT \(columns.destination),\(columns.order) FROM \(columns.table) WHERE \(columns.owner)=?",
                [.integer(change.owner)])
            var existing: [Int64: Int64] = [:]
            for row in rows {
                if case .integer(let destination) = row[0], case .integer(let key) = row[1] {
                    existing[destination] = key
                }
            }
            if columns.isReflexive { try completePairs(of: change, columns) }
            let keys = OrderKeys.assign(existing: change.destinations.map { existing[$0] })
            let sql =
                "UPDATE \(columns.table) SET \(columns.order)=? WHERE \(columns.destination)=? AND \(columns.owner)=?"
            for (destination, key) in zip(change.destinations, keys) where existing[destination] != key {
                try connection.run(sql, [.integer(key), .integer(destination), .integer(change.owner)])
            }
        }
    }

    private func completePairs(of change: OrderChange, _ columns: OrderColumns) throws {
        let sql = "INSERT OR IGNORE INTO \(columns.table) (\(columns.owner),\(columns.destination)) VALUES (?,?)"
        for destination in change.destinations {
            try connection.run(sql, [.integer(change.owner), .integer(destination)])
        }
    }

    private func orderColumns(of relationship: RelationshipLayout) throws -> OrderColumns? {
        let entity = try mapping(relationship.owner)
        switch entity.mapping(relationship) {
        case .inverse(let table, let column), .hidden(let table, let column):
            guard let order = column.orderColumn else { return nil }
            return OrderColumns(
                table: SQLName.quotedIfNeeded(table), owner: SQLName.quotedIfNeeded(column.name), destination: "Z_PK",
                order: SQLName.quotedIfNeeded(order))
        case .join(let join):
            guard let order = join.orderColumn else { return nil }
            return OrderColumns(
                table: SQLName.quotedIfNeeded(join.table), owner: SQLName.quotedIfNeeded(join.ownerColumn),
                destination: SQLName.quotedIfNeeded(join.destinationColumn), order: SQLName.quotedIfNeeded(order),
                isReflexive: join.isReflexive)
        case .toOne, .none: return nil
        }
    }
}
