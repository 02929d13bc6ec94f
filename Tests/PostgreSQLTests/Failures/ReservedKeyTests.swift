#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Keys that a program has reserved are its own, whatever happens to the server.
@Suite(.needsServer) struct ReservedKeyTests {
    private static func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
        PostgreSQLStore.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStore.type, configurationName: nil, at: url, options: nil)
        return coordinator
    }

    private static func keys(_ count: Int, of coordinator: NSPersistentStoreCoordinator) throws -> Range<Int64> {
        let store = try #require(coordinator.persistentStores.first as? PostgreSQLStore)
        let root = try #require(coordinator.layout["Book"]?.root)
        let first = try store.allocateReferences(count: count, root: root)
        return first..<(first + Int64(count))
    }

    @Test(arguments: ["on", "off"]) func aCrashOfTheServerGivesNoKeyToTwoPrograms(_ setting: String) throws {
        // Whatever isn't synchronized at once is lost.
        let server = try OwnServer(settings: ["synchronous_commit=\(setting)", "wal_writer_delay=10s"])
        let url = try server.url(schema: "shelf")
        let first = try Self.coordinator(url)
        let second = try Self.coordinator(url)
        // A block has more keys with every time.
        var taken = try (0..<20).map { _ in try Self.keys(1, of: first) }
        let connection = try server.connect()
        try connection.execute("CHECKPOINT", isPrepared: false)
        connection.close()
        taken += try (0..<200).map { _ in try Self.keys(3, of: first) }
        try server.killAndStart()
        taken += try (0..<200).flatMap { _ in try [Self.keys(5, of: second), Self.keys(2, of: first)] }
        let all = taken.flatMap { Array($0) }
        #expect(Set(all).count == all.count)
        #expect(all.count == 20 + 600 + 1_400)
    }

    /// As after a change to a replica that lacked the latest transactions, or when a backup was put back.
    @Test func whereTheServerForgotKeysNewOnesAreReserved() throws {
        try TestServer.withSchema { schema in
            let url = try TestServer.url(schema: schema)
            let first = try Self.coordinator(url)
            let second = try Self.coordinator(url)
            func save(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                try context.performAndWait {
                    Author(context: context).name = name
                    try context.save()
                }
            }
            for number in 0..<12 { try save("before \(number)", first) }
            let connection = try TestServer.connect()
            defer { connection.close() }
            let own = SQLName.quoted(schema)
            try connection.execute(
                "UPDATE \(own).ocd_key k SET z_max = (SELECT max(z_pk) FROM \(own).author) "
                    + "WHERE number = (SELECT z_ent FROM \(own).author LIMIT 1)")
            for number in 0..<3 { try save("second \(number)", second) }
            let error = #expect(throws: CocoaError.self) { try save("refused", first) }
            #expect((error?.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError)?.kind == .uniqueViolation)
            for number in 0..<100 { try save("after \(number)", number % 2 == 0 ? first : second) }
            let rows = try connection.execute(
                "SELECT count(*)::int8, count(DISTINCT name)::int8 FROM \(own).author WHERE name <> 'refused'")
            #expect(try rows.first.map { [try $0.integer(0), try $0.integer(1)] } == [115, 115])
        }
    }
}
#endif
