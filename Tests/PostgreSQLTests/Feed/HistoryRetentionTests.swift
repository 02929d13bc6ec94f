#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// How long the history is kept, and what tells that it is held back.
@Suite(.needsServer, .serialized) struct HistoryRetentionTests {
    private func open(_ schema: String, keepHistory: HistoryRetention) async throws -> Database {
        let store = Store.postgreSQL(try TestServer.url(schema: schema), keepHistory: keepHistory)
        return try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()), stores: [store], layout: .merging))
    }

    private func write(_ count: Int, _ database: Database) async throws {
        for number in 0..<count {
            try await database.write { Author(context: $0).name = "author \(number)" }
        }
    }

    private func number(_ sql: String, _ schema: String) throws -> Int64 {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.execute("SET search_path = \(SQLName.quoted(schema))", isPrepared: false)
        return try #require(try connection.execute(sql, isPrepared: false).first).integer(0)
    }

    private func age(_ schema: String) throws {
        let connection = try TestServer.connect()
        defer { connection.close() }
        try connection.runScript("UPDATE \(SQLName.quoted(schema)).ocd_transaction SET at = at - interval '8 days'")
    }

    private static let transactions = "SELECT COUNT(*) FROM ocd_transaction"
    private static let orphans =
        "SELECT COUNT(*) FROM ocd_change WHERE number NOT IN (SELECT number FROM ocd_transaction)"

    @Test func whatIsOldGoesAndWhatIsNewStays() async throws {
        try await TestServer.withSchema(created: false) { schema in
            var database = try await open(schema, keepHistory: .forever)
            try await write(700, database)
            try await database.close()
            try age(schema)
            database = try await open(schema, keepHistory: .forever)
            try await write(3, database)
            let other = try await open(schema, keepHistory: .days(7))
            #expect(try await eventually { (try? number(Self.transactions, schema)) == 3 })
            #expect(try number(Self.orphans, schema) == 0)
            // Those that follow go on following.
            let commits = other.commits
            try await write(1, database)
            var kinds: [Commit.Kind] = []
            for await commit in commits {
                kinds.append(commit.kind)
                break
            }
            #expect(kinds == [.external])
            #expect(try await other.read { try $0.count(Author.self) } == 704)
            try await other.close()
            try await database.close()
        }
    }

    @Test func whatAFeedHasNotReadStays() throws {
        try ServerStack.with(options: [NSPersistentHistoryTrackingKey: true]) { stack in
            func save() throws {
                try stack.inContext { context in
                    Author(context: context).name = "a"
                    try context.save()
                }
            }
            try save()
            try stack.waitForOlderTransactions()
            let position = HistoryPosition(endIn: stack.coordinator)
            try save()
            try stack.waitForOlderTransactions()
            let store = try #require(stack.coordinator.persistentStores.first)
            let deleted = try stack.inContext { context in
                try position.deleteHistory(of: store, before: .distantFuture, limit: 10, in: context)
            }
            #expect(deleted == 1)
            #expect(try number(Self.transactions, stack.schema) == 1)
        }
    }

    @Test func theIndexesAreThereAndStoresOfEarlierVersionsGetThem() throws {
        let tracking = [NSPersistentHistoryTrackingKey: true]
        let indexes = """
            SELECT COUNT(*) FROM pg_indexes WHERE schemaname = current_schema()
            AND indexname IN ('ocd_transaction_at', 'ocd_transaction_token')
            """
        try ServerStack.with(options: tracking) { stack in
            #expect(try number(indexes, stack.schema) == 2)
            let connection = try TestServer.connect()
            defer { connection.close() }
            let schema = SQLName.quoted(stack.schema)
            try connection.runScript(
                "DROP INDEX \(schema).ocd_transaction_at; DROP INDEX \(schema).ocd_transaction_token")
            try ServerStack(schema: stack.schema, options: tracking).close()
            #expect(try number(indexes, stack.schema) == 2)
            try connection.runScript("SET enable_seqscan = off")
            for (condition, index) in [
                ("token = '\(UUID().uuidString)'", "ocd_transaction_token"),
                ("at < now() - interval '7 days'", "ocd_transaction_at"),
            ] {
                var plan = ""
                try connection.execute(
                    "EXPLAIN SELECT number FROM \(schema).ocd_transaction WHERE \(condition)", isPrepared: false
                ).forEachRow { plan += $0.string(0) + "\n" }
                #expect(plan.contains(index), "\(plan)")
            }
        }
    }

    /// On a server of its own, as the transaction holds back the histories of all databases of its server.
    @Test func aTransactionThatHoldsTheFeedBackIsNamedAndMeasured() async throws {
        let options: [AnyHashable: Any] = [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
        let server = try OwnServer()
        let stack = try ServerStack(schema: "held", options: options, server: server)
        defer { stack.close() }
        let store = try #require(stack.coordinator.persistentStores.first as? PostgreSQLStore)
        let long = try server.connect()
        defer { long.close() }
        try long.runScript("BEGIN; SELECT pg_current_xact_id()")
        #expect(store.statistics?.feedDelay == 0)
        try stack.inContext { context in
            Author(context: context).name = "a"
            try context.save()
        }
        #expect(try await eventually { (store.statistics?.feedDelay ?? 0) > 0.1 })
        let connection = try server.connect()
        defer { connection.close() }
        let sentence = try FeedDelay.sentence(7, location: "here", connection)
        #expect(sentence.contains("held back for 7 s by the process \(long.serverProcess) of"), "\(sentence)")
        #expect(sentence.contains("idle in transaction"), "\(sentence)")
        try long.runScript("COMMIT")
        #expect(try await eventually { store.statistics?.feedDelay == 0 })
    }

    @Test func aDelayIsLoggedOnce() {
        let delay = FeedDelay()
        #expect(delay.note(isHeldBack: false) == nil)
        #expect(delay.note(isHeldBack: true) == nil)
        #expect(delay.seconds >= 0)
        #expect(delay.note(isHeldBack: false) == nil)
        #expect(delay.seconds == 0)
        let start = ContinuousClock.now
        func note(after seconds: Double) -> Double? {
            delay.note(isHeldBack: true, at: start.advanced(by: .seconds(seconds)))
        }
        #expect([0, 2, 4.9].allSatisfy { note(after: $0) == nil })
        #expect(note(after: 5.5) == 5.5)
        #expect([6, 60].allSatisfy { note(after: $0) == nil })
        // What is held back later is logged as well, from its own beginning.
        #expect(delay.note(isHeldBack: false) == nil)
        #expect([100, 104].allSatisfy { note(after: $0) == nil })
        #expect(note(after: 105) == 5)
    }
}
#endif
