#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Migrations of large tables, which are prepared while programs save.
@Suite(.needsServer) struct PreparedMigrationTests {
    /// Notes with an amount; versions rename the title, widen the amount and add a mandatory attribute.
    static func model(_ version: Int) -> NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Note"
        let title =
            version < 1
            ? MigrationModels.attribute("title", .stringAttributeType)
            : MigrationModels.attribute("heading", .stringAttributeType, was: version == 1 ? "title" : nil)
        let amount = MigrationModels.attribute(
            "amount", version < 2 ? .integer32AttributeType : .integer64AttributeType, optional: false, default: 0)
        note.properties = [title, amount, MigrationModels.attribute("body", .stringAttributeType)]
        if version >= 3 {
            note.properties.append(
                MigrationModels.attribute("state", .stringAttributeType, optional: false, default: "open"))
        }
        func index(_ name: String, _ attribute: NSPropertyDescription) -> NSFetchIndexDescription {
            NSFetchIndexDescription(
                name: name,
                elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)])
        }
        note.indexes = [index("byTitle", title), index("byAmount", amount)]
        let tag = NSEntityDescription()
        tag.name = "Tag"
        tag.properties = [MigrationModels.attribute("name", .stringAttributeType)]
        MigrationModels.pair(["Note": note, "Tag": tag], "Tag", "notes", "Note", "tag")
        let model = NSManagedObjectModel()
        model.entities = [note, tag]
        return model
    }

    static func fill(_ schema: String, _ connection: PostgreSQLConnection, rows: Int) throws {
        try connection.runScript(
            """
            INSERT INTO \(schema).note (z_pk, z_ent, z_opt, title, amount, body)
            SELECT n, (SELECT number FROM \(schema).ocd_entity WHERE name = 'Note'), 1, 'Title ' || n, n % 1000, repeat('x', 60)
            FROM generate_series(1, \(rows)) AS n;
            INSERT INTO \(schema).ocd_key (number, z_max) SELECT number, \(rows) FROM \(schema).ocd_entity WHERE name = 'Note'
            ON CONFLICT (number) DO UPDATE SET z_max = EXCLUDED.z_max;
            ANALYZE \(schema).note
            """)
    }

    /// A program of its own that writes as a save does, and notes the longest time.
    final class Writer: Sendable {
        private let stopped = Mutex(false)
        private let state = Mutex((longest: Duration.zero, count: 0, failures: [String]()))
        private let amounts = Mutex([Int64: Int64]())
        private let done = DispatchSemaphore(value: 0)

        init(_ url: String, schema: String, rows: Int) {
            Thread {
                self.write(url, schema, rows)
                self.done.signal()
            }.start()
        }

        private func write(_ url: String, _ schema: String, _ rows: Int) {
            guard let connection = try? PostgreSQLConnection(PostgreSQLAddress(url)) else { return }
            defer { connection.close() }
            var random = SystemRandomNumberGenerator()
            while !stopped.withLock({ $0 }) {
                let key = Int64.random(in: 1...Int64(rows), using: &random)
                let amount = Int64.random(in: 0...1_000_000, using: &random)
                let start = ContinuousClock.now
                do {
                    try connection.runScript(
                        "BEGIN; SELECT 1 FROM \(schema).ocd_model; UPDATE \(schema).note SET amount = \(amount), "
                            + "z_opt = z_opt + 1 WHERE z_pk = \(key); COMMIT")
                    amounts.withLock { $0[key] = amount }
                } catch {
                    connection.rollback()
                    state.withLock { $0.failures.append("\(error)") }
                }
                let time = start.duration(to: .now)
                state.withLock {
                    $0.longest = max($0.longest, time)
                    $0.count += 1
                }
                usleep(2_000)
            }
        }

        func stop() -> (longest: Duration, count: Int, failures: [String], amounts: [Int64: Int64]) {
            stopped.withLock { $0 = true }
            done.wait()
            let result = state.withLock { $0 }
            return (result.longest, result.count, result.failures, amounts.withLock { $0 })
        }
    }

    static func open(_ version: Int, _ schema: String, options: [AnyHashable: Any] = [:]) throws -> ServerStack {
        try ServerStack(
            model: model(version), schema: schema,
            options: MigrationModels.automatically.merging(options) { $1 })
    }

    private func names(_ sql: String, _ stack: ServerStack) throws -> [String] {
        try stack.rows(sql).map { $0.joined(separator: " ") }
    }

    static func leftovers(_ stack: ServerStack) throws -> [[String]] {
        try stack.rows(
            "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace "
                + "AND relname LIKE 'ocd\\_next%' UNION ALL SELECT attname::text FROM pg_attribute a JOIN pg_class c "
                + "ON c.oid = a.attrelid WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND attname LIKE 'ocd\\_next%' "
                + "AND NOT attisdropped UNION ALL SELECT tgname::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                + "WHERE c.relnamespace = current_schema()::regnamespace AND tgname LIKE '%ocd\\_next' UNION ALL "
                + "SELECT proname::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace "
                + "AND proname LIKE 'ocd\\_next%'")
    }

    @Test func whatIsSavedInTheMeantimeIsInTheWiderColumn() throws {
        try TestServer.withSchema(created: false) { schema in
            let first = try Self.open(1, schema)
            let connection = try TestServer.connect()
            defer { connection.close() }
            let rows = 30_000
            try connection.runScript("ALTER TABLE \(schema).note RENAME heading TO title")
            try Self.fill(schema, connection, rows: rows)
            try connection.runScript("ALTER TABLE \(schema).note RENAME title TO heading")
            first.close()
            let writer = Writer(try #require(TestServer.url), schema: schema, rows: rows)
            let second = try TablePreparation.$leastSize.withValue(1 << 16) { try Self.open(2, schema) }
            defer { second.close() }
            let result = writer.stop()
            let statements = second.statements.take()
            for sql in ["CREATE TRIGGER zzz_ocd_next BEFORE", "ENABLE ALWAYS TRIGGER", "CREATE INDEX CONCURRENTLY"] {
                #expect(statements.contains { $0.contains(sql) }, "\(sql)")
            }
            #expect(!statements.contains { $0.contains(" TYPE bigint") })
            #expect(result.count > 0)
            #expect(result.failures == [])
            var found: [Int64: Int64] = [:]
            try connection.execute("SELECT z_pk, amount FROM \(schema).note").forEachRow {
                found[try $0.integer(0)] = try $0.integer(1)
            }
            #expect(found.count == rows)
            for (key, amount) in found { #expect(amount == result.amounts[key] ?? key % 1000, "row \(key)") }
            #expect(
                try names(
                    "SELECT format_type(atttypid, -1), attnotnull::text FROM pg_attribute WHERE attrelid = 'note'::regclass "
                        + "AND attname = 'amount'", second) == ["bigint true"])
            #expect(
                try names(
                    "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'note_by_amount_index'",
                    second
                ).count == 1)
            #expect(try Self.leftovers(second) == [])
        }
    }

    @Test func onlyTheTablesConcernedAreLocked() throws {
        try TestServer.withSchema(created: false) { schema in
            let first = try Self.open(0, schema)
            first.close()
            // Someone reads the tags for long.
            let reader = try TestServer.connect()
            defer { reader.close() }
            try reader.runScript("BEGIN; SELECT count(*) FROM \(schema).tag")
            for version in 1...3 {
                let stack = try Self.open(version, schema, options: [NSPersistentStoreTimeoutOption: 60])
                stack.close()
            }
            try reader.runScript("COMMIT")
        }
    }

    @Test func anIndexOfARenamedAttributeIsRenamed() throws {
        try TestServer.withSchema(created: false) { schema in
            let first = try Self.open(0, schema)
            let query =
                "SELECT indexrelid::int8::text, c.relname::text FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid "
                + "WHERE x.indrelid = 'note'::regclass ORDER BY 1"
            let before = try first.rows(query)
            first.close()
            let second = try Self.open(1, schema)
            defer { second.close() }
            #expect(try second.rows(query) == before)
        }
    }

    @Test func aPreparationThatFailsLeavesNothing() throws {
        try TestServer.withSchema(created: false) { schema in
            let first = try Self.open(0, schema)
            let connection = try TestServer.connect()
            defer { connection.close() }
            try Self.fill(schema, connection, rows: 2_000)
            // What a program that was killed has left.
            try connection.runScript(
                "ALTER TABLE \(schema).note ADD COLUMN ocd_next_gone int4; "
                    + "CREATE INDEX ocd_next_gone ON \(schema).note (ocd_next_gone)")
            let model = Self.model(0)
            let note = try #require(model.entitiesByName["Note"])
            note.attributesByName["amount"]?.attributeType = .integer64AttributeType
            note.uniquenessConstraints = [["amount"]]
            let error = #expect(throws: CocoaError.self) {
                try TablePreparation.$leastSize.withValue(0) {
                    try ServerStack(model: model, schema: schema, options: MigrationModels.automatically)
                }
            }
            #expect(error?.code.rawValue == NSMigrationConstraintViolationError)
            #expect(try Self.leftovers(first) == [])
            // The program of the old version works on.
            let count = try first.inContext { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) }
            #expect(count == 2_000)
            first.close()
        }
    }

    @Test func stepsOfTheApplicationArePartOfTheTransaction() throws {
        try TestServer.withSchema(created: false) { schema in
            let first = try Self.open(0, schema)
            let connection = try TestServer.connect()
            defer { connection.close() }
            try Self.fill(schema, connection, rows: 10)
            first.close()
            func steps(_ sql: String) -> [AnyHashable: Any] {
                [
                    PostgreSQLStore.migrationStepsOption: [
                        PostgreSQLMigrationStep(
                            "titles", .beforeTheTables, sql: "UPDATE note SET title = upper(title)"),
                        PostgreSQLMigrationStep("bodies") { transaction in
                            let rows = try transaction.rows(
                                "SELECT z_pk, heading, body FROM note WHERE z_pk <= $1::text::int8 ORDER BY z_pk", ["2"]
                            )
                            #expect(rows.map { $0.prefix(2) } == [["1", "TITLE 1"], ["2", "TITLE 2"]])
                            try transaction.execute("UPDATE note SET body = heading")
                        },
                        PostgreSQLMigrationStep("last", sql: sql),
                    ]
                ]
            }
            let error = #expect(throws: CocoaError.self) {
                try Self.open(1, schema, options: steps("UPDATE note SET nothing = 1"))
            }
            #expect(error?.code == .migration)
            #expect(error?.localizedDescription.contains("the step “last” failed") == true)
            #expect(throws: CocoaError.self) { try Self.open(1, schema, options: steps("COMMIT")) }
            #expect(
                try connection.execute("SELECT title FROM \(schema).note WHERE z_pk = 1").first?.string(0) == "Title 1")
            let second = try Self.open(1, schema, options: steps("UPDATE note SET amount = 7"))
            defer { second.close() }
            #expect(
                try names("SELECT DISTINCT amount::text, (body = heading)::text, left(heading, 5) FROM note", second)
                    == ["7 true TITLE"])
        }
    }

    /// Times beside a program that saves and one that reads for long, with as many rows as are asked for.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATED_ROWS"] != nil))
    func aSavingProgramIsHardlyStopped() throws {
        let rows = try #require(Int(ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATED_ROWS"] ?? ""))
        PostgreSQLStore.register()
        let server = try OwnServer()
        let schema = "notes"
        func open(_ version: Int) throws {
            try ServerStack(
                model: Self.model(version), schema: schema,
                options: MigrationModels.automatically.merging([NSPersistentStoreTimeoutOption: 600]) { $1 },
                server: server
            ).close()
        }
        try open(0)
        let connection = try server.connect()
        defer { connection.close() }
        try Self.fill(schema, connection, rows: rows)
        for (version, what) in [(1, "a rename"), (2, "a widening"), (3, "a mandatory attribute with a default")] {
            let writer = Writer(server.url, schema: schema, rows: rows)
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let url = server.url
            Thread {
                let reader = try? PostgreSQLConnection(PostgreSQLAddress(url))
                try? reader?.runScript("BEGIN; SELECT count(*) FROM \(schema).note")
                begun.signal()
                Thread.sleep(forTimeInterval: 5)
                try? reader?.runScript("COMMIT")
                reader?.close()
                ended.signal()
            }.start()
            begun.wait()
            let start = ContinuousClock.now
            try open(version)
            let time = start.duration(to: .now)
            ended.wait()
            let result = writer.stop()
            print("\(what) of \(rows) rows took \(time); \(result.count) saves, the longest \(result.longest)")
            #expect(result.failures == [])
            #expect(result.longest <= .milliseconds(200), "\(what)")
        }
    }
}
#endif
