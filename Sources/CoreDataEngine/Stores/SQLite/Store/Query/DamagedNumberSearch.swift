/// Finds the number that ended a statement because it is damaged: which row has it is not what SQLite tells.
struct DamagedNumberSearch {
    let connection: SQLiteConnection
    let mapping: StoreMapping
    let path: String?

    /// The first damaged number in a column that a statement names.
    func first(in sql: String) throws -> DamagedValue? {
        for case let entity? in mapping.entities where sql.contains(entity.table) {
            for case let slot? in entity.layout.slots {
                guard let column = entity.column(slot) else { continue }
                let columns = slot.kind == .composite ? Array(zip(slot.leaves, column.leaves)) : [(slot, column.name)]
                for (slot, name) in columns where sql.contains(name) {
                    if let found = try first(slot, name, entity) { return found }
                }
            }
        }
        return nil
    }

    private func first(_ slot: SlotLayout, _ column: String, _ entity: EntityMapping) throws -> DamagedValue? {
        guard let condition = Self.condition(slot.kind, SQLName.quotedIfNeeded(column)) else { return nil }
        let (name, table) = (SQLName.quotedIfNeeded(column), SQLName.quotedIfNeeded(entity.table))
        for row in try connection.rows("SELECT Z_PK, Z_ENT, \(name) FROM \(table) WHERE \(condition)") {
            guard PropertyValue.sound(row[2], kind: slot.kind) == nil, let key = row[0].integer else { continue }
            let concrete = row[1].integer.flatMap { mapping.entity(number: $0) } ?? entity
            return DamagedValue(
                of: slot, row[2], entity: concrete.layout.name, reference: key, table: entity.table, column: column,
                path: path)
        }
        return nil
    }

    /// The condition for values that a kind may not allow, or nil for kinds that aren't numbers.
    private static func condition(_ kind: SlotKind, _ name: String) -> String? {
        switch kind {
        case .integer16, .integer32:
            kind.integerRange.map {
                "typeof(\(name)) NOT IN ('integer', 'null') OR \(name) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)"
            }
        case .integer64, .boolean: "typeof(\(name)) NOT IN ('integer', 'null')"
        case .double, .float, .date, .decimal: "typeof(\(name)) IN ('text', 'blob') OR abs(\(name)) > 1e300"
        default: nil
        }
    }
}
