#if PostgreSQL
import OpenCoreData

@testable import OpenCoreDataPostgreSQL

/// What a server says of the tables of a schema besides the types of columns.
enum ServerRules {
    /// Columns with their defaults and comments, and constraints, as lines in which the schema isn't named.
    ///
    /// - Parameter hasNumbers: Whether the numbers of entities are in the lines. Those of a migrated store are others.
    static func lines(of schema: String, hasNumbers: Bool = true) throws -> [String] {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.runScript("SET search_path = \(SQLName.quoted(schema))")
        var lines: [String] = []
        try connection.execute(
            """
            SELECT concat_ws(' ', c.relname, a.attname, CASE WHEN a.attnotnull THEN 'NOT NULL' END,
                pg_get_expr(d.adbin, d.adrelid), CASE WHEN a.attidentity <> '' THEN 'identity' END,
                '-- ' || col_description(c.oid, a.attnum), '-- ' || obj_description(c.oid, 'pg_class'))
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE 'ocd%'
            UNION ALL
            SELECT concat_ws(' ', c.relname, k.conname, pg_get_constraintdef(k.oid),
                '-- ' || obj_description(k.oid, 'pg_constraint'))
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relname NOT LIKE 'ocd%' AND k.contype IN ('c', 'p')
            UNION ALL
            SELECT concat_ws(' ', c.relname, pg_get_constraintdef(k.oid))
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relname NOT LIKE 'ocd%' AND k.contype = 'f'
            ORDER BY 1
            """
        ).forEachRow {
            lines.append($0.string(0).replacing(schema + ".", with: "").replacing("\"\(schema)\".", with: ""))
        }
        guard hasNumbers else {
            return lines.map { $0.contains("z_ent") ? $0.replacing(/[0-9]+/, with: "#") : $0 }.sorted()
        }
        return lines
    }
}
#endif
