extension ExternalData {
    /// The names of all files that rows of a store hold.
    package static func namedFiles(of schema: SQLSchema, in connection: SQLiteConnection) throws -> Set<String> {
        var names: Set<String> = []
        for table in schema.tables {
            let columns = Set(
                schema.entities.filter { $0.table === table }
                    .flatMap { $0.attributes.filter(\.hasExternalStorage).map(\.column) })
            for column in columns {
                let rows = try connection.rows(
                    "SELECT \(column.sql) FROM \(table.sql) WHERE length(\(column.sql)) = 38")
                for case .blob(let data) in rows.map({ $0[0] }) {
                    if let name = fileName(in: data) { names.insert(name) }
                }
            }
        }
        return names
    }
}
