#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// The statements of a migration, as they are printed before it.
@Suite(.needsServer) struct MigrationScriptTests {
    /// Entities don't keep their model.
    private let source = MigrationModels.make()

    private func withStore(_ body: (URL, String) throws -> Void) throws {
        PostgreSQLStore.register()
        try TestServer.withSchema(created: false) { schema in
            let url = try TestServer.url(schema: schema)
            try MigrationModels.makeStore(at: url, type: PostgreSQLStore.type)
            try body(url, schema)
        }
    }

    private func migration(_ url: URL, _ index: Int) throws -> LocatedMigration {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: PostgreSQLStore.type, at: url)
        let destination = MigrationModels.make(MigrationModels.changes[index].change)
        return LocatedMigration(
            location: try StoreLocation(url, options: nil), metadata: metadata,
            match: try ModelMatch(from: source.entities, to: destination.entities), model: destination,
            usesForeignKeys: true)
    }

    /// What changes something: no questions, and nothing that frames transactions.
    private func changes(_ statements: [String]) -> [String] {
        let others = ["SELECT ", "SET ", "BEGIN", "COMMIT", "ROLLBACK", "CREATE TEMPORARY", "WITH ", "RESET "]
        return statements.filter { sql in
            (!others.contains { sql.hasPrefix($0) } || sql.hasPrefix("SELECT setval"))
                && !sql.hasPrefix("CREATE OR REPLACE FUNCTION")
        }
    }

    @Test(arguments: MigrationModels.changes.indices, [false, true])
    func whatIsPrintedIsWhatRuns(index: Int, isPrepared: Bool) throws {
        try TablePreparation.$leastSize.withValue(isPrepared ? 0 : .max) {
            try withStore { url, schema in
                let rules = try ServerRules.lines(of: schema)
                let printed = try MigrationSimulation(migration(url, index)).run()
                #expect(!printed.isEmpty)
                // Nothing was changed.
                #expect(try ServerRules.lines(of: schema) == rules)
                var ran: [String] = []
                var migration = try migration(url, index)
                migration.observer = { ran += $0.map(\.sql) }
                try migration.run()
                #expect(changes(printed.map(\.sql)) == changes(ran))
            }
        }
    }

    @Test(arguments: MigrationModels.changes.indices, [false, true])
    func theLocksAreThoseThatTheServerTakes(index: Int, isPrepared: Bool) throws {
        try TablePreparation.$leastSize.withValue(isPrepared ? 0 : .max) {
            try withStore { url, schema in
                let printed = try MigrationSimulation(migration(url, index)).run()
                let connection = try TestServer.connect()
                defer { connection.close() }
                try connection.runScript(
                    "CREATE TEMPORARY TABLE known AS SELECT c.oid, c.relname::text AS name FROM pg_class c "
                        + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '\(schema)' AND c.relkind = 'r'"
                )
                for statement in printed where !statement.sql.hasSuffix("…") {
                    if statement.sql.contains("$1") {
                        // What fills rows comes from their first key on; the rest is about the store itself.
                        guard statement.sql.hasPrefix("WITH ") else { continue }
                        try connection.execute(statement.sql, values: [.int8(.min)], isPrepared: false)
                        continue
                    }
                    guard !statement.sql.contains("INDEX CONCURRENTLY") else {
                        try connection.runScript(statement.sql)
                        continue
                    }
                    try connection.runScript("BEGIN; \(statement.sql)")
                    var taken: [String: Int] = [:]
                    try connection.execute(
                        "SELECT k.name, l.mode FROM pg_locks l JOIN known k ON k.oid = l.relation "
                            + "WHERE l.pid = pg_backend_pid() AND l.mode <> 'AccessShareLock'", isPrepared: false
                    ).forEachRow { row in
                        let words = row.string(1).replacing("Lock", with: "").replacing(/[A-Z]/) { " \($0.output)" }
                        taken[row.string(0)] = max(taken[row.string(0)] ?? 0, try strength(words.uppercased()))
                    }
                    try connection.runScript("COMMIT")
                    var said: [String: Int] = [:]
                    for lock in statement.locks {
                        let parts = lock.components(separatedBy: " ON ")
                        said[parts[1]] = max(said[parts[1]] ?? 0, try strength(parts[0]))
                    }
                    #expect(said == taken, "\(statement.sql)")
                }
            }
        }
    }

    private func strength(_ mode: String) throws -> Int {
        let modes = [
            "ROW SHARE", "ROW EXCLUSIVE", "SHARE UPDATE EXCLUSIVE", "SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE",
            "ACCESS EXCLUSIVE",
        ]
        return try #require(modes.firstIndex(of: mode.trimmingCharacters(in: .whitespaces)), "\(mode)")
    }

    @Test func rowsAreEstimated() throws {
        try withStore { url, schema in
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript(
                "INSERT INTO \(schema).vehicle (z_pk, z_ent, wheels) SELECT 1000 + n, (SELECT number FROM \(schema).ocd_entity "
                    + "WHERE name = 'Car'), 4 FROM generate_series(1, 5000) AS n; ANALYZE \(schema).vehicle")
            let inPlace = try TablePreparation.$leastSize.withValue(.max) {
                try MigrationSimulation(migration(url, 3)).run()
            }
            let type = try #require(inPlace.first { $0.sql.contains(" TYPE bigint") })
            #expect(type.phase == .migrating)
            #expect((5_000...5_010).contains(type.rows))
            #expect(type.locks == ["ACCESS EXCLUSIVE ON vehicle"])
            let prepared = try TablePreparation.$leastSize.withValue(0) {
                try MigrationSimulation(migration(url, 3)).run()
            }
            let filling = try #require(prepared.first { $0.phase == .preparing && $0.rows > 0 })
            #expect((5_000...5_010).contains(filling.rows))
            #expect(filling.locks == ["ROW EXCLUSIVE ON vehicle"])
            #expect(prepared.filter { $0.phase == .migrating }.allSatisfy { $0.rows <= 10 })
        }
    }

    @Test func realTablesAreOnlyReadInTheSchemaOfTheSearchPath() throws {
        let name = "trial_" + UUID().uuidString.prefix(8).lowercased()
        let admin = try TestServer.connect()
        defer { admin.close() }
        try admin.execute("CREATE DATABASE \(name)", isPrepared: false)
        defer { _ = try? admin.execute("DROP DATABASE \(name) WITH (FORCE)", isPrepared: false) }
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        parts.path = "/" + name
        let other = try PostgreSQLConnection(PostgreSQLAddress(try #require(parts.string)))
        defer { other.close() }
        parts.queryItems =
            (parts.queryItems ?? []) + [
                URLQueryItem(name: "schema", value: "public"), URLQueryItem(name: "lock_timeout", value: "3"),
            ]
        let url = try #require(parts.url)
        PostgreSQLStore.register()
        try MigrationModels.makeStore(at: url, type: PostgreSQLStore.type)
        var tables: [String] = []
        try other.execute("SELECT format('public.%I', tablename) FROM pg_tables WHERE schemaname = 'public'")
            .forEachRow { tables.append($0.string(0)) }
        #expect(tables.count > 8)
        let rules = try other.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").first?.integer(0)
        #expect((rules ?? 0) > 2)
        for index in MigrationModels.changes.indices {
            // Leaves room for nothing but ACCESS SHARE.
            try other.runScript("BEGIN; LOCK TABLE \(tables.joined(separator: ", ")) IN EXCLUSIVE MODE")
            let printed = try MigrationSimulation(migration(url, index)).run()
            try other.runScript("COMMIT")
            #expect(!printed.isEmpty)
        }
        let metadata = try migration(url, 0)
        try other.runScript("BEGIN; LOCK TABLE public.person IN ACCESS EXCLUSIVE MODE")
        let error = #expect(throws: PostgreSQLError.self) { try MigrationSimulation(metadata).run() }
        #expect(error?.kind == .lockTimeout)
        try other.runScript("COMMIT")
    }
}
#endif
