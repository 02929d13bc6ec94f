#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// A primary that dies while programs save, and the replica that takes its place, by a URL that names both.
@Suite(.needsServer, .serialized) struct FailoverTests {
    /// What became of the saves.
    private struct Saves {
        var acknowledged: [String] = []
        /// Those whose commit is unknown.
        var unknown: [String] = []
        var refused: [PostgreSQLError.Kind] = []
        var others: [String] = []
    }

    /// What the threads of the test share.
    private final class Shared: Sendable {
        let saves = Mutex(Saves())
        /// Whether saving ends.
        let isOver = Atomic(false)
        /// Whether it has ended.
        let isDone = Atomic(false)
        /// How often the follower was notified of changes.
        let announced = Atomic(0)

        var acknowledged: Int { saves.withLock { $0.acknowledged.count } }
        var heard: Int { announced.load(ordering: .relaxed) }
    }

    /// Has the primary acknowledge nothing that the replica has not written, so that nothing acknowledged may be lost.
    private static func replicateSynchronously(_ server: OwnServer) throws {
        let connection = try server.connect()
        defer { connection.close() }
        try connection.execute("ALTER SYSTEM SET synchronous_commit = 'on'", isPrepared: false)
        try connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", isPrepared: false)
        try connection.execute("SELECT pg_reload_conf()", isPrepared: false)
        for _ in 0..<500 {
            let found = try connection.execute(
                "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", isPrepared: false)
            if try found.first?.integer(0) == 1 { return }
            usleep(20_000)
        }
        Issue.record("the replica is not synchronous")
    }

    /// A URL of both servers.
    private static func url(_ server: OwnServer) throws -> URL {
        let parts = try [server.url, #require(server.replicas.first)].map {
            try #require(URLComponents(string: $0))
        }
        let ports = try parts.map { String(try #require($0.port)) }.joined(separator: ",")
        let password = try #require(parts[0].password)
        return try #require(
            URL(
                string: "postgresql://postgres:\(password)@/opencoredata?host=127.0.0.1,127.0.0.1&port=\(ports)"
                    + "&schema=shop"))
    }

    private static func open(_ url: URL) throws -> NSPersistentStoreCoordinator {
        PostgreSQLStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: url,
            options: [
                NSPersistentHistoryTrackingKey: true,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ])
        return coordinator
    }

    /// Saves authors one after the other until it is told to stop.
    private static func save(_ coordinator: NSPersistentStoreCoordinator, _ shared: Shared) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            var number = 0
            while !shared.isOver.load(ordering: .relaxed) {
                number += 1
                let name = "author \(number)"
                Author(context: context).name = name
                do {
                    try context.save()
                    shared.saves.withLock { $0.acknowledged.append(name) }
                } catch {
                    // The context can be used afterwards.
                    context.rollback()
                    let cause = (error as? CocoaError)?.underlying as? PostgreSQLError
                    shared.saves.withLock { saves in
                        switch cause?.kind {
                        case .commitUnknown: saves.unknown.append(name)
                        case let kind?: saves.refused.append(kind)
                        case nil: saves.others.append("\(error)")
                        }
                    }
                    usleep(20_000)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func thePromotedReplicaHasAllThatWasAcknowledgedAndSavesGoOn() async throws {
        let server = try OwnServer(replicas: 1)
        let url = try Self.url(server)
        let coordinator = try Self.open(url)
        try Self.replicateSynchronously(server)
        let follower = try Self.open(url)
        let shared = Shared()
        let watch = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: follower, queue: nil
        ) { _ in shared.announced.add(1, ordering: .relaxed) }
        defer { NotificationCenter.default.removeObserver(watch) }
        func wait(for isTrue: () -> Bool) async throws {
            for _ in 0..<3_000 where !isTrue() { try await Task.sleep(for: .milliseconds(20)) }
            #expect(isTrue())
        }
        Thread {
            Self.save(coordinator, shared)
            shared.isDone.store(true, ordering: .releasing)
        }.start()
        try await wait { shared.acknowledged >= 30 && shared.heard > 0 }

        try server.kill()
        var options = PostgreSQLOptions()
        options.session = .any
        let replica = try PostgreSQLAddress(#require(server.replicas.first))
        let connection = try PostgreSQLConnection(replica, options: options)
        defer { connection.close() }
        #expect(try connection.execute("SELECT pg_promote(true, 60)").first?.bool(0) == true)
        let (before, heard) = (shared.acknowledged, shared.heard)
        try await wait { shared.acknowledged >= before + 30 && shared.heard > heard }
        shared.isOver.store(true, ordering: .relaxed)
        try await wait { shared.isDone.load(ordering: .acquiring) }

        let result = shared.saves.withLock { $0 }
        #expect(result.others.isEmpty, "\(result.others.prefix(3))")
        #expect(
            Set(result.refused).isSubset(of: [.connectionLost, .cannotConnect, .readOnly]), "\(result.refused)")
        var found: [String: Int] = [:]
        try connection.execute("SELECT name FROM shop.author").forEachRow { found[$0.string(0), default: 0] += 1 }
        #expect(found.values.allSatisfy { $0 == 1 })
        #expect(Set(result.acknowledged).subtracting(found.keys).isEmpty)
        #expect(Set(found.keys).subtracting(result.acknowledged).isSubset(of: result.unknown))
        let transactions = try connection.execute("SELECT count(*) FROM shop.ocd_transaction").first?.integer(0)
        #expect(transactions == Int64(found.count))
        for each in [coordinator, follower] { for store in each.persistentStores { try each.remove(store) } }
    }
}
#endif
