#if PostgreSQL
import Foundation
import OpenCoreData

/// What the tables of a schema are, for the locks and rows of statements that change them.
struct LockCatalog {
    /// About how many rows a table has.
    var rows: [String: Int64] = [:]
    /// The tables of indexes.
    var tablesOfIndexes: [String: String] = [:]
    /// The tables that foreign keys lead to, by `table.name`.
    var targets: [String: String] = [:]

    init(schema: String, _ connection: PostgreSQLConnection) throws {
        try add(schema, connection)
    }

    /// Adds what there is by now.
    mutating func add(_ schema: String, _ connection: PostgreSQLConnection) throws {
        try connection.execute(
            "SELECT t.relname::text, i.relname::text FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid "
                + "JOIN pg_class t ON t.oid = x.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace "
                + "WHERE n.nspname = $1::text", values: [.text(schema)]
        ).forEachRow { tablesOfIndexes[$0.string(1)] = $0.string(0) }
        try connection.execute(
            "SELECT r.relname::text, c.conname::text, t.relname::text FROM pg_constraint c "
                + "JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid "
                + "JOIN pg_namespace n ON n.oid = r.relnamespace WHERE c.contype = 'f' AND n.nspname = $1::text",
            values: [.text(schema)]
        ).forEachRow { targets["\($0.string(0)).\($0.string(1))"] = $0.string(2) }
    }

    /// Estimates the rows of tables as the server's planner does, and counts those that were never looked at.
    mutating func estimateRows(of schema: String, _ connection: PostgreSQLConnection) throws {
        var unknown: [String] = []
        try connection.execute(
            "SELECT c.relname::text, c.reltuples::int8 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relkind = 'r'", values: [.text(schema)]
        ).forEachRow { row in
            let count = try row.integer(1)
            if count < 0 { unknown.append(row.string(0)) } else { rows[row.string(0)] = count }
        }
        for table in unknown {
            let name = "\(SQLName.quoted(schema)).\(SQLName.quoted(table))"
            rows[table] = try connection.execute("SELECT count(*) FROM \(name)", isPrepared: false).first?.integer(0)
        }
    }
}

/// The locks that a statement of a migration takes on tables, and the rows that it writes, known by how it begins.
struct StatementEffect {
    private(set) var locks: [String] = []
    private(set) var rows: Int64 = 0
    private let catalog: LockCatalog
    /// The names that tables had in the beginning, by those they have now.
    private(set) var names: [String: String]

    /// - Parameters:
    ///   - names: The names that tables had in the beginning, by those they have before the statement.
    ///   - own: The schema's name in quotes.
    init(_ sql: String, _ catalog: LockCatalog, names: [String: String], own: String) {
        self.catalog = catalog
        self.names = names
        let tables = Self.names(in: sql, own)
        guard let first = tables.first else { return }
        func begins(_ words: String...) -> Bool { words.contains { sql.hasPrefix($0 + " ") } }
        if begins("ALTER TABLE") {
            alter(sql, tables)
        } else if begins("LOCK TABLE") {
            for table in tables { lock("ACCESS EXCLUSIVE", table) }
        } else if begins("CREATE INDEX", "CREATE UNIQUE INDEX", "DO") {
            lock(sql.contains("INDEX CONCURRENTLY ") ? "SHARE UPDATE EXCLUSIVE" : "SHARE", first)
        } else if begins("DROP INDEX") {
            lock("ACCESS EXCLUSIVE", catalog.tablesOfIndexes[first])
        } else if begins("DROP TABLE") {
            lock("ACCESS EXCLUSIVE", first)
            self.names[first] = nil
        } else if begins("CREATE TABLE", "CREATE UNLOGGED TABLE") {
            if sql.contains(" AS SELECT ") { rows = count(tables.dropFirst().first) }
        } else if begins("COMMENT ON") {
            lock("SHARE UPDATE EXCLUSIVE", first)
        } else if begins("CREATE TRIGGER") {
            lock("SHARE ROW EXCLUSIVE", first)
        } else if begins("DROP TRIGGER") {
            lock("ACCESS EXCLUSIVE", first)
        } else if begins("INSERT INTO") {
            lock("ROW EXCLUSIVE", first)
            rows = sql.contains("SELECT") ? count(tables.dropFirst().first) : 1
        } else if begins("UPDATE", "DELETE FROM", "WITH") {
            lock("ROW EXCLUSIVE", first)
            rows = count(first)
        }
    }

    private mutating func alter(_ sql: String, _ tables: [String]) {
        let table = tables[0]
        if sql.contains(" VALIDATE CONSTRAINT ") {
            lock("SHARE UPDATE EXCLUSIVE", table)
            lock("ROW SHARE", target(of: sql, table))
        } else if sql.contains(" ENABLE ALWAYS TRIGGER ") {
            lock("SHARE ROW EXCLUSIVE", table)
        } else if sql.contains(" ADD FOREIGN KEY ") {
            lock("SHARE ROW EXCLUSIVE", table)
            lock("SHARE ROW EXCLUSIVE", tables.last)
        } else {
            lock("ACCESS EXCLUSIVE", table)
            if sql.contains(" DROP CONSTRAINT ") { lock("ACCESS EXCLUSIVE", target(of: sql, table)) }
            // Columns of other types are written again.
            if sql.contains(" ALTER COLUMN "), sql.contains(" TYPE ") { rows = count(table) }
            if let mark = sql.range(of: " RENAME TO "), let new = Self.name(in: sql[mark.upperBound...]) {
                names[new] = names.removeValue(forKey: table)
            }
        }
    }

    private mutating func lock(_ mode: String, _ table: String?) {
        guard let table, let former = names[table] else { return }
        let text = "\(mode) ON \(former)"
        if !locks.contains(text) { locks.append(text) }
    }

    private func count(_ table: String?) -> Int64 { table.flatMap { names[$0] }.flatMap { catalog.rows[$0] } ?? 0 }

    /// The table that the foreign key leads to that a statement names last.
    private func target(of sql: String, _ table: String) -> String? {
        guard let mark = sql.range(of: " CONSTRAINT ", options: .backwards) else { return nil }
        var rest = sql[mark.upperBound...]
        if rest.hasPrefix("IF EXISTS ") { rest = rest.dropFirst(10) }
        guard let name = Self.name(in: rest) else { return nil }
        return catalog.targets["\(table).\(name)"]
    }

    // MARK: Names

    /// The names behind that of the schema, in their order.
    static func names(in sql: String, _ own: String) -> [String] {
        var names: [String] = []
        var rest = sql[...]
        while let mark = rest.range(of: own + ".") {
            rest = rest[mark.upperBound...]
            if let name = name(in: rest) { names.append(name) }
        }
        return names
    }

    /// The name at the beginning of a text, which may be in quotes.
    private static func name(in text: Substring) -> String? {
        guard text.first == "\"" else {
            let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return name.isEmpty ? nil : String(name)
        }
        var name = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == "\"" {
                guard rest.first == "\"" else { return name }
                rest.removeFirst()
            }
            name.append(character)
        }
        return nil
    }
}
#endif
