#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer, .serialized) struct ReplicaTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL_" + name].flatMap(Int.init)
    }

    private static func server(_ settings: [String] = []) throws -> OwnServer {
        try OwnServer(
            settings: ["shared_preload_libraries=pg_stat_statements"] + settings, replicas: 2)
    }

    private static func options(_ server: OwnServer) throws -> PostgreSQLOptions {
        var options = PostgreSQLOptions()
        options.replicas = try server.replicas.map { try #require(URL(string: $0)) }
        return options
    }

    private static func open(_ server: OwnServer, _ schema: String = "shop") async throws -> Database {
        return try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()),
                stores: [.postgreSQL(try server.url(schema: schema), options: try options(server))],
                layout: .merging))
    }

    private static func write(_ name: String, _ database: Database) async throws {
        try await database.write { context in
            let known = try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first
            (known ?? Author(context: context)).name = name
        }
    }

    private static func name(_ database: Database) async throws -> String? {
        try await database.read { try $0.fetch(NSFetchRequest<Author>(entityName: "Author")).first?.name }
    }

    private static func counts(_ database: Database) throws -> Replicas.Counts {
        let coordinator = database.context().persistentStoreCoordinator
        let store = coordinator?.persistentStores.first as? PostgreSQLStore
        return try #require(store?.replicaCounts)
    }

    /// Runs a block on the queue of a context of Core Data's own.
    private static func withContext(
        _ server: OwnServer, _ body: (NSManagedObjectContext, PostgreSQLStore) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let description = NSPersistentStoreDescription.postgreSQL(
            url: try server.url(schema: "shop"), options: try options(server))
        var failure: (any Error)?
        coordinator.addPersistentStore(with: description) { failure = $1 }
        if let failure { throw failure }
        let store = try #require(coordinator.persistentStores.first as? PostgreSQLStore)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context, store) }
        try coordinator.remove(store)
    }

    /// Has a replica carry out what it follows later.
    private static func delay(_ url: String, _ time: String) throws {
        let connection = try PostgreSQLConnection(PostgreSQLAddress(url), options: anySession)
        defer { connection.close() }
        try connection.execute("ALTER SYSTEM SET recovery_min_apply_delay = '\(time)'", isPrepared: false)
        try connection.execute("SELECT pg_reload_conf()", isPrepared: false)
    }

    private static var anySession: PostgreSQLOptions {
        var options = PostgreSQLOptions()
        options.session = .any
        return options
    }

    /// Waits until the replicas have all that there is.
    private static func wait(for server: OwnServer) throws {
        let primary = try server.connect()
        defer { primary.close() }
        let end = try primary.currentPosition()
        for url in server.replicas {
            let replica = try PostgreSQLConnection(PostgreSQLAddress(url), options: anySession)
            defer { replica.close() }
            for _ in 0..<1_000 {
                if let now = LogPosition(try replica.execute(LogPosition.replayed.sql)), let end, now >= end {
                    break
                }
                usleep(10_000)
            }
        }
    }

    /// Programs that write and read again, as one machine and as another that was handed the position.
    /// `OPENCOREDATA_POSTGRESQL_READS` says how often they read, all together, and `OPENCOREDATA_POSTGRESQL_READERS` how
    /// many programs there are.
    @Test func programsReadWhatTheyHaveWrittenWhicheverServerAnswers() throws {
        let (programs, reads) = (Self.number("READERS") ?? 2, 10)
        let writes = max(1, ((Self.number("READS") ?? 400) + programs * reads * 2 - 1) / (programs * reads * 2))
        let server = try Self.server()
        let connection = try server.connect()
        defer { connection.close() }
        try connection.runScript("CREATE EXTENSION pg_stat_statements")
        let url = try server.url(schema: "shop").absoluteString
        let workers = try (0..<programs).map {
            try WorkerProcess(["reread", url, "r\($0)", "\(writes)", "\(reads)"] + server.replicas)
        }
        var (checks, stale) = (0, 0)
        for worker in workers {
            worker.waitForEnd()
            #expect(worker.lines.filter { $0.hasPrefix("!") }.prefix(8) == [])
            let numbers = worker.lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
            guard numbers.count == 2 else { continue }
            (checks, stale) = (checks + numbers[0], stale + numbers[1])
        }
        #expect(stale == 0)
        #expect(checks == programs * writes * reads * 2)
        // The servers' own account of where the statements ran. Each write reads its row once, from the primary.
        let onReplicas = try server.replicas.map(Self.readsOfAuthors)
        let onPrimary = try Self.readsOfAuthors(server.url) - Int64(programs * writes)
        // A few reads may all come while the replicas are behind.
        if checks >= 10_000 { #expect(onReplicas.allSatisfy { $0 > 0 }) }
        #expect(onReplicas.reduce(onPrimary, +) == Int64(checks))
        print(
            "reads: \(checks) by \(programs) programs after \(programs * writes) writes, \(stale) stale; "
                + "\(onPrimary) ran on the primary, \(onReplicas) on the replicas")
    }

    /// How often a server has read authors.
    private static func readsOfAuthors(_ url: String) throws -> Int64 {
        let connection = try PostgreSQLConnection(PostgreSQLAddress(url), options: anySession)
        defer { connection.close() }
        let result = try connection.execute(
            "SELECT coalesce(sum(calls), 0)::int8 FROM pg_stat_statements "
                + "WHERE query LIKE 'SELECT%' AND query LIKE '%\"author\"%'")
        return try #require(try result.first?.integer(0))
    }

    @Test func whatWasWrittenIsReadWhicheverServerAnswers() async throws {
        let server = try Self.server()
        let database = try await Self.open(server)
        let connection = try server.connect()
        try connection.runScript("CREATE EXTENSION pg_stat_statements")
        connection.close()
        try await Self.write("first", database)
        try Self.wait(for: server)
        var stale = 0
        for number in 0..<20 {
            try await Self.write("author \(number)", database)
            if number % 2 == 0 { try Self.wait(for: server) }
            for _ in 0..<2 where try await Self.name(database) != "author \(number)" { stale += 1 }
        }
        #expect(stale == 0)
        let counts = try Self.counts(database)
        #expect(counts.replica > 0)
        #expect(counts.failed == 0)
        // The servers' own account of where the statements ran.
        for url in server.replicas { #expect(try Self.readsOfAuthors(url) > 0) }
        try await database.close()
    }

    @Test func aReplicaThatIsBehindIsNotRead() async throws {
        let server = try Self.server()
        let database = try await Self.open(server)
        try await Self.write("first", database)
        try Self.wait(for: server)
        for url in server.replicas { try Self.delay(url, "30s") }
        for number in 0..<20 {
            try await Self.write("author \(number)", database)
            #expect(try await Self.name(database) == "author \(number)")
        }
        #expect(try Self.counts(database).behind >= 20)
        try await database.close()
    }

    @Test func anotherMachineReadsWhatThePositionNames() async throws {
        let server = try Self.server()
        let here = try await Self.open(server)
        try await Self.write("old", here)
        try Self.wait(for: server)
        for url in server.replicas { try Self.delay(url, "30s") }
        // Its feed is another way to learn of the change.
        let there = try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()),
                stores: [
                    .postgreSQL(try server.url(schema: "shop"), watched: false, options: try Self.options(server))
                ]))
        // The first read asks the primary where its log ends, so that the replicas count as complete until then.
        try Self.wait(for: server)
        #expect(try await Self.name(there) == "old")
        try await Self.write("new", here)
        #expect(try await Self.name(there) == "old", "the replica isn't read, or isn't behind")
        let position = try #require(try await here.position())
        try await there.follow(FeedPosition(rawValue: position.rawValue))
        #expect(try await Self.name(there) == "new")
        #expect(try Self.counts(there).behind > 0)
        try await there.close()
        try await here.close()
    }

    @Test func whatIsNoPositionIsRefusedAndWhatIsFarAheadIsNotWaitedFor() async throws {
        let server = try Self.server()
        let database = try await Self.open(server)
        try await Self.write("first", database)
        for text in ["", "x", "0/0", "@", "\(UUID())@", "\(UUID())@G/1", String(repeating: "9", count: 10_000)] {
            await #expect(throws: CocoaError.self, "\(text.prefix(20))") {
                try await database.follow(FeedPosition(rawValue: text))
            }
        }
        // Of another store.
        try await database.follow(FeedPosition(rawValue: "\(UUID())@FFFFFFFF/FFFFFFFF"))
        let own = try #require(try await database.position()?.rawValue.split(separator: "@").first)
        try await database.follow(FeedPosition(rawValue: "\(own)@FFFFFFFF/FFFFFFFF"))
        try Self.wait(for: server)
        let before = try Self.counts(database).replica
        #expect(try await Self.name(database) == "first")
        #expect(try Self.counts(database).replica > before)
        try await database.close()
    }

    @Test func aReplicaThatIsGoneIsDoneWithout() async throws {
        let server = try Self.server()
        var options = PostgreSQLOptions()
        options.replicas = [try #require(URL(string: "postgresql://postgres:x@127.0.0.1:1/opencoredata"))]
        let database = try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()),
                stores: [.postgreSQL(try server.url(schema: "shop"), options: options)]))
        try await Self.write("first", database)
        let start = ContinuousClock.now
        for _ in 0..<20 { #expect(try await Self.name(database) == "first") }
        // Not asked again for two seconds.
        let pauses = Int((ContinuousClock.now - start) / .seconds(2))
        #expect((1...3 + pauses).contains(try Self.counts(database).failed))
        try await database.close()
    }

    @Test func aContextWithChangesReadsFromThePrimary() throws {
        let server = try Self.server()
        try Self.withContext(server) { context, store in
            let author = Author(context: context)
            author.name = "Lem"
            try context.save()
            try Self.wait(for: server)
            context.setReadPreference(.replica)
            let request = NSFetchRequest<Author>(entityName: "Author")
            #expect(try context.count(for: request) == 1)
            #expect(store.replicaCounts?.replica == 1)
            #expect(context.queryGenerationToken == nil)
            author.name = "Dick"
            #expect(try context.count(for: request) == 1)
            #expect(store.replicaCounts?.replica == 1)
            try context.save()
            // A save doesn't end it.
            try Self.wait(for: server)
            context.reset()
            #expect(try context.fetch(request).map(\.name) == ["Dick"])
            #expect(store.replicaCounts?.replica == 2)
            context.setReadPreference(.primary)
            #expect(try context.count(for: request) == 1)
            #expect(store.replicaCounts?.replica == 2)
        }
    }

    @Test func aSaveIsOneRoundTripAlsoWithReplicas() throws {
        let server = try Self.server()
        try Self.withContext(server) { context, store in
            // The connection that was used last is used next.
            func roundTrips() throws -> Int { try store.runtime().connections.with { $0.roundTripCount } }
            let author = Author(context: context)
            author.name = "Lem"
            try context.save()
            author.name = "Dick"
            let before = try roundTrips()
            try context.save()
            #expect(try roundTrips() == before + 1)
        }
    }
}
#endif
