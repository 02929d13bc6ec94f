#if PostgreSQL
import OpenCoreData

extension SchemaMigration {
    /// Takes away what rows may break while they change, or what the new model doesn't say any longer. What it says is added after
    /// the migration, by `SchemaCompletion`.
    func dropRules(of table: MigratedTable) throws {
        let changes = droppedRules(of: table)
        guard !changes.isEmpty else { return }
        try run("ALTER TABLE \(source.qualified(table.source.name)) \(changes.joined(separator: ", "))")
    }

    /// What of it there is to be taken away, as parts of a statement.
    func droppedRules(of table: MigratedTable) -> [String] {
        guard table.isInPlace, !isAdditive else { return [] }
        let isSame = table.source.name == table.destination.name
        var changes = table.source.checks
            .filter { !isSame || !table.destination.checks.contains($0) }
            .map { "DROP CONSTRAINT IF EXISTS \(SQLName.quoted($0.name))" }
        let kept = Set(table.columns.filter(\.column.isMandatory).compactMap(\.origin))
        for column in table.source.columns where column.isMandatory && !kept.contains(column.name) {
            changes.append("ALTER COLUMN \(SQLName.quoted(column.name)) DROP NOT NULL")
        }
        let kinds = Dictionary(table.source.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for column in table.columns {
            // A default of the old type need not fit the new one.
            guard let origin = column.origin, let old = kinds[origin], old.fallback != nil,
                old.fallback != column.column.fallback || old.type != column.column.type
            else { continue }
            changes.append("ALTER COLUMN \(SQLName.quoted(origin)) DROP DEFAULT")
        }
        return changes
    }

    /// Keys that the server gave to rows of other programs are not given again by a table that takes the place of another.
    func keepKeys(from old: String, to new: String) throws {
        func sequence(_ table: String) -> String {
            "pg_get_serial_sequence(\(SQLName.literal(source.qualified(table))), '\(PostgreSQLSchema.system.key)')"
        }
        try run(
            "SELECT setval(\(sequence(new))::regclass, k) FROM (SELECT pg_sequence_last_value(\(sequence(old))::regclass) "
                + "AS k) AS s WHERE k IS NOT NULL")
    }
}
#endif
