#if PostgreSQL
import Foundation
import OpenCoreData

/// Finds out what a migration runs: it is done to empty copies of the tables, in a transaction that is rolled back. The tables
/// themselves are only read.
struct MigrationSimulation {
    private let migration: LocatedMigration

    init(_ migration: LocatedMigration) {
        self.migration = migration
    }

    /// The statements as they come.
    private final class Recorder {
        var phase = RemoteMigrationStatement.Phase.preparing
        private(set) var statements: [(phase: RemoteMigrationStatement.Phase, sql: String, note: String?)] = []

        func add(_ sql: String, note: String? = nil) { statements.append((phase, sql, note)) }

        /// Takes in what is no question to the server.
        func record(_ sql: String) {
            let others = [
                "SELECT ", "SET ", "SAVEPOINT", "ROLLBACK", "RELEASE", "BEGIN", "COMMIT", "CREATE TEMPORARY TABLE",
            ]
            guard !others.contains(where: sql.hasPrefix) || sql.hasPrefix("SELECT setval") else { return }
            let function = "CREATE OR REPLACE FUNCTION "
            guard sql.hasPrefix(function), phase == .completing else { return add(sql) }
            let name = sql.dropFirst(function.count).prefix { $0 != ")" }
            add("\(function)\(name)) …", note: "a function of every store")
        }
    }

