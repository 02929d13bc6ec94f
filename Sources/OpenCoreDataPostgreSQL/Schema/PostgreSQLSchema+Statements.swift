#if PostgreSQL
import OpenCoreData

extension PostgreSQLSchema {
    /// The tables that are about the store itself.
    static let ownTables = [
        "ocd_store", "ocd_model", "ocd_entity", "ocd_key", "ocd_transaction", "ocd_change",
    ]

    /// The number of this layout; a store of a higher one is not touched.
    static let layoutVersion: Int64 = 1

    func qualified(_ table: String) -> String { "\(SQLName.quoted(name)).\(SQLName.quoted(table))" }

    /// What makes the tables about the store itself, and its functions.
    static func storeStatements(_ schema: String) -> [String] {
        func own(_ name: String) -> String { "\(SQLName.quoted(schema)).\(name)" }
        return [
            """
            CREATE TABLE \(own("ocd_store")) (
                id smallint PRIMARY KEY CHECK (id = 1), uuid text NOT NULL, plist bytea NOT NULL,
                layout int8 NOT NULL, number_base int8 NOT NULL DEFAULT 0)
            """,
            "CREATE TABLE \(own("ocd_model")) (checksum text PRIMARY KEY, archive bytea, state text NOT NULL)",
            "CREATE TABLE \(own("ocd_entity")) (number smallint PRIMARY KEY, name text NOT NULL UNIQUE)",
            "CREATE TABLE \(own("ocd_key")) (number smallint PRIMARY KEY, z_max int8 NOT NULL)",
            """
            CREATE TABLE \(own("ocd_transaction")) (
                number int8 PRIMARY KEY, at timestamptz NOT NULL, author text, bundle text, context text,
                process text, token uuid NOT NULL)
            """,
            """
            CREATE TABLE \(own("ocd_change")) (
                number int8 NOT NULL, ordinal int8 NOT NULL, type smallint NOT NULL, entity smallint NOT NULL,
                reference int8 NOT NULL, columns text, tombstone text, PRIMARY KEY (number, ordinal))
            """,
        ] + HistoryIndexes.statements(schema) + PostgreSQLFunctions.statements(schema)
    }

    /// What makes the tables of the model.
    var createStatements: [String] {
        tables.map { createStatement($0, named: $0.name) } + pairs.map(createStatement)
            + tables.flatMap { table in
                table.indexes.map { indexStatement($0, of: table.name) }
                    + table.foreignKeys.map { foreignKeyStatement($0, of: table.name) }
            }
            + pairs.map(reverseIndexStatement)
    }

    func createStatement(_ table: Table, named name: String) -> String {
        let system = Self.system
        let header = [
            "\(SQLName.quoted(system.key)) int8 PRIMARY KEY", "\(SQLName.quoted(system.entity)) int2 NOT NULL",
            "\(SQLName.quoted(system.version)) int4 NOT NULL",
        ]
        let columns = table.columns.map(definition)
        let storage = table.columns.filter(\.isExternal).map {
            "; ALTER TABLE \(qualified(name)) ALTER COLUMN \(SQLName.quoted($0.name)) SET STORAGE EXTERNAL"
        }
        return "CREATE TABLE \(qualified(name)) (\((header + columns).joined(separator: ", ")))"
            + storage.joined()
    }

    /// The index of a table of pairs that finds the owners of a destination.
    func reverseIndexStatement(_ pair: Pairs) -> String {
        "CREATE INDEX ON \(qualified(pair.name)) "
            + "(\(SQLName.quoted(pair.second.name)), \(SQLName.quoted(pair.first.name)))"
    }

    func createStatement(_ pair: Pairs) -> String {
        let columns = [pair.first, pair.second].map { "\(SQLName.quoted($0.name)) int8 NOT NULL" }
        let key = [pair.first, pair.second].map { SQLName.quoted($0.name) }.joined(separator: ", ")
        return "CREATE TABLE \(qualified(pair.name)) "
            + "(\((columns + pair.orders.map(definition)).joined(separator: ", ")), PRIMARY KEY (\(key)))"
    }

    func definition(_ column: Column) -> String {
        let collation = column.type == .text ? " COLLATE \"C\"" : ""
        return "\(SQLName.quoted(column.name)) \(column.type.sqlName)\(collation)"
    }

    func indexStatement(_ index: Index, of table: String) -> String {
        "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLName.quoted(index.name)) ON \(qualified(table)) "
            + "(\(index.columns))" + (index.condition.map { " WHERE \($0)" } ?? "")
    }

    func foreignKeyStatement(_ key: ForeignKey, of table: String) -> String {
        "ALTER TABLE \(qualified(table)) ADD FOREIGN KEY (\(SQLName.quoted(key.column))) REFERENCES "
            + "\(qualified(key.table)) (\(SQLName.quoted(key.key))) DEFERRABLE INITIALLY DEFERRED"
    }
}
#endif
