import Foundation

extension StoredLayout {
    /// Reads the tables of a database and its entity numbers.
    ///
    /// - Throws: `SQLiteError`.
    package init(readingFrom connection: SQLiteConnection) throws {
        var tables: [String: [String]] = [:]
        let rows = try connection.rows(
            """
            SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
            WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.rowid, c.cid
            """)
        for row in rows {
            guard case .text(let table) = row[0], case .text(let column) = row[1] else { continue }
            tables[table, default: []].append(column)
        }
        var numbers: [String: Int] = [:]
        if tables["Z_PRIMARYKEY"] != nil {
            for row in try connection.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
                guard case .integer(let number) = row[0], case .text(let name) = row[1] else { continue }
                // An entity may have the name of one of the history's, whose numbers are higher.
                if numbers[name] == nil { numbers[name] = Int(clamping: number) }
            }
        }
        self.init(tables: tables, entityNumbers: numbers, path: connection.path)
    }
}