    func run() throws -> [RemoteMigrationStatement] {
        var options = migration.location.options
        options.statementTimeout = nil
        let connection = try PostgreSQLConnection(migration.location.address, options: options)
        defer { connection.close() }
        try connection.pipeline([.beginReadCommitted])
        defer { connection.rollback() }
        guard let real = try migration.plan(connection) else { return [] }
        let large = try MigrationPreparing.largeTables(of: migration.schemaName, connection)
        let exchangeable = try real.migration.exchangeableTables(among: large)
        var trial = migration
        trial.schemaName = "ocd_trial_\(UUID().uuidString.prefix(8).lowercased())"
        try copyTables(real.migration.source, to: trial.schemaName, connection)
        var catalog = try LockCatalog(schema: trial.schemaName, connection)
        try catalog.estimateRows(of: migration.schemaName, connection)
        let recorder = Recorder()
        try run(trial, large, exchangeable, connection, recorder)
        connection.observer = nil
        try catalog.add(trial.schemaName, connection)
        var names = Dictionary(catalog.rows.keys.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
        return recorder.statements.map { statement in
            let effect = StatementEffect(statement.sql, catalog, names: names, own: trial.own)
            names = effect.names
            return RemoteMigrationStatement(
                phase: statement.phase, sql: statement.sql.replacing(trial.own, with: migration.own),
                locks: effect.locks, rows: effect.rows, note: statement.note)
        }
    }

    private func run(
        _ trial: LocatedMigration, _ large: Set<String>, _ exchangeable: Set<String>,
        _ connection: PostgreSQLConnection, _ recorder: Recorder
    ) throws {
        guard var planned = try trial.plan(connection) else { return }
        connection.observer = { statements in for statement in statements { recorder.record(statement.sql) } }
        let preparations =
            migration.location.options.pooling == .session
            ? planned.migration.preparations(of: large, exchangeable: exchangeable) : []
        for preparation in preparations {
            for statement in preparation.statements { try connection.execute(statement, isPrepared: false) }
            if let filling = preparation.filling {
                recorder.add(
                    filling, note: "again for the next \(TablePreparation.rowsAtATime) rows, until there are no more")
            }
            for index in preparation.indexes {
                recorder.add(index.statement)
                let observer = connection.observer
                connection.observer = nil
                try connection.execute(index.statement.replacing(" CONCURRENTLY", with: ""), isPrepared: false)
                connection.observer = observer
            }
        }
        recorder.phase = .migrating
        try planned.migration.use(preparations, indexes: trial.preparedIndexes(connection))
        let locked = try planned.migration.lockedTables().map(planned.migration.source.qualified)
        if !locked.isEmpty {
            try connection.execute(
                "LOCK TABLE \(locked.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE", isPrepared: false)
        }
        try trial.change(planned, connection)
        recorder.phase = .completing
        try SchemaCompletion(
            planned.migration.destination,
            BriefTransactions(connection: connection, patience: .zero, isSimulated: true),
            location: migration.displayName
        ).complete()
    }

    // MARK: Copies

    /// Makes a schema with the same tables, indexes and constraints, and without rows of objects.
    private func copyTables(
        _ source: PostgreSQLSchema, to name: String, _ connection: PostgreSQLConnection
    ) throws {
        let (own, trial) = (migration.own, SQLName.quoted(name))
        do {
            try connection.runScript("CREATE SCHEMA \(trial)")
        } catch let error as PostgreSQLError where error.kind == .insufficientPrivilege {
            throw CoreDataError.make(
                NSMigrationError,
                "The statements are determined with empty copies of the tables in a temporary schema, but the user isn't allowed "
                    + "to create a schema in the database of \(migration.displayName).", underlying: error)
        }
        try connection.runScript(PostgreSQLFunctions.statements(name).joined(separator: ";\n"))
        let tables = source.tables.map(\.name) + source.pairs.map(\.name)
        for table in tables + PostgreSQLSchema.ownTables {
            let quoted = SQLName.quoted(table)
            try connection.runScript(
                "CREATE TABLE \(trial).\(quoted) (LIKE \(own).\(quoted) INCLUDING DEFAULTS INCLUDING IDENTITY "
                    + "INCLUDING STORAGE INCLUDING COMMENTS)")
        }
        for table in ["ocd_store", "ocd_model", "ocd_entity", "ocd_key"] {
            try connection.runScript("INSERT INTO \(trial).\(table) SELECT * FROM \(own).\(table)")
        }
        // The server writes names as they are in SQL, in quotes only if they need them, and leaves out schemas of the search path.
        let path = try connection.execute("SELECT current_setting('search_path')", isPrepared: false).first?.string(0)
        try connection.execute("SET LOCAL search_path = pg_catalog", isPrepared: false)
        for query in [Self.constraints, Self.indexes, Self.comments] {
            var statements: [String] = []
            try connection.execute(query, values: [.text(migration.schemaName), .text(name)], isPrepared: false)
                .forEachRow { statements.append($0.string(0)) }
            if !statements.isEmpty { try connection.runScript(statements.joined(separator: ";\n")) }
        }
        _ = try connection.execute(
            "SELECT set_config('search_path', $1::text, true)", values: [.text(path ?? "")], isPrepared: false)
    }

    /// Primary keys come first, as others refer to them.
    private static let constraints = """
        SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $2::text, c.relname, k.conname,
                replace(pg_get_constraintdef(k.oid), quote_ident($1::text) || '.', quote_ident($2::text) || '.'))
            || CASE WHEN obj_description(k.oid, 'pg_constraint') IS NULL THEN '' ELSE format('; COMMENT ON CONSTRAINT %I ON %I.%I IS %L',
                k.conname, $2::text, c.relname, obj_description(k.oid, 'pg_constraint')) END
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1::text AND k.contype IN ('p', 'u', 'c', 'f') AND to_regclass(format('%I.%I', $2::text, c.relname)) IS NOT NULL
        ORDER BY k.contype <> 'p', k.contype = 'f', k.conname
        """

    /// Those of columns were copied with them.
    private static let comments = """
        SELECT format('COMMENT ON TABLE %I.%I IS %L', $2::text, c.relname, obj_description(c.oid, 'pg_class'))
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1::text AND c.relkind = 'r' AND obj_description(c.oid, 'pg_class') IS NOT NULL
            AND to_regclass(format('%I.%I', $2::text, c.relname)) IS NOT NULL
        """

    private static let indexes = """
        SELECT replace(pg_get_indexdef(x.indexrelid), ' ON ' || quote_ident($1::text) || '.', ' ON ' || quote_ident($2::text) || '.')
        FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1::text AND to_regclass(format('%I.%I', $2::text, c.relname)) IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = x.indexrelid AND k.contype IN ('p', 'u', 'x'))
        """
}
#endif
