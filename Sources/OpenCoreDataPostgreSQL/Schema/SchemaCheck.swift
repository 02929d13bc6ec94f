#if PostgreSQL
import Foundation
import OpenCoreData

/// Checks whether a schema has the tables and columns that the model needs, including tables of other programs.
struct SchemaCheck {
    let schema: PostgreSQLSchema
    let location: String

    init(_ schema: PostgreSQLSchema, location: String) {
        self.schema = schema
        self.location = location
    }

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names what is missing, or of another type.
    func run(_ connection: PostgreSQLConnection) throws {
        var found: [String: [String: PostgreSQLType]] = [:]
        let result = try connection.execute(
            "SELECT c.relname::text, a.attname::text, a.atttypid::int8 FROM pg_class c "
                + "JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid "
                + "WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p', 'v', 'f') AND a.attnum > 0 "
                + "AND NOT a.attisdropped", values: [.text(schema.name)])
        try result.forEachRow { row in
            let type = PostgreSQLType(rawValue: UInt32(truncatingIfNeeded: try row.integer(2)))
            found[row.string(0), default: [:]][row.string(1)] = type
        }
        var problems: [String] = []
        func check(_ table: String, _ columns: [PostgreSQLSchema.Column]) {
            guard let known = found[table] else { return problems.append("no table \(table)") }
            for column in columns {
                guard let type = known[column.name] else {
                    problems.append("no column \(column.name) in the table \(table)")
                    continue
                }
                if type != column.type {
                    problems.append(
                        "the type \(type.sqlName) in place of \(column.type.sqlName) for the column \(column.name) of the "
                            + "table \(table)")
                }
            }
        }
        let system = PostgreSQLSchema.system
        let header: [PostgreSQLSchema.Column] = [
            .init(name: system.key, type: .int8), .init(name: system.entity, type: .int2),
            .init(name: system.version, type: .int4),
        ]
        for table in schema.tables { check(table.name, header + table.columns) }
        for pair in schema.pairs { check(pair.name, [pair.first, pair.second] + pair.orders) }
        for own in PostgreSQLSchema.ownTables { check(own, []) }
        guard !problems.isEmpty else { return }
        let shown = problems.prefix(8).joined(separator: ", ")
        let more = problems.count > 8 ? " and \(problems.count - 8) more" : ""
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The store \(location) does not fit the model: it has \(shown)\(more).")
    }
}
#endif
