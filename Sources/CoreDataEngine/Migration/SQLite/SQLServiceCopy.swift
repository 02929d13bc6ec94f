import Foundation

/// Copies what belongs to the store and not to objects: highest keys, metadata, history, and tables of others.
struct SQLServiceCopy {
    let plan: SQLMigrationPlan

    func run() throws {
        try copyHighestKeys()
        try copyEntityNumbers()
        try copyHistory()
        try copyForeignTables()
    }

    // MARK: Keys

    /// A key that was given out once must not be given out again.
    private func copyHighestKeys() throws {
        for table in plan.destination.tables {
            let roots = Set(
                plan.pairs.filter { $0.destination.table === table }.map { $0.source.table.rootNumber })
            let stored = roots.map { "SELECT Z_MAX AS m FROM source.Z_PRIMARYKEY WHERE Z_ENT = \($0)" }
            let all = (stored + ["SELECT max(Z_PK) AS m FROM main.\(table.sql)", "SELECT 0 AS m"])
                .joined(separator: " UNION ALL ")
            try plan.run(
                "UPDATE main.Z_PRIMARYKEY SET Z_MAX = (SELECT max(m) FROM (\(all))) WHERE Z_ENT = \(table.rootNumber)")
        }
    }

    /// The numbers of the entities of history and of services that add entities of their own.
    private func copyEntityNumbers() throws {
        try plan.run(
            "INSERT OR IGNORE INTO main.Z_PRIMARYKEY SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM source.Z_PRIMARYKEY "
                + "WHERE Z_ENT >= 16000")
    }

    // MARK: History

    private static let historyTables = ["ATRANSACTIONSTRING", "ATRANSACTION", "ACHANGE"]

    private func copyHistory() throws {
        guard try hasTable("ACHANGE", in: "source") else { return }
        for table in ["ATRANSACTIONSTRING", "ATRANSACTION"] where try hasTable(table, in: "source") {
            let columns = try sharedColumns(of: table).joined(separator: ", ")
            try plan.run("INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM source.\(table)")
        }
        let tombstones = try columns(of: "ACHANGE", in: "source").filter { $0.hasPrefix("ZTOMBSTONE") }
        for tombstone in tombstones where try !columns(of: "ACHANGE", in: "main").contains(tombstone) {
            try plan.connection.execute(script: "ALTER TABLE main.ACHANGE ADD COLUMN \(tombstone) BLOB")
        }
        let columns = try sharedColumns(of: "ACHANGE").filter { $0 != "ZENTITY" }.joined(separator: ", ")
        // Changes of entities that are gone go with them.
        for pair in plan.pairs {
            try plan.run(
                "INSERT INTO main.ACHANGE (\(columns), ZENTITY) SELECT \(columns), \(pair.destination.number) "
                    + "FROM source.ACHANGE WHERE ZENTITY = \(pair.source.number)")
        }
    }

    // MARK: Tables of others

    /// Tables that neither belong to the model nor to the store, such as those of mirroring, come along as they are.
    private func copyForeignTables() throws {
        let rows = try plan.connection.rows(
            "SELECT name, sql FROM source.sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
                + "AND substr(name, 1, 1) != 'Z' AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid")
        for row in rows {
            guard case .text(let name) = row[0], case .text(let sql) = row[1], !Self.historyTables.contains(name),
                try !hasTable(name, in: "main")
            else { continue }
            // One statement each: what the file says of itself is not trusted to be one.
            try plan.run(sql)
            let quoted = SQLName.quoted(name)
            try plan.run("INSERT INTO main.\(quoted) SELECT * FROM source.\(quoted)")
            let indexes = try plan.connection.rows(
                "SELECT sql FROM source.sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
                [.text(name)])
            for case .text(let index) in indexes.map({ $0[0] }) { try plan.run(index) }
        }
    }

    private func hasTable(_ name: String, in database: String) throws -> Bool {
        try plan.connection.firstValue(
            "SELECT 1 FROM \(database).sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) != nil
    }

    private func sharedColumns(of table: String) throws -> [String] {
        let there = Set(try columns(of: table, in: "main"))
        return try columns(of: table, in: "source").filter { there.contains($0) }.map { SQLName.quotedIfNeeded($0) }
    }

    private func columns(of table: String, in database: String) throws -> [String] {
        try plan.connection.rows("SELECT name FROM pragma_table_info(?, ?)", [.text(table), .text(database)])
            .compactMap { if case .text(let name) = $0[0] { name } else { nil } }
    }
}
