#if PostgreSQL
import Foundation
import OpenCoreData

/// Looks for checks of limits that the model of a program doesn't have any longer.
///
/// Limits don't belong to a version of a model: programs with others can open the same store. So that each can save what its
/// model allows, a check on which they don't agree is taken away. The next migration adds that of its model.
struct OutdatedLimits {
    private let schema: PostgreSQLSchema
    private let connection: PostgreSQLConnection
    private let location: String

    init(_ schema: PostgreSQLSchema, _ connection: PostgreSQLConnection, location: String) {
        self.schema = schema
        self.connection = connection
        self.location = location
    }

    /// A user who may not change the tables keeps the checks: what breaks one is an error of the save.
    func remove() {
        do {
            var outdated: [(table: String, name: String, comment: String)] = []
            // Also for a program that makes no constraints.
            let rules = TableRules(schema: schema.name, mapping: schema.mapping, hasRules: true)
            let bare = schema.tables.map { PostgreSQLSchema.Table(name: $0.name, columns: $0.columns) }
            let expected = Dictionary(
                bare.map(rules.added).flatMap { table in
                    table.checks.map { ("\(table.name).\($0.name)", $0.comment) }
                }, uniquingKeysWith: { first, _ in first })
            let columns = Set(
                schema.tables.flatMap { table in
                    table.columns.map { "\(table.name).\(PostgreSQLName.fitting("\(table.name)_\($0.name)_check"))" }
                })
            try connection.execute(
                "SELECT c.relname::text, k.conname::text, d.description FROM pg_constraint k "
                    + "JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
                    + "JOIN pg_description d ON d.objoid = k.oid AND d.classoid = 'pg_constraint'::regclass "
                    + "WHERE n.nspname = $1::text AND k.contype = 'c'", values: [.text(schema.name)]
            ).forEachRow { row in
                let key = "\(row.string(0)).\(row.string(1))"
                guard columns.contains(key), expected[key] != row.string(2) else { return }
                outdated.append((row.string(0), row.string(1), row.string(2)))
            }
            for check in outdated {
                try connection.transaction {
                    try connection.execute("SET LOCAL lock_timeout = '2s'", isPrepared: false)
                    try connection.execute(
                        "ALTER TABLE \(schema.qualified(check.table)) DROP CONSTRAINT IF EXISTS "
                            + SQLName.quoted(check.name), isPrepared: false)
                }
                DiagnosticLog.warn(
                    "OpenCoreData.PostgreSQL",
                    "The check \(check.name) of the store \(location) was removed, as the model has other limits: "
                        + "\(check.comment).")
            }
        } catch {
            DiagnosticLog.warn(
                "OpenCoreData.PostgreSQL",
                "Checks of other limits than the model's could not be removed from the store \(location): \(error)")
        }
    }
}
#endif
