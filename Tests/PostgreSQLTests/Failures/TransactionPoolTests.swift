#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// A running pgbouncer in front of the tests' server.
private final class Pool {
    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private let folder: TemporaryFolder
    private let process = Process()
    let url: String

    init(mode: String = "transaction") throws {
        folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
        let server = try #require(URLComponents(string: TestServer.url ?? ""))
        // Below those that the system gives to connections.
        let port = Int.random(in: 20_000...32_000)
        let settings = """
            [databases]
            opencoredata = host=127.0.0.1 port=\(server.port ?? 0) dbname=opencoredata user=postgres \
            password=\(server.password ?? "")
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = 3
            max_client_conn = 500
            """
        try Data(settings.utf8).write(to: folder.file("pool.ini"))
        let command = [Self.program ?? "", "-q", folder.file("pool.ini").path]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = geteuid() == 0 ? ["runuser", "-u", "postgres", "--"] + command : command
        process.currentDirectoryURL = folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        url = "postgresql://postgres@127.0.0.1:\(port)/opencoredata"
        let address = try PostgreSQLAddress(url)
        for _ in 0..<200 where (try? PostgreSQLConnection(address).close()) == nil { usleep(20_000) }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}

/// Stores behind pgbouncer in transaction mode, where each transaction may have another connection to the server.
@Suite(.needsServer, .enabled(if: Pool.program != nil, "pgbouncer is not installed"), .serialized)
struct TransactionPoolTests {
    private func coordinator(_ pool: Pool, _ schema: String, isDirect: Bool) throws -> NSPersistentStoreCoordinator {
        var options = PostgreSQLOptions()
        options.pooling = .transaction
        if isDirect { options.directURL = TestServer.url.flatMap { URL(string: $0) } }
        PostgreSQLStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: URL(string: pool.url + "?schema=\(schema)"),
            options: [
                PostgreSQLStore.optionsOption: PostgreSQLOptionsBox(options), NSPersistentHistoryTrackingKey: true,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ])
        return coordinator
    }

    private func save(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            author.setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test func manyContextsShareFewConnectionsAndFollowEachOther() throws {
        let pool = try Pool()
        try TestServer.withSchema(created: false) { schema in
            let first = try coordinator(pool, schema, isDirect: true)
            let second = try coordinator(pool, schema, isDirect: false)
            let told = [Flag(), Flag()]
            let observers = zip([first, second], told).map { coordinator, flag in
                NotificationCenter.default.addObserver(
                    forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
                ) { _ in flag.set() }
            }
            defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
            DispatchQueue.concurrentPerform(iterations: 12) { writer in
                for number in 0..<10 {
                    do {
                        try save("\(writer)-\(number)", writer % 2 == 0 ? first : second)
                    } catch {
                        Issue.record("\(error)")
                    }
                }
            }
            for coordinator in [first, second] {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                try context.performAndWait { () throws -> Void in
                    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) == 120)
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                    request.predicate = NSPredicate(format: "name BEGINSWITH %@", "3-")
                    #expect(try context.fetch(request).count == 10)
                }
            }
            for flag in told {
                for _ in 0..<500 where !flag.isSet { usleep(10_000) }
                #expect(flag.isSet)
            }
            for coordinator in [first, second] {
                for store in coordinator.persistentStores { try coordinator.remove(store) }
            }
        }
    }

    @Test func aPoolInSessionModeWorksWithTheDefaults() throws {
        let pool = try Pool(mode: "session")
        try TestServer.withSchema(created: false) { schema in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil,
                at: URL(string: pool.url + "?schema=\(schema)&pool_size=2&lock_timeout=3"), options: nil)
            for name in ["a", "b"] { try save(name, coordinator) }
            try coordinator.remove(store)
        }
        let connection = try PostgreSQLConnection(PostgreSQLAddress(pool.url + "?lock_timeout=3"))
        defer { connection.close() }
        #expect(try connection.execute("SHOW lock_timeout").first?.string(0) == "3s")
        #expect(try connection.execute("SHOW TimeZone").first?.string(0) == "UTC")
    }

    @Test func theURLAloneSaysHowToWorkBehindAPool() throws {
        let pool = try Pool()
        try TestServer.withSchema(created: false) { schema in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            let store = try coordinator.addPersistentStore(
                ofType: PostgreSQLStore.type, configurationName: nil,
                at: URL(string: pool.url + "?schema=\(schema)&pooling=transaction&pool_size=2"), options: nil)
            DispatchQueue.concurrentPerform(iterations: 20) { number in
                do { try save("\(number)", coordinator) } catch { Issue.record("\(error)") }
            }
            let usage = try (store as? PostgreSQLStore)?.runtime().connections.usage
            #expect((1...2).contains(usage?.connections ?? 0))
            try coordinator.remove(store)
        }
    }

    @Test func whereTheURLLacksItTheErrorNamesTheSetting() throws {
        let pool = try Pool()
        let address = try PostgreSQLAddress(pool.url)
        let connections = try (0..<4).map { _ in try PostgreSQLConnection(address) }
        defer { for connection in connections { connection.close() } }
        var hints: Set<String> = []
        // The names of one connection's statements are another's as well.
        for number in 0..<40 {
            for connection in connections {
                do {
                    try connection.execute("SELECT \(number / 20)::int8, \(number % 3)::int8")
                } catch let error as PostgreSQLError {
                    hints.insert(error.hint ?? "")
                }
            }
        }
        #expect(hints.contains { $0.contains("pooling=transaction") })
    }

    @Test func aTransactionHasItsTimeLimits() throws {
        let pool = try Pool()
        var options = PostgreSQLOptions()
        options.pooling = .transaction
        options.lockTimeout = 7
        let connection = try PostgreSQLConnection(PostgreSQLAddress(pool.url), options: options)
        defer { connection.close() }
        let results = try connection.pipeline([.begin, PostgreSQLStatement("SHOW lock_timeout"), .commit])
        #expect(results.count == 3)
        #expect(results[1].first?.string(0) == "7s")
        #expect(try connection.execute("SHOW lock_timeout").first?.string(0) != "7s")
    }
}
#endif
