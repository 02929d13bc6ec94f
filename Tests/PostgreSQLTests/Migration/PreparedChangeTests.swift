#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Migrations of large tables that narrow a type, add derived attributes, or can't have a table to clean up.
@Suite(.needsServer) struct PreparedChangeTests {
    private static func model(narrow: Bool = false, derived: Bool = false) -> NSManagedObjectModel {
        let model = PreparedMigrationTests.model(0)
        guard let note = model.entitiesByName["Note"], let tag = model.entitiesByName["Tag"] else { return model }
        if narrow { note.attributesByName["amount"]?.attributeType = .integer16AttributeType }
        func derive(_ name: String, _ type: NSAttributeType, _ format: String) -> NSDerivedAttributeDescription {
            let attribute = NSDerivedAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            attribute.derivationExpression = NSExpression(format: format)
            return attribute
        }
        if derived {
            note.properties.append(derive("folded", .stringAttributeType, "canonical:(title)"))
            tag.properties.append(derive("size", .integer64AttributeType, "notes.@count"))
            tag.properties.append(derive("total", .integer64AttributeType, "notes.@sum.amount"))
        }
        return model
    }

    private func migrated(
        _ model: NSManagedObjectModel, _ schema: String, options: [AnyHashable: Any] = [:]
    ) throws -> ServerStack {
        try TablePreparation.$leastSize.withValue(0) {
            try ServerStack(
                model: model, schema: schema, options: MigrationModels.automatically.merging(options) { $1 })
        }
    }

    private func filled(
        _ schema: String, rows: Int, _ body: (PostgreSQLConnection) throws -> Void
    ) throws {
        try ServerStack(model: Self.model(), schema: schema).close()
        let connection = try TestServer.connect()
        defer { connection.close() }
        try PreparedMigrationTests.fill(schema, connection, rows: rows)
        try body(connection)
    }

