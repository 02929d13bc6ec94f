/// The statements that make a new store, in the text and order of Apple's framework.
extension SQLSchema {
    /// Tables, join tables, indexes, triggers and service tables.
    ///
    /// History tables are apart (`historyStatements`).
    package var createStatements: [String] {
        tableStatements + indexStatements + DerivedAttributeTriggers(self).statements
            + SpatialIndexes(self).statements + Self.serviceTableStatements
    }

    /// Each entity table, and after it the join tables that are named after its entities.
    package var tableStatements: [String] {
        tables.flatMap { table in
            [Self.createStatement(for: table)] + joinTables(of: table).map(Self.createStatement(for:))
        }
    }

    /// The tables for entity numbers and highest primary keys, metadata, and the model.
    package static let serviceTableStatements = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]

    func joinTables(of table: SQLTable) -> [SQLJoinTable] {
        joinTables.filter { table.entityNumbers.contains($0.namingNumber) }
    }

    package static func createStatement(for table: SQLTable) -> String {
        let columns = table.columns.map { column in
            "\(column.sql) \(column.kind.rawValue)" + (column == .primaryKey ? " PRIMARY KEY" : "")
        }
        return "CREATE TABLE \(table.sql) ( \(columns.joined(separator: ", ")) )"
    }

    package static func createStatement(for table: SQLJoinTable) -> String {
        let columns = ([table.first, table.second] + table.orderColumns).map { "\($0.sql) INTEGER" }
        return "CREATE TABLE \(table.sql) ( \(columns.joined(separator: ", ")), "
            + "PRIMARY KEY (\(table.first.sql), \(table.second.sql)) )"
    }
}
