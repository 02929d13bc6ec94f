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

    /// What threads counted that all counted the books at a time; -1 for a count that failed.
    // @unchecked Sendable because `counts` is only touched on `queue`.
    private final class Counters: @unchecked Sendable {
        private let group = DispatchGroup()
        private let queue = DispatchQueue(label: "counts")
        private var counts: [Int] = []

        init(_ number: Int, _ coordinator: NSPersistentStoreCoordinator) {
            for _ in 0..<number {
                group.enter()
                Thread.detachNewThread { [self] in
                    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    context.persistentStoreCoordinator = coordinator
                    let count = context.performAndWait {
                        (try? context.count(for: NSFetchRequest<Book>(entityName: "Book"))) ?? -1
                    }
                    queue.sync { counts.append(count) }
                    group.leave()
                }
            }
        }

        /// What all of them counted; fewer when one does not come back.
        func results() -> [Int] {
            _ = group.wait(timeout: .now() + 60)
            return queue.sync { counts }
        }
    }

    /// A store whose statements that count have to pass a barrier.
    private func stack(_ barrier: Barrier, _ options: [AnyHashable: Any] = [:]) throws -> TestStack {
        let recorder: @Sendable (String) -> Void = { sql in
            if sql.contains("COUNT(*)") { barrier.pass() }
        }
        return try TestStack(options: options.merging([SQLiteStore.statementRecorderOption: recorder]) { $1 })
    }

    @Test func asManyConnectionsReadAtATimeAsTheOptionSays() throws {
        let readers = SQLiteConnectionPool.defaultMaximumReaders + 3
        let barrier = Barrier(readers)
        let stack = try stack(barrier, [NSPersistentStoreConnectionPoolMaxSizeKey: readers])
        let counts = Counters(readers, stack.coordinator).results()
        #expect(barrier.isOpen)
        #expect(counts == Array(repeating: 0, count: readers))
    }

    @Test func fourConnectionsReadAtATimeWithoutTheOptionAndOthersWriteOrReadWhatIsPinned() throws {
        let gate = Barrier(.max)
        let stack = try stack(gate)
        let pinned = stack.context()
        let before = try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            // A context is pinned with its first read.
            return try pinned.fetch(NSFetchRequest<Book>(entityName: "Book")).count
        }
        #expect(before == 0)
        let counters = Counters(6, stack.coordinator)
        let limit = Date(timeIntervalSinceNow: 30)
        while gate.count < 4, Date() < limit { Thread.sleep(forTimeInterval: 0.01) }
        try stack.inContext { context in
            Book(context: context).title = "written since"
            try context.save()
        }
        let after = try pinned.performAndWait { try pinned.fetch(NSFetchRequest<Book>(entityName: "Book")).count }
        #expect(after == 0)
        Thread.sleep(forTimeInterval: 0.2)
        #expect(gate.count == 4)
        gate.open()
        #expect(counters.results().count == 6)
        #expect(gate.count >= 6)
    }
}
