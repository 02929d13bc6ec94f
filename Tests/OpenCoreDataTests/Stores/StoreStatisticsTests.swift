import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct StoreStatisticsTests {
    private func statistics(_ stack: TestStack) throws -> StoreStatistics {
        try #require(stack.coordinator.statistics(for: stack.coordinator.persistentStores[0]))
    }

    @Test func anIdleStore() throws {
        let stack = try TestStack(options: [NSPersistentStoreConnectionPoolMaxSizeKey: 7])
        let statistics = try statistics(stack)
        // Of a server without the password.
        #expect(statistics.storeURL == stack.url || !stack.isFile && statistics.storeURL.password == nil)
        #expect(statistics.maximumReaders == 7)
        let counts = [
            statistics.readersInUse, statistics.waitingReaders, statistics.waitingWriters, statistics.pinnedGenerations,
            statistics.runningBackups, statistics.cachedRows, statistics.logWarnings,
        ]
        #expect(counts == Array(repeating: 0, count: 7))
        #expect(statistics.oldestGenerationAge == nil && !statistics.isLogTooLong)
    }

    @Test(arguments: [NSInMemoryStoreType, NSBinaryStoreType]) func otherStoresHaveNone(type: String) throws {
        let stack = try TestStack(type: type)
        #expect(stack.coordinator.statistics(for: stack.coordinator.persistentStores[0]) == nil)
    }

    @Test func aStoreThatWasRemovedHasNone() throws {
        let stack = try TestStack()
        let store = stack.coordinator.persistentStores[0]
        try stack.coordinator.remove(store)
        #expect(stack.coordinator.statistics(for: store) == nil)
    }

    @Test func aBackupIsCounted() async throws {
        let stack = try TestStack()
        let store = stack.coordinator.persistentStores[0]
        let counts = Noted<Int>()
        try await stack.coordinator.backUpPersistentStore(store, to: stack.folder.file("Copy.sqlite")) { _ in
            counts.note(stack.coordinator.statistics(for: store)?.runningBackups ?? -1)
        }
        #expect(counts.all.contains(1))
        #expect(try statistics(stack).runningBackups == 0)
    }

    @Test func theRowCacheHasTheRowsOfLivingObjectsOnly() async throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for number in 0..<5_000 { Book(context: context).title = "Book \(number)" }
            try context.save()
        }
        let (one, other) = (stack.context(), stack.context())
        func fetch(_ context: NSManagedObjectContext) throws -> [Book] {
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.returnsObjectsAsFaults = false
            return try context.fetch(request)
        }
        try one.performAndWait {
            let books = try fetch(one)
            #expect(try statistics(stack).cachedRows == 5_000)
            try other.performAndWait {
                let same = try fetch(other)
                #expect(same.count == books.count)
                // Two contexts, one row each.
                #expect(try statistics(stack).cachedRows == 5_000)
            }
        }
        #expect(try await eventually { (try? statistics(stack).cachedRows) == 0 })
    }
}
