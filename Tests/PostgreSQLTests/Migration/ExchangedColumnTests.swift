#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// What others have made on a table stays when the table is large enough to be prepared for a migration.
@Suite(.needsServer) struct ExchangedColumnTests {
    /// What is made, and the question that finds it, with NOTE for the table.
    static let others: [(sql: String, question: String)] = [
        (
            "CREATE FUNCTION SCHEMA.mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.body := 'seen'; RETURN NEW; END $$; "
                + "CREATE TRIGGER zzzz BEFORE UPDATE ON NOTE FOR EACH ROW EXECUTE FUNCTION SCHEMA.mark()",
            "SELECT count(*)::text FROM pg_trigger WHERE tgname = 'zzzz' AND tgrelid = 'note'::regclass "
                + "AND NOT EXISTS (SELECT 1 FROM note WHERE body = 'seen')"
        ),
        (
            "CREATE INDEX others ON NOTE ((amount * 2)) WHERE amount > 5",
            "SELECT count(*)::text FROM pg_index WHERE indexrelid = 'others'::regclass"
        ),
        (
            "ALTER TABLE NOTE ADD CONSTRAINT others CHECK (amount < 1000000)",
            "SELECT count(*)::text FROM pg_constraint WHERE conname = 'others' AND conrelid = 'note'::regclass"
        ),
        (
            "GRANT SELECT (amount) ON NOTE TO PUBLIC",
            "SELECT count(*)::text FROM pg_attribute WHERE attrelid = 'note'::regclass AND attname = 'amount' "
                + "AND attacl IS NOT NULL"
        ),
        (
            "CREATE STATISTICS SCHEMA.others ON amount, heading FROM NOTE",
            "SELECT count(*)::text FROM pg_statistic_ext WHERE stxname = 'others' AND stxrelid = 'note'::regclass"
        ),
        (
            "ALTER TABLE NOTE ALTER COLUMN amount SET STATISTICS 777",
            "SELECT count(*)::text FROM pg_attribute WHERE attrelid = 'note'::regclass AND attname = 'amount' "
                + "AND attstattarget = 777"
        ),
    ]

    private static func wasPrepared(_ statements: [String]) -> Bool {
        statements.contains { $0.contains("ADD COLUMN \"\(TablePreparation.prefix)") }
    }

    private func withNotes(_ body: (String, PostgreSQLConnection) throws -> Void) throws {
        try TestServer.withSchema(created: false) { schema in
            try PreparedMigrationTests.open(0, schema).close()
            try PreparedMigrationTests.open(1, schema).close()
            let connection = try TestServer.connect()
            defer { connection.close() }
            try connection.runScript("ALTER TABLE \(schema).note RENAME heading TO title")
            try PreparedMigrationTests.fill(schema, connection, rows: 3_000)
            try connection.runScript("ALTER TABLE \(schema).note RENAME title TO heading")
            try body(schema, connection)
        }
    }

    private func sum(_ stack: ServerStack) throws -> [[String]] {
        try stack.rows(
            "SELECT sum(amount)::text, format_type((SELECT atttypid FROM pg_attribute WHERE attrelid = 'note'::regclass "
                + "AND attname = 'amount'), -1) FROM note")
    }

    @Test(arguments: others.indices) func whatOthersMadeStays(index: Int) throws {
        try withNotes { schema, connection in
            let other = Self.others[index]
            try connection.runScript(
                other.sql.replacing("NOTE", with: "\(schema).note").replacing("SCHEMA", with: schema))
            let stack = try TablePreparation.$leastSize.withValue(0) { try PreparedMigrationTests.open(2, schema) }
            defer { stack.close() }
            #expect(!Self.wasPrepared(stack.statements.take()))
            #expect(try stack.rows(other.question) == [["1"]])
            #expect(try sum(stack) == [["\((0..<3_000).reduce(0) { $0 + ($1 + 1) % 1_000 })", "bigint"]])
            #expect(try PreparedMigrationTests.leftovers(stack) == [])
        }
    }

