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
    }
#endif
