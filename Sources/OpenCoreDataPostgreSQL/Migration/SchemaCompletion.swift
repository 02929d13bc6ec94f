#if PostgreSQL
import Foundation
import OpenCoreData

/// Gives the tables of a migrated store what those of a new one have besides columns and indexes: keys and defaults for rows of
/// other programs, constraints, and comments.
///
/// It runs after the migration, in short transactions of its own. Constraints are added without looking at the rows there are, and
/// validated while programs save. One that rows don't fulfill is left out, and logged: the migration has succeeded without.
struct SchemaCompletion {
    private let schema: PostgreSQLSchema
    private let connection: PostgreSQLConnection
    private let location: String
    private let transactions: BriefTransactions

    init(_ schema: PostgreSQLSchema, _ transactions: BriefTransactions, location: String) {
        self.schema = schema
        self.transactions = transactions
        self.location = location
        connection = transactions.connection
    }

    func run() {
        do {
            try complete()
        } catch {
            DiagnosticLog.warn(
                "OpenCoreData.PostgreSQL",
                "The store \(location) was migrated, but not all constraints and comments were added: \(error)")
        }
    }

    /// - Throws: `PostgreSQLError`.
    func complete() throws {
        try briefly(PostgreSQLFunctions.statements(schema.name))
        let expected = try catalogOfModel()
        let present = try RuleCatalog(connection, schema: schema.name)
        for table in schema.tables {
            try complete(table, present, expected)
        }
        for pair in schema.pairs {
            try addForeignKeys(pair.foreignKeys, to: pair.name, present)
            try comment(schema.comments(of: pair), present)
        }
        for table in schema.tables { try addForeignKeys(table.foreignKeys, to: table.name, present) }
    }

    /// What the server makes of the model's rules, read from tables that are gone afterwards.
    private func catalogOfModel() throws -> RuleCatalog {
        let isSimulated = transactions.isSimulated
        try connection.execute(
            isSimulated ? "SAVEPOINT ocd_rules" : PostgreSQLStatement.beginReadCommitted.sql, isPrepared: false)
        defer {
            if isSimulated {
                _ = try? connection.execute("ROLLBACK TO SAVEPOINT ocd_rules", isPrepared: false)
            } else {
                connection.rollback()
            }
        }
        for table in schema.tables {
            try connection.execute(
                "CREATE TEMPORARY TABLE \(SQLName.quoted(table.name)) "
                    + "(\(schema.elements(of: table).joined(separator: ", ")))", isPrepared: false)
        }
        return try RuleCatalog(connection, schema: nil)
    }

    // MARK: Tables