    @Test func aViewOfTheColumnIsTheServersErrorAndNothingIsLeft() throws {
        try withNotes { schema, connection in
            try connection.runScript("CREATE VIEW \(schema).amounts AS SELECT amount FROM \(schema).note")
            #expect(throws: CocoaError.self) {
                try TablePreparation.$leastSize.withValue(0) { try PreparedMigrationTests.open(2, schema) }
            }
            let stack = try PreparedMigrationTests.open(1, schema)
            defer { stack.close() }
            #expect(try PreparedMigrationTests.leftovers(stack) == [])
            #expect(try stack.rows("SELECT count(*)::text FROM amounts") == [["3000"]])
        }
    }

    @Test(arguments: [false, true]) func aTriggerThatAKilledProgramLeftIsRemoved(changesSessions: Bool) throws {
        try withNotes { schema, connection in
            try connection.runScript(
                """
                ALTER TABLE \(schema).note ADD COLUMN ocd_next_amount int8;
                CREATE FUNCTION \(schema).ocd_next_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    NEW.ocd_next_amount := NEW.amount; RETURN NEW; END $$;
                CREATE TRIGGER zzz_ocd_next BEFORE INSERT OR UPDATE ON \(schema).note FOR EACH ROW
                    EXECUTE FUNCTION \(schema).ocd_next_note()
                """)
            let url =
                try TestServer.url(schema: schema).absoluteString + (changesSessions ? "&pooling=transaction" : "")
            let model = PreparedMigrationTests.model(2)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil, at: URL(string: url),
                options: MigrationModels.automatically)
            try coordinator.remove(store)
            let left = try connection.execute(
                "SELECT (SELECT count(*) FROM pg_trigger WHERE tgrelid = '\(schema).note'::regclass AND NOT tgisinternal) "
                    + "+ (SELECT count(*) FROM pg_proc WHERE pronamespace = '\(schema)'::regnamespace AND proname LIKE 'ocd\\_next%')"
            )
            #expect(try left.first?.integer(0) == 0)
            try connection.runScript("UPDATE \(schema).note SET amount = 5000000000 WHERE z_pk = 1")
        }
    }

    @Test func uniqueIndexesBindOnlyProgramsOfTheNewModel() throws {
        try withNotes { schema, connection in
            let model = PreparedMigrationTests.model(2)
            model.entitiesByName["Note"]?.uniquenessConstraints = [["heading"]]
            let stack = try TablePreparation.$leastSize.withValue(0) {
                try ServerStack(model: model, schema: schema, options: MigrationModels.automatically)
            }
            defer { stack.close() }
            let statements = stack.statements.take()
            #expect(Self.wasPrepared(statements))
            let unique = statements.filter { $0.contains("CREATE UNIQUE INDEX") }
            #expect(unique.count == 1 && !unique[0].contains("CONCURRENTLY"), "\(unique)")
        }
    }

    @Test func theIndexOfAnAttributeThatBecomesMandatoryIsMadeBefore() throws {
        try withNotes { schema, connection in
            try connection.runScript("UPDATE \(schema).note SET heading = NULL WHERE z_pk % 2 = 0")
            let model = PreparedMigrationTests.model(1)
            let heading = try #require(model.entitiesByName["Note"]?.attributesByName["heading"])
            (heading.isOptional, heading.defaultValue) = (false, "none")
            let stack = try TablePreparation.$leastSize.withValue(0) {
                try ServerStack(model: model, schema: schema, options: MigrationModels.automatically)
            }
            defer { stack.close() }
            let made = stack.statements.take().filter { $0.hasPrefix("CREATE INDEX") && $0.contains("heading") }
            #expect(made.count == 1 && made[0].contains("CONCURRENTLY"), "\(made)")
            #expect(try stack.rows("SELECT count(*)::text FROM note WHERE heading = 'none'") == [["1500"]])
            #expect(
                try stack.rows(
                    "SELECT count(*)::text FROM pg_index WHERE indexrelid = 'note_by_title_index'::regclass AND indisvalid"
                )
                    == [["1"]])
        }
    }

    @Test func eachStepHasATimeOfItsOwn() throws {
        try withNotes { schema, connection in
            let transactions = BriefTransactions(connection: connection, patience: .seconds(4))
            for _ in 0..<2 {
                let begun = DispatchSemaphore(value: 0)
                let url = try #require(TestServer.url)
                Thread {
                    let reader = try? PostgreSQLConnection(PostgreSQLAddress(url))
                    try? reader?.runScript("BEGIN; SELECT count(*) FROM \(schema).note")
                    begun.signal()
                    Thread.sleep(forTimeInterval: 2.2)
                    reader?.close()
                }.start()
                begun.wait()
                try transactions.run(["LOCK TABLE \(schema).note IN ACCESS EXCLUSIVE MODE"])
            }
        }
    }
}
#endif
