import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct ConnectionPoolSizeTests {
    /// Lets statements through when so many of them wait.
    // @unchecked Sendable because `waiting` and `isOpen` are only touched under `condition`.
    private final class Barrier: @unchecked Sendable {
        private let condition = NSCondition()
        private let size: Int
        private var waiting = 0
        private(set) var isOpen = false

        init(_ size: Int) { self.size = size }

        func pass() {
            condition.lock()
            defer { condition.unlock() }
            waiting += 1
            if waiting == size {
                isOpen = true
                condition.broadcast()
            }
            let limit = Date(timeIntervalSinceNow: 30)
            while !isOpen, condition.wait(until: limit) {}
        }
    }

    @Test func asManyConnectionsReadAtATimeAsTheOptionSays() throws {
        let readers = SQLiteConnectionPool.defaultMaximumReaders + 3
        let barrier = Barrier(readers)
        let recorder: @Sendable (String) -> Void = { sql in
            if sql.contains("COUNT(*)") { barrier.pass() }
        }
        let stack = try TestStack(options: [
            SQLiteStore.statementRecorderOption: recorder, NSPersistentStoreConnectionPoolMaxSizeKey: readers,
        ])
        let coordinator = stack.coordinator
        let failures = DispatchQueue(label: "failures")
        nonisolated(unsafe) var counts: [Int] = []  // Only touched on `failures`.
        let group = DispatchGroup()
        for _ in 0..<readers {
            group.enter()
            Thread.detachNewThread {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                let count = context.performAndWait {
                    (try? context.count(for: NSFetchRequest<Book>(entityName: "Book"))) ?? -1
                }
                failures.sync { counts.append(count) }
                group.leave()
            }
        }
        #expect(group.wait(timeout: .now() + 60) == .success)
        #expect(barrier.isOpen)
        #expect(failures.sync { counts } == Array(repeating: 0, count: readers))
    }
}
