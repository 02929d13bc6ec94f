import Foundation

extension ExternalData {
    /// The names of all files that rows of a store hold.
    package static func namedFiles(of schema: SQLSchema, in connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        for table in schema.tables {
            let columns = Set(
                schema.entities.filter { $0.table === table }
                    .flatMap { $0.attributes.filter(\.hasExternalStorage).map(\.column) })
            try addNames(in: columns.map(\.sql), of: table.sql, connection, to: &names)
        }
        return names
    }

    /// The names of all files that rows of a store hold, for one whose model is not at hand: what looks like a name, in any
    /// column for data of a table with objects.
    package static func namedFiles(in connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        for case .text(let table) in try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'"
        ).map({ $0[0] }) {
            let columns = try connection.rows("SELECT name, type FROM pragma_table_info(?)", [.text(table)])
            guard columns.contains(where: { $0[0] == .text("Z_ENT") }) else { continue }
            let blobs = columns.compactMap { column -> String? in
                guard case .text(let name) = column[0], case .text(let type) = column[1],
                    type.isEmpty || type.uppercased().contains("BLOB")
                else { return nil }
                return SQLName.quotedIfNeeded(name)
            }
            try addNames(in: blobs, of: SQLName.quotedIfNeeded(table), connection, to: &names)
        }
        return names
    }

    private static func addNames(
        in columns: [String], of table: String, _ connection: SQLiteConnection, to names: inout Set<String>
    ) throws {
        guard !columns.isEmpty else { return }
        let isName = columns.map { "length(\($0)) = 38" }.joined(separator: " OR ")
        try connection.withStatement("SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(isName)") {
            statement in
            while try statement.step() {
                for index in columns.indices {
                    if case .blob(let data) = statement.value(at: Int32(index)), let name = fileName(in: data) {
                        names.insert(name)
                    }
                }
            }
        }
    }
}
