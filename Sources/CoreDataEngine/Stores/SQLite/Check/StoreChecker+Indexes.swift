/// Indexes that the model asks for.
extension StoreChecker {
    fileprivate struct Index: Hashable {
        var name: String
        var columns: [String]
        var isUnique: Bool
    }

    /// Each index that a new store would have is there, by its columns: names differ between framework versions.
    mutating func checkIndexes(_ schema: SQLSchema) throws {
        let fresh = try SQLiteConnection(inMemory: .init(access: .readWriteCreate))
        defer { fresh.close() }
        for statement in schema.tableStatements { try fresh.execute(script: statement) }
        for table in schema.tables {
            for statement in schema.indexStatements(of: table) { try fresh.execute(script: statement) }
        }
        for table in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
            let present = try Self.indexes(of: table, in: connection)
            for index in try Self.indexes(of: table, in: fresh)
            where !index.name.hasPrefix("sqlite_autoindex_") && !index.isMatched(byAnyOf: present) {
                let kind = index.isUnique ? "unique index" : "index"
                add(
                    .index, level: index.isUnique ? .damage : .notice, table: table,
                    "There is no \(kind) on \(index.columns.joined(separator: ", ")) (\(index.name)).")
            }
        }
    }

    private static func indexes(of table: String, in connection: SQLiteConnection) throws -> [Index] {
        try connection.rows("SELECT name, \"unique\" FROM pragma_index_list(?)", [.text(table)]).compactMap { row in
            guard case .text(let name) = row[0] else { return nil }
            let columns = try connection.rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [.text(name)])
            return Index(
                name: name, columns: columns.map { if case .text(let column) = $0[0] { column } else { "" } },
                isUnique: row[1] == .integer(1))
        }
    }
}

extension StoreChecker.Index {
    /// Whether one of `others` serves the same look-ups.
    fileprivate func isMatched(byAnyOf others: [Self]) -> Bool {
        others.contains { other in
            isUnique
                ? other.isUnique && other.columns == columns
                : other.columns.starts(with: columns) || other.columns == [columns.first]
        }
    }
}
