#if PostgreSQL
import OpenCoreData

/// What the server knows of the tables of a schema besides columns and indexes.
struct RuleCatalog {
    struct Column {
        var isMandatory: Bool
        /// As the server writes it; empty for none.
        var fallback: String
        var isIdentity: Bool
    }

    /// By table and column.
    private(set) var columns: [String: [String: Column]] = [:]
    /// Definitions of checks by table and name.
    private(set) var checks: [String: [String: String]] = [:]
    /// Names of foreign keys of one column, by table and column.
    private(set) var foreignKeys: [String: [String: String]] = [:]
    /// Names of primary keys by table.
    private(set) var keys: [String: String] = [:]
    /// Constraints that may not hold for all rows, as `table.name`.
    private(set) var unvalidated: Set<String> = []
    /// By what they are on, as SQL has it behind COMMENT ON.
    private(set) var comments: [String: String] = [:]

    /// - Parameter schema: The schema; nil for the tables of the connection that are temporary.
    init(_ connection: PostgreSQLConnection, schema: String?) throws {
        let namespace =
            schema.map { "(SELECT oid FROM pg_namespace WHERE nspname = \(SQLName.literal($0)))" }
            ?? "pg_my_temp_schema()"
        func qualified(_ table: String) -> String { "\(SQLName.quoted(schema ?? "")).\(SQLName.quoted(table))" }
        try connection.execute(
            "SELECT c.relname::text, a.attname::text, a.attnotnull, COALESCE(pg_get_expr(d.adbin, d.adrelid), ''), "
                + "a.attidentity <> '', col_description(c.oid, a.attnum), obj_description(c.oid, 'pg_class') "
                + "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
                + "LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum "
                + "WHERE c.relnamespace = \(namespace) AND c.relkind IN ('r', 'p')", isPrepared: false
        ).forEachRow { row in
            let (table, column) = (row.string(0), row.string(1))
            columns[table, default: [:]][column] = Column(
                isMandatory: try row.bool(2), fallback: row.string(3), isIdentity: try row.bool(4))
            if !row.isNull(5) { comments["COLUMN \(qualified(table)).\(SQLName.quoted(column))"] = row.string(5) }
            if !row.isNull(6) { comments["TABLE \(qualified(table))"] = row.string(6) }
        }
        try connection.execute(
            "SELECT c.relname::text, k.conname::text, k.contype::text, k.convalidated, pg_get_constraintdef(k.oid), "
                + "COALESCE((SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.oid "
                + "AND a.attnum = k.conkey[1] AND cardinality(k.conkey) = 1), ''), obj_description(k.oid, 'pg_constraint') "
                + "FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.relnamespace = \(namespace)",
            isPrepared: false
        ).forEachRow { row in
            let (table, name) = (row.string(0), row.string(1))
            switch row.string(2) {
            case "c":
                // The words for a check that isn't validated are no part of what it says.
                checks[table, default: [:]][name] = row.string(4).replacing(" NOT VALID", with: "")
            case "f": foreignKeys[table, default: [:]][row.string(5)] = name
            case "p": keys[table] = name
            default: break
            }
            if try !row.bool(3) { unvalidated.insert("\(table).\(name)") }
            if !row.isNull(6) {
                comments["CONSTRAINT \(SQLName.quoted(name)) ON \(qualified(table))"] = row.string(6)
            }
        }
    }
}
#endif
