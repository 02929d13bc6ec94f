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

        /// How many have come so far.
        var count: Int {
            condition.lock()
            defer { condition.unlock() }
            return waiting
        }

        /// Lets all through.
        func open() {
            condition.lock()
            defer { condition.unlock() }
            isOpen = true
            condition.broadcast()
        }

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

    @Test func fourConnectionsReadAtATimeWithoutTheOptionAndOthersWriteOrReadWhatIsPinned() throws {
        let gate = Barrier(.max)
        let recorder: @Sendable (String) -> Void = { sql in
            if sql.contains("COUNT(*)") { gate.pass() }
        }
        let stack = try TestStack(options: [SQLiteStore.statementRecorderOption: recorder])
        let pinned = stack.context()
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
        let coordinator = stack.coordinator
        let group = DispatchGroup()
        for _ in 0..<6 {
            group.enter()
            Thread.detachNewThread {
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                context.performAndWait { _ = try? context.count(for: NSFetchRequest<Book>(entityName: "Book")) }
                group.leave()
            }
        }
        let limit = Date(timeIntervalSinceNow: 30)
        while gate.count < 4, Date() < limit { Thread.sleep(forTimeInterval: 0.01) }
        try stack.inContext { context in
            Book(context: context).title = "written meanwhile"
            try context.save()
        }
        let books = try pinned.performAndWait { try pinned.fetch(NSFetchRequest<Book>(entityName: "Book")).count }
        #expect(books <= 1)
        Thread.sleep(forTimeInterval: 0.2)
        #expect(gate.count == 4)
        gate.open()
        #expect(group.wait(timeout: .now() + 60) == .success)
        #expect(gate.count >= 6)
    }
}
