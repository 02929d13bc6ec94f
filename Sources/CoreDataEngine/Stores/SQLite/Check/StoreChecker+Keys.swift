/// Primary keys and entity numbers.
extension StoreChecker {
    /// Each entity has its row in `Z_PRIMARYKEY`, and the highest key given out is not below one in use.
    mutating func checkPrimaryKeys(_ schema: SQLSchema) throws {
        var rows: [Int64: [SQLValue]] = [:]
        for row in try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") {
            if case .integer(let number) = row[0] { rows[number] = row }
        }
        for entity in schema.entities {
            guard let row = rows[Int64(entity.number)] else {
                add(.primaryKey, table: "Z_PRIMARYKEY", "There is no row for entity \(entity.number), \(entity.name).")
                continue
            }
            // After a migration of Apple's, a renamed entity has its former name there.
            if row[1] != .text(entity.name), row[1] != .text(entity.entity.renamingIdentifier ?? "") {
                add(
                    .entityNumber, level: .notice, table: "Z_PRIMARYKEY", row: Int64(entity.number),
                    "Z_NAME is \(row[1].described), where the model has \(entity.name).")
            }
            if row[2] != .integer(Int64(entity.superNumber)) {
                add(
                    .primaryKey, table: "Z_PRIMARYKEY", row: Int64(entity.number),
                    "Z_SUPER of \(entity.name) is \(row[2].described); its parent has the number \(entity.superNumber)."
                )
            }
        }
        for table in schema.tables {
            let number = Int64(table.rootNumber)
            guard let row = rows[number],
                case .integer(let highest)? = try connection.firstValue("SELECT max(Z_PK) FROM \(table.sql)")
            else { continue }
            let given: Int64 = if case .integer(let given) = row[3] { given } else { 0 }
            if given < highest {
                add(
                    .primaryKey, table: "Z_PRIMARYKEY", row: number,
                    "Z_MAX is \(row[3].described), but \(table.name) has a row \(highest): new rows would collide.")
            }
        }
        let known = Set(schema.entities.map { Int64($0.number) } + SQLSchema.historyEntities.map { Int64($0.number) })
        for number in rows.keys.sorted() where !known.contains(number) {
            let name = rows[number].map { $0[1].described } ?? ""
            add(
                .entityNumber, level: .notice, table: "Z_PRIMARYKEY", row: number,
                "The model has no entity \(number), \(name).")
        }
    }

    /// Each row is of an entity that belongs to its table and may have objects.
    mutating func checkEntityNumbers(_ schema: SQLSchema) throws {
        for table in schema.tables {
            let concrete = table.entityNumbers.filter { schema.entity(number: $0)?.entity.isAbstract == false }
            let numbers = concrete.map(String.init).joined(separator: ", ")
            try addRows(
                .entityNumber, table: table.name,
                "SELECT Z_PK, Z_ENT FROM \(table.sql) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))"
            ) { row in
                "Z_ENT is \(row[1].described), which isn't the number of an entity in this table."
            }
        }
    }
}
