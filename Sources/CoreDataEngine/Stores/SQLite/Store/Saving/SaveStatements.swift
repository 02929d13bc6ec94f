/// The statements of a save, by what they do. Strings depend on the entity and the changed slots only, so that the
/// connection's cache has them prepared from the second save on.
struct SaveStatements {
    let store: StoreMapping

    /// A parameter of a statement: the slot whose value is bound and its column.
    struct Field: Sendable {
        var slot: SlotLayout
        var column: ColumnMapping
    }

    /// The columns of an entity that an insert writes.
    func fields(of entity: EntityMapping) -> [Field] {
        entity.layout.slots.compactMap { slot in
            guard let slot, let column = entity.columns[slot.index] else { return nil }
            return Field(slot: slot, column: column)
        }
    }

    /// The columns of some slots; slots without a column (transient properties) are left out.
    func fields(of entity: EntityMapping, slots: [Int]) -> [Field] {
        slots.compactMap { index in
            guard let slot = entity.layout.slots[index], let column = entity.columns[index] else { return nil }
            return Field(slot: slot, column: column)
        }
    }

    private func names(_ fields: [Field]) -> [String] {
        fields.flatMap { field in
            field.column.leaves.isEmpty
                ? [field.column.name] + (field.column.entityColumn.map { [$0] } ?? []) : field.column.leaves
        }.map(SQLName.quotedIfNeeded)
    }

    /// `INSERT` of some rows, all at once.
    ///
    /// With `rollingBack` a row that is there already ends the whole transaction: SQLite then needs no journal for the
    /// single statement, which makes a statement of many rows much faster.
    func insert(_ entity: EntityMapping, _ fields: [Field], rows: Int, rollingBack: Bool) -> String {
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + names(fields)
        let row = "(?,\(entity.number),1" + String(repeating: ",?", count: columns.count - 3) + ")"
        return "INSERT \(rollingBack ? "OR ROLLBACK " : "")INTO \(SQLName.quotedIfNeeded(entity.table)) "
            + "(\(columns.joined(separator: ","))) VALUES " + Array(repeating: row, count: rows).joined(separator: ",")
    }

    /// `UPDATE` of one row, if wanted only while it has the version seen last.
    func update(_ entity: EntityMapping, _ fields: [Field], checksVersion: Bool) -> String {
        let assignments = (["Z_OPT=Z_OPT+1"] + names(fields).map { "\($0)=?" }).joined(separator: ",")
        return "UPDATE \(SQLName.quotedIfNeeded(entity.table)) SET \(assignments) WHERE Z_PK=?"
            + (checksVersion ? " AND Z_OPT=?" : "")
    }

    /// `UPDATE` that empties some columns of a row, to make way for other rows with the same unique values.
    func clear(_ entity: EntityMapping, _ fields: [Field]) -> String {
        let assignments = names(fields).map { "\($0)=NULL" }.joined(separator: ",")
        return "UPDATE \(SQLName.quotedIfNeeded(entity.table)) SET \(assignments) WHERE Z_PK=?"
    }

    func delete(_ entity: EntityMapping, checksVersion: Bool) -> String {
        "DELETE FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?" + (checksVersion ? " AND Z_OPT=?" : "")
    }

    /// Statements that remove pairs and hidden references of deleted rows; each takes `count` primary keys.
    func deleteTraces(_ relationship: RelationshipMapping, count: Int) -> [String] {
        let marks = Array(repeating: "?", count: count).joined(separator: ",")
        switch relationship {
        case .join(let join):
            let table = SQLName.quotedIfNeeded(join.table)
            let columns = join.isReflexive ? [join.ownerColumn, join.destinationColumn] : [join.ownerColumn]
            return columns.map { "DELETE FROM \(table) WHERE \(SQLName.quotedIfNeeded($0)) IN (\(marks))" }
        case .hidden(let table, let column):
            let name = SQLName.quotedIfNeeded(column.name)
            return ["UPDATE \(SQLName.quotedIfNeeded(table)) SET \(emptied(column)) WHERE \(name) IN (\(marks))"]
        case .toOne, .inverse, .none: return []
        }
    }

    /// The assignments that take a row out of a to-many without an inverse: it has no place in an order any more either.
    func emptied(_ hidden: ColumnMapping) -> String {
        [hidden.name, hidden.orderColumn].compactMap { $0 }.map { "\(SQLName.quotedIfNeeded($0))=NULL" }
            .joined(separator: ",")
    }

    /// `INSERT` of some pairs. A pair that is there already stays, for a reflexive relationship in either direction. An ordered
    /// one has it in both, as each has a place in the other's order.
    func insertLinks(_ join: JoinMapping, rows: Int) -> String {
        let table = SQLName.quotedIfNeeded(join.table)
        let owner = SQLName.quotedIfNeeded(join.ownerColumn)
        let destination = SQLName.quotedIfNeeded(join.destinationColumn)
        let insert = "INSERT OR IGNORE INTO \(table) (\(owner),\(destination))"
        guard join.isReflexive else {
            return "\(insert) VALUES " + Array(repeating: "(?,?)", count: rows).joined(separator: ",")
        }
        if join.orderColumn != nil { return "\(insert) VALUES (?1,?2),(?2,?1)" }
        return "\(insert) SELECT ?1,?2 WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(table) WHERE \(owner)=?2 AND \(destination)=?1)"
    }

    func deleteLink(_ join: JoinMapping) -> String {
        let table = SQLName.quotedIfNeeded(join.table)
        let owner = SQLName.quotedIfNeeded(join.ownerColumn)
        let destination = SQLName.quotedIfNeeded(join.destinationColumn)
        guard join.isReflexive else { return "DELETE FROM \(table) WHERE \(owner)=? AND \(destination)=?" }
        // The pair may have been written in either direction.
        return "DELETE FROM \(table) WHERE (\(owner)=?1 AND \(destination)=?2) OR (\(owner)=?2 AND \(destination)=?1)"
    }
}
