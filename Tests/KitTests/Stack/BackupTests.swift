import OpenCoreDataKit
import TestSupport
import Testing

/// Backups and statistics of a database.
@Suite struct BackupTests {
    @Test(arguments: LifeCycleTests.layouts) func aDatabaseIsBackedUpWhileItIsWritten(_ layout: Layout) async throws {
        let village = try await Village.open(.disk, layout: layout)
        let folder = try TemporaryFolder()
        try await village.settle("Ada")
        let writes = (0..<20).map { number in
            Task { try await village.settle("V\(number)") }
        }
        await village.database.settle()
        let copy = folder.file("Copy.sqlite")
        let summary = try await village.database.backup(to: copy)
        #expect(summary.databaseBytes > 0)
        for write in writes { _ = try await write.value }
        #expect(village.database.statistics.count == 1)
        #expect(village.database.statistics[0].runningBackups == 0)

        let restored = try await Database.open(
            Database.Configuration(
                name: "Copy", model: village.database.configuration.model, stores: [.sqlite(at: copy)]))
        let names = try await restored.read { try $0.villagerNames() }
        #expect(names.contains("Ada"))
        try await restored.close()
        await expectFailure(.fileWriteFileExists) { try await village.database.backup(to: copy) }
        try await village.database.backup(to: copy, replacesExisting: true)
    }

    @Test func aDatabaseInMemoryIsRefused() async throws {
        let village = try await Village.open(.memory, layout: .nested)
        let folder = try TemporaryFolder()
        await expectFailure(CocoaError.Code(rawValue: NSPersistentStoreOperationError)) {
            try await village.database.backup(to: folder.file("Copy.sqlite"))
        }
        #expect(village.database.statistics.isEmpty)
    }

    @Test func aDatabaseThatWasClosedSaysSo() async throws {
        let village = try await Village.open(.disk, layout: .nested)
        let folder = try TemporaryFolder()
        try await village.database.close()
        do {
            try await village.database.backup(to: folder.file("Copy.sqlite"))
            Issue.record("Nothing was thrown.")
        } catch DatabaseError.closed {
        }
        #expect(village.database.statistics.isEmpty)
    }

    @Test func limitsReachTheStore() async throws {
        let folder = try TemporaryFolder()
        var store = Store.sqlite(at: folder.file("Village.sqlite"))
        store.limits.maximumReaders = 9
        store.limits.largestLog = nil
        let database = try await Database.open(
            Database.Configuration(name: "Village", model: .value(VillageModel.make()), stores: [store]))
        #expect(database.statistics.map(\.maximumReaders) == [9])
        try await database.close()
    }

    private func expectFailure(_ code: CocoaError.Code, _ work: () async throws -> Void) async {
        do {
            try await work()
            Issue.record("Nothing was thrown.")
        } catch DatabaseError.storeFailed(_, _, let cause) {
            #expect((cause as? CocoaError)?.code == code, "\(cause)")
        } catch {
            Issue.record("Another error: \(error)")
        }
    }
}