    @Test func aNarrowerTypeIsPreparedAndKeepsItsValues() throws {
        try TestServer.withSchema(created: false) { schema in
            try filled(schema, rows: 3_000) { connection in
                let stack = try migrated(Self.model(narrow: true), schema)
                defer { stack.close() }
                #expect(stack.statements.take().contains { $0.contains("CREATE TRIGGER zzz_ocd_next BEFORE") })
                #expect(
                    try stack.rows(
                        "SELECT format_type(a.atttypid, -1), (SELECT sum(amount)::text || ' ' || count(*)::text FROM note) "
                            + "FROM pg_attribute a WHERE attrelid = 'note'::regclass AND attname = 'amount'")
                        == [["smallint", "1498500 3000"]])
                #expect(try PreparedMigrationTests.leftovers(stack) == [])
            }
        }
    }

    /// A program of the old version saves a number that the new one has no room for, while the table is prepared.
    @Test func aValueThatComesInTheMeantimeAndDoesNotFitIsAnErrorThatNamesIt() throws {
        try TestServer.withSchema(created: false) { schema in
            try filled(schema, rows: 20_000) { connection in
                let failure = Mutex<String?>(nil)
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    defer { done.signal() }
                    do {
                        let other = try TestServer.connect()
                        defer { other.close() }
                        for _ in 0..<4_000 {
                            let found = try other.execute(
                                "SELECT 1 FROM pg_trigger WHERE tgname = 'zzz_ocd_next' AND tgrelid = to_regclass($1::text)",
                                values: [.text("\(schema).note")])
                            if found.count > 0 {
                                return try other.runScript(
                                    "UPDATE \(schema).note SET amount = 70000 WHERE z_pk = 20000")
                            }
                            usleep(2_000)
                        }
                        failure.withLock { $0 = "no preparation was seen" }
                    } catch {
                        failure.withLock { $0 = "\(error)" }
                    }
                }
                let error = #expect(throws: CocoaError.self) { try migrated(Self.model(narrow: true), schema).close() }
                done.wait()
                #expect(failure.withLock { $0 } == nil)
                let text = error.map { "\($0)" } ?? ""
                #expect(text.contains("70000") && text.contains("amount"), "\(text)")
                let old = try ServerStack(model: Self.model(), schema: schema)
                defer { old.close() }
                #expect(try PreparedMigrationTests.leftovers(old) == [])
                #expect(try old.rows("SELECT amount::text FROM note WHERE z_pk = 20000") == [["70000"]])
                try connection.runScript("UPDATE \(schema).note SET amount = 7 WHERE z_pk = 20000")
            }
            let stack = try migrated(Self.model(narrow: true), schema)
            defer { stack.close() }
            #expect(try stack.rows("SELECT max(amount)::text FROM note") == [["999"]])
        }
    }

    @Test func newDerivedAttributesOfPreparedTablesAreComputed() throws {
        try TestServer.withSchema(created: false) { schema in
            try filled(schema, rows: 3_000) { connection in
                try connection.runScript(
                    """
                    INSERT INTO \(schema).tag (z_pk, z_ent, z_opt, name)
                        SELECT n, (SELECT number FROM \(schema).ocd_entity WHERE name = 'Tag'), 1, 'tag ' || n
                        FROM generate_series(1, 10) AS n;
                    UPDATE \(schema).note SET tag = CASE WHEN z_pk % 11 > 0 THEN z_pk % 11 END
                    """)
                let stack = try migrated(Self.model(narrow: true, derived: true), schema)
                defer { stack.close() }
                #expect(
                    try stack.rows(
                        """
                        SELECT (SELECT count(*)::text FROM note WHERE folded IS DISTINCT FROM lower(title)),
                            (SELECT count(*)::text FROM tag t WHERE size <> (SELECT count(*) FROM note n WHERE n.tag = t.z_pk)
                                OR total <> (SELECT sum(amount) FROM note n WHERE n.tag = t.z_pk) OR size IS NULL),
                            (SELECT sum(size)::text FROM tag)
                        """) == [["0", "0", "2728"]])
                #expect(try PreparedMigrationTests.leftovers(stack) == [])
                // They follow what is saved from now on.
                try stack.inContext { context in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
                    request.predicate = NSPredicate(format: "tag.name == 'tag 1'")
                    request.fetchLimit = 3
                    for note in try context.fetch(request) { context.delete(note) }
                    try context.save()
                }
                #expect(
                    try stack.rows(
                        "SELECT count(*)::text FROM tag t WHERE size <> (SELECT count(*) FROM note n WHERE n.tag = t.z_pk)"
                    )
                        == [["0"]])
            }
        }
    }

    /// Another program reads the table all the time: the migration ends within its time, with an error, and the next one cleans up.
    @Test func aCleanUpThatCannotHaveItsTableGivesUpInTime() throws {
        try TestServer.withSchema(created: false) { schema in
            try filled(schema, rows: 2_000) { connection in
                // What a program that was killed has left.
                try connection.runScript("ALTER TABLE \(schema).note ADD COLUMN ocd_next_amount int2")
                let reader = try TestServer.connect()
                defer { reader.close() }
                try reader.runScript("BEGIN; SELECT count(*) FROM \(schema).note")
                let start = ContinuousClock.now
                let error = #expect(throws: CocoaError.self) {
                    try migrated(Self.model(narrow: true), schema, options: [NSPersistentStoreTimeoutOption: 1]).close()
                }
                let time = start.duration(to: .now)
                // The attempt, and the attempt to clean up after it.
                #expect(time >= .seconds(1) && time < .seconds(8), "\(time)")
                #expect(error != nil)
                try reader.runScript("COMMIT")
                // Programs of the old version work on.
                let old = try ServerStack(model: Self.model(), schema: schema)
                try old.inContext { context in
                    NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
                        "x", forKey: "title")
                    try context.save()
                }
                old.close()
                let stack = try migrated(Self.model(narrow: true), schema)
                defer { stack.close() }
                #expect(try PreparedMigrationTests.leftovers(stack) == [])
                #expect(try stack.rows("SELECT count(*)::text FROM note") == [["2001"]])
            }
        }
    }
}
#endif
