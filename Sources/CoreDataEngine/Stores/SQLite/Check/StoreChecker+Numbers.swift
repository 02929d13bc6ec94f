/// Numbers that no store gives out: they come from damage, and calculating with them goes wrong.
extension StoreChecker {
    /// So few keys are left in a table only when one of them is damaged.
    private static let fewKeys: Int64 = 1 << 32

    /// Each entity of the model has a number of its own that entities can have.
    ///
    /// - Returns: Whether that is so; without numbers, rows can't be distinguished, and nothing more can be checked.
    mutating func checkNumbersOfEntities(_ members: [NSEntityDescription]) throws -> Bool {
        let names = Set(members.compactMap(\.name))
        let range = SQLSchema.entityNumbers
        let largest = Int64(max(range.upperBound, members.count))
        var seen: Set<String> = []
        var isSound = true
        for row in try connection.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
            guard case .text(let name) = row[1], names.contains(name) else { continue }
            let number: Int64? = if case .integer(let number) = row[0] { number } else { nil }
            // The history has entities too, and an entity of the model may have the name of one.
            if seen.contains(name), let number, SQLSchema.historyEntities.contains(where: { $0.number == number }) {
                continue
            }
            if let number, number >= 1, number <= largest {
                guard !seen.insert(name).inserted else { continue }
                add(.entityNumber, table: "Z_PRIMARYKEY", row: number, "\(name) has a second number, \(number).")
            } else {
                if !seen.contains(name) { isSound = false }
                add(
                    .entityNumber, table: "Z_PRIMARYKEY", row: number,
                    "The number of \(name) is \(row[0].described); entities have numbers from \(range.lowerBound) to "
                        + "\(range.upperBound).")
            }
        }
        return isSound
    }

    /// Primary keys and versions of rows, and the keys that are left.
    mutating func checkNumbersOfRows(_ schema: SQLSchema) throws {
        for table in schema.tables {
            try addRows(
                .primaryKey, table: table.name, "SELECT Z_PK FROM \(table.sql) WHERE Z_PK < 1"
            ) { row in
                "Z_PK is \(row[0].described); primary keys are 1 and more."
            }
            try addRows(
                .version, table: table.name,
                """
                SELECT Z_PK, Z_OPT FROM \(table.sql) WHERE Z_OPT IS NOT NULL \
                AND (typeof(Z_OPT) <> 'integer' OR Z_OPT NOT BETWEEN 0 AND \(RowSlab.lastVersion - 1))
                """
            ) { row in
                "Z_OPT is \(row[1].described), which isn't a number of saves."
            }
            try checkRemainingKeys(in: table.name, sql: table.sql, number: Int64(table.rootNumber))
        }
    }

    /// New rows can get a primary key.
    private mutating func checkRemainingKeys(in table: String, sql: String, number: Int64) throws {
        if case .integer(let highest)? = try connection.firstValue("SELECT max(Z_PK) FROM \(sql)"),
            highest > Int64.max - Self.fewKeys
        {
            add(.primaryKey, table: table, row: highest, "No primary keys are left after \(highest).")
        }
        guard
            let given = try connection.firstValue("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(number)])
        else { return }
        switch given {
        case .integer(let given) where given > Int64.max - Self.fewKeys:
            add(
                .primaryKey, table: "Z_PRIMARYKEY", row: number,
                "Z_MAX is \(given), which leaves no primary keys for new rows of \(table).")
        case .integer(let given) where given >= 0: break
        default:
            add(
                .primaryKey, table: "Z_PRIMARYKEY", row: number,
                "Z_MAX is \(given.described), which isn't a number of rows.")
        }
    }

    // MARK: History

    /// The numbers of transactions and changes, and what they are about.
    mutating func checkHistory() throws {
        let names: [(number: Int, table: String)] = [
            (SQLSchema.HistoryNumber.change, "ACHANGE"), (SQLSchema.HistoryNumber.transaction, "ATRANSACTION"),
            (SQLSchema.HistoryNumber.transactionString, "ATRANSACTIONSTRING"),
        ]
        for (number, table) in names where try hasTable(table) {
            try addRows(.history, table: table, "SELECT Z_PK FROM \(table) WHERE Z_PK < 1") { row in
                "Z_PK is \(row[0].described); primary keys are 1 and more."
            }
            try checkRemainingKeys(in: table, sql: table, number: Int64(number))
        }
        guard try hasTable("ACHANGE"), try hasTable("ATRANSACTION") else { return }
        try addRows(
            .history, table: "ATRANSACTION",
            """
            SELECT Z_PK, ZTIMESTAMP FROM ATRANSACTION WHERE ZTIMESTAMP IS NULL \
            OR typeof(ZTIMESTAMP) NOT IN ('real', 'integer') OR ZTIMESTAMP NOT BETWEEN -1e12 AND 1e12
            """
        ) { row in
            "ZTIMESTAMP is \(row[1].described), which isn't a time."
        }
        try addRows(
            .history, table: "ACHANGE",
            """
            SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK FROM ACHANGE WHERE \
            (typeof(ZCHANGETYPE) = 'integer' AND ZCHANGETYPE BETWEEN 0 AND 2 \
            AND typeof(ZENTITY) = 'integer' AND ZENTITY BETWEEN 1 AND \(SQLSchema.entityNumbers.upperBound) \
            AND typeof(ZENTITYPK) = 'integer' AND ZENTITYPK >= 1) IS NOT TRUE
            """
        ) { row in
            "The change is of the type \(row[1].described), of entity \(row[2].described), row \(row[3].described)."
        }
        try addRows(
            .history, table: "ACHANGE",
            """
            SELECT Z_PK, ZTRANSACTIONID FROM ACHANGE WHERE NOT EXISTS \
            (SELECT 1 FROM ATRANSACTION AS t WHERE t.Z_PK = ZTRANSACTIONID)
            """
        ) { row in
            "The change belongs to transaction \(row[1].described), which doesn't exist."
        }
    }

    private func hasTable(_ name: String) throws -> Bool {
        try connection.firstValue("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) != nil
    }
}