    private func complete(
        _ table: PostgreSQLSchema.Table, _ present: RuleCatalog, _ expected: RuleCatalog
    ) throws {
        let name = schema.qualified(table.name)
        let columns = present.columns[table.name] ?? [:]
        var changes: [String] = []
        var unvalidated: [String] = []
        let key = PostgreSQLSchema.system.key
        if columns[key]?.isIdentity == false {
            changes.append("ALTER COLUMN \(SQLName.quoted(key)) ADD \(PostgreSQLSchema.identity)")
        }
        var required: [String] = []
        for (column, wanted) in (expected.columns[table.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let found = columns[column], column != key else { continue }
            let quoted = SQLName.quoted(column)
            if found.fallback != wanted.fallback {
                changes.append(
                    "ALTER COLUMN \(quoted) "
                        + (wanted.fallback.isEmpty ? "DROP DEFAULT" : "SET DEFAULT \(wanted.fallback)"))
            }
            if wanted.isMandatory, !found.isMandatory { required.append(column) }
        }
        let checks = present.checks[table.name] ?? [:]
        for check in table.checks {
            let quoted = SQLName.quoted(check.name)
            let isSame = checks[check.name] == expected.checks[table.name]?[check.name]
            if isSame, !present.unvalidated.contains("\(table.name).\(check.name)") { continue }
            if !isSame {
                if checks[check.name] != nil { changes.append("DROP CONSTRAINT \(quoted)") }
                changes.append("ADD CONSTRAINT \(quoted) CHECK (\(check.condition)) NOT VALID")
            }
            unvalidated.append(check.name)
        }
        let presences = required.map { column in
            (column: column, name: Self.presence(of: column, in: table.name))
        }
        for presence in presences where checks[presence.name] == nil {
            changes.append(
                "ADD CONSTRAINT \(SQLName.quoted(presence.name)) CHECK (\(SQLName.quoted(presence.column)) IS NOT NULL) "
                    + "NOT VALID")
        }
        if !changes.isEmpty { try briefly(["ALTER TABLE \(name) \(changes.joined(separator: ", "))"]) }
        try renameKey(of: table.name, present)
        for check in unvalidated { try validate(check, of: table.name) }
        for presence in presences where try validate(presence.name, of: table.name) {
            // The server doesn't look at the rows again, as the check says that all have a value.
            try briefly([
                "ALTER TABLE \(name) ALTER COLUMN \(SQLName.quoted(presence.column)) SET NOT NULL",
                "ALTER TABLE \(name) DROP CONSTRAINT \(SQLName.quoted(presence.name))",
            ])
        }
        let now = try RuleCatalog(connection, schema: schema.name)
        try comment(
            schema.comments(of: table).filter { comment in
                // Of checks that were left out there is nothing to say.
                table.checks.allSatisfy { check in
                    comment.text != check.comment || !comment.object.hasPrefix("CONSTRAINT")
                        || now.checks[table.name]?[check.name] != nil
                }
            }, now)
    }

    /// The name of a check that is there while a column becomes mandatory.
    static func presence(of column: String, in table: String) -> String {
        PostgreSQLName.fitting("\(table)_\(column)_present")
    }

    /// The index of the primary key is named after the table, which may have been renamed.
    private func renameKey(of table: String, _ present: RuleCatalog) throws {
        let name = PostgreSQLName.fitting(table + "_pkey")
        guard let found = present.keys[table], found != name, !present.keys.values.contains(name) else { return }
        try briefly([
            "ALTER TABLE \(schema.qualified(table)) RENAME CONSTRAINT \(SQLName.quoted(found)) TO \(SQLName.quoted(name))"
        ])
    }

    private func addForeignKeys(
        _ keys: [PostgreSQLSchema.ForeignKey], to table: String, _ present: RuleCatalog
    ) throws {
        for key in keys {
            var name = present.foreignKeys[table]?[key.column]
            if name == nil {
                try briefly([schema.foreignKeyStatement(key, of: table) + " NOT VALID"])
                name = try RuleCatalog(connection, schema: schema.name).foreignKeys[table]?[key.column]
            } else if !present.unvalidated.contains("\(table).\(name ?? "")") {
                continue
            }
            if let name { try validate(name, of: table) }
        }
    }

    private func comment(_ comments: [PostgreSQLSchema.Comment], _ present: RuleCatalog) throws {
        for comment in comments where present.comments[comment.object] != comment.text {
            try briefly([comment.statement])
        }
    }

    // MARK: Statements

    /// Looks whether all rows fulfill a constraint, and removes it if they don't.
    @discardableResult
    private func validate(_ constraint: String, of table: String) throws -> Bool {
        let (table, constraint) = (schema.qualified(table), SQLName.quoted(constraint))
        do {
            try briefly(["ALTER TABLE \(table) VALIDATE CONSTRAINT \(constraint)"])
            return true
        } catch let error as PostgreSQLError where ["23514", "23503"].contains(error.sqlState) {
            DiagnosticLog.warn(
                "OpenCoreData.PostgreSQL",
                "The migrated store \(location) has rows that break a rule of the model; the table is used without the "
                    + "constraint: \(error.message)")
            try briefly(["ALTER TABLE \(table) DROP CONSTRAINT IF EXISTS \(constraint)"])
            return false
        }
    }

    private func briefly(_ statements: [String]) throws { try transactions.run(statements) }
}
#endif
