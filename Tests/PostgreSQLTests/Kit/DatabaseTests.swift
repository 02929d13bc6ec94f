#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer, .serialized) struct DatabaseTests {
    private func open(_ schema: String) async throws -> Database {
        try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()),
                stores: [.postgreSQL(try TestServer.url(schema: schema))], layout: .merging))
    }

    @Test func aDatabaseWritesAndReads() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            try await database.write { context in
                for number in 0..<10 { Author(context: context).name = "author \(number)" }
            }
            let count = try await database.read { try $0.count(for: NSFetchRequest<Author>(entityName: "Author")) }
            #expect(count == 10)
            try await database.close()
            let again = try await open(schema)
            let names = try await again.read { context in
                try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name).sorted()
            }
            #expect(names == (0..<10).map { "author \($0)" })
            try await again.close()
        }
    }

    @Test func incrementsOfSeveralProcessesAreCounted() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            try await database.write { context in
                let book = Book(context: context)
                (book.title, book.pages) = ("Counter", 0)
            }
            let url = try TestServer.url(schema: schema).absoluteString
            let workers = try (0..<2).map { try WorkerProcess(["increment", url, "w\($0)", "80"]) }
            var added = 0
            for _ in 0..<40 {
                try await database.write { try $0.first(Book.self)?.pages += 1 }
                added += 1
            }
            for worker in workers {
                let line = try #require(worker.line("added", within: 60), "\(worker.lines)")
                let count = try #require(Int(line.dropFirst("added ".count)))
                // Of the kinds, drafts alone may meet conflicts.
                #expect(count >= 64)
                added += count
                worker.waitForEnd()
            }
            #expect(try await database.read { try $0.first(Book.self)?.pages } == Int32(added))
            try await database.close()
        }
    }

    @Test func statementsOfSQLAreBoundAndPartOfTheirBlock() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            for (name, country) in [("Lem", "PL"), ("O'Hara", "US")] {
                try await database.write { context in
                    let author = Author(context: context)
                    (author.name, author.country) = (name, country)
                }
            }
            let rows = try await database.read { context in
                try context.sql(
                    "SELECT name, length(name) AS length FROM author WHERE name = $1 OR length(name) > $2 ORDER BY name",
                    "Lem", 5)
            }
            #expect(try rows.map { try $0.value("name", as: String.self) } == ["Lem", "O'Hara"])
            #expect(try rows.map { try $0.value("length", as: Int.self) } == [3, 6])
            for statement in ["DELETE FROM author", "COMMIT", "/* x */ begin", "SELECT nothing", "SELECT $1"] {
                await #expect(throws: DatabaseError.self, "\(statement)") {
                    try await database.read { try $0.sql(statement) }
                }
            }
            struct GivenUp: Error {}
            let change = "UPDATE author SET country = $1 WHERE name = $2"
            let question = "SELECT country FROM author WHERE name = 'Lem'"
            await #expect(throws: GivenUp.self) {
                try await database.write { context in
                    try context.sql(change, "XX", "Lem")
                    #expect(try context.sql(question).first?.value("country", as: String.self) == "XX")
                    throw GivenUp()
                }
            }
            func stored() async throws -> String? {
                try await database.read { try $0.sql(question).first?.value("country", as: String.self) }
            }
            #expect(try await stored() == "PL")
            for statement in ["COMMIT", "ROLLBACK", "SELECT nothing"] {
                await #expect(throws: DatabaseError.self) { try await database.write { try $0.sql(statement) } }
            }
            try await database.write { try $0.sql(change, nil, "Lem") }
            #expect(try await stored() == nil)
            try await database.close()
        }
    }

    @Test func statisticsCountConnectionsAndHaveNoPassword() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            try await database.write { Author(context: $0).name = "Lem" }
            // What the write told others of may still be read.
            let isIdle = try await eventually { database.statistics.first?.readersInUse == 0 }
            let statistics = try #require(database.statistics.first)
            #expect(isIdle && statistics.maximumReaders == 8 && statistics.waitingReaders == 0)
            #expect(statistics.storeURL.absoluteString.hasSuffix("?schema=\(schema)"))
            #expect(statistics.storeURL.password == nil)
            let context = database.context()
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                _ = try context.count(for: NSFetchRequest<Author>(entityName: "Author"))
                #expect(database.statistics.first?.pinnedGenerations == 1)
                try context.setQueryGenerationFrom(nil)
            }
            try await database.close()
        }
    }

    @Test func commitsElsewhereAreTold() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let (here, there) = (try await open(schema), try await open(schema))
            var heard = here.commits.filter { $0.kind == .external }.makeAsyncIterator()
            for number in 0..<20 {
                try await there.write { Author(context: $0).name = "author \(number)" }
                let commit = await heard.next()
                #expect(commit?.inserted.count == 1)
            }
            try await there.close()
            try await here.close()
        }
    }

    @Test(arguments: [false, true]) func aTaskThatIsCancelledEndsItsStatementOnTheServer(_ writes: Bool)
        async throws
    {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            try await database.write { context in
                for number in 0..<10 { Author(context: context).name = "author \(number)" }
            }
            // A table that is locked is waited for.
            let other = try TestServer.connect()
            try other.runScript("BEGIN; LOCK TABLE \(SQLName.quoted(schema)).author IN ACCESS EXCLUSIVE MODE")
            let task = Task { () -> Int in
                let body: @Sendable (Context) throws -> Int = {
                    try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).count
                }
                return writes ? try await database.write(body) : try await database.read(body)
            }
            while try Self.waiting(in: schema) == 0 { try await Task.sleep(for: .milliseconds(20)) }
            task.cancel()
            let duration = await ContinuousClock().measure {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(duration < .seconds(5))
            #expect(try Self.waiting(in: schema) == 0)
            try other.runScript("ROLLBACK")
            other.close()
            let count = try await database.read { try $0.count(for: NSFetchRequest<Author>(entityName: "Author")) }
            #expect(count == 10)
            try await database.close()
        }
    }

    @Test(arguments: [WriteLocking.store, .rows]) func aTaskThatIsCancelledEndsTheSaveOfItsBlock(
        _ locking: WriteLocking
    )
        async throws
    {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            let other = try TestServer.connect()
            try other.runScript("BEGIN; LOCK TABLE \(SQLName.quoted(schema)).author IN ACCESS EXCLUSIVE MODE")
            let task = Task {
                try await database.write(locking: locking) { context in Author(context: context).name = "late" }
            }
            while try Self.waiting(in: schema) == 0 { try await Task.sleep(for: .milliseconds(20)) }
            task.cancel()
            let duration = await ContinuousClock().measure {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(duration < .seconds(5))
            #expect(try Self.waiting(in: schema) == 0)
            try other.runScript("ROLLBACK")
            other.close()
            let count: @Sendable (Context) throws -> Int = {
                try $0.count(for: NSFetchRequest<Author>(entityName: "Author"))
            }
            #expect(try await database.read(count) == 0)
            try await database.write { context in Author(context: context).name = "next" }
            #expect(try await database.read(count) == 1)
            try await database.close()
        }
    }

    /// Blocks of other programs are waited for on the server.
    @Test func aTaskThatIsCancelledWaitsNoLongerForItsTurn() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            let other = try TestServer.connect()
            let key = PostgreSQLRuntime.turnKey(of: schema)
            try other.runScript("BEGIN; SELECT pg_advisory_xact_lock(\(key))")
            let task = Task {
                try await database.write { context in Author(context: context).name = "late" }
            }
            while try Self.waiting(in: "\(key)") == 0 { try await Task.sleep(for: .milliseconds(20)) }
            task.cancel()
            let duration = await ContinuousClock().measure {
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(duration < .seconds(5))
            #expect(try Self.waiting(in: "\(key)") == 0)
            try other.runScript("ROLLBACK")
            other.close()
            try await database.write { context in Author(context: context).name = "next" }
            let names = try await database.read { context in
                try context.fetch(NSFetchRequest<Author>(entityName: "Author")).map(\.name)
            }
            #expect(names == ["next"])
            try await database.close()
        }
    }

    private static func waiting(in text: String) throws -> Int64 {
        let connection = try TestServer.connect()
        defer { connection.close() }
        return try connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\(text)%'",
            isPrepared: false
        ).first?.integer(0) ?? 0
    }

    @Test func aStoreThatIsNotReachedIsNoReasonToThrowItAway() async throws {
        let url = try #require(URL(string: "postgresql://ann:s3cret@127.0.0.1:1/books"))
        var store = Store.postgreSQL(url)
        store.ifIncompatible = .recreate
        let configuration = Database.Configuration(
            name: "Library", model: .value(LibraryModel.make()), stores: [store])
        let error = await #expect(throws: DatabaseError.self) { try await Database.open(configuration) }
        guard case .storeFailed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains("s3cret") == false)
    }
}
#endif
