import Synchronization

/// The rows in memory of threads that are in a transaction: what they have changed must not be seen by others before its end,
/// and is void when it fails.
final class SeparateRows: Sendable {
    private struct Entry {
        let thread: UInt
        let cache: RowCache
    }

    /// Near at hand, as each look at a row asks.
    private let count = Atomic<Int>(0)
    private let entries = UnfairMutex<[Entry]>([])

    /// Those of the calling thread; `nil` outside of a transaction.
    @inline(__always)
    var ofThread: RowCache? { count.load(ordering: .relaxed) == 0 ? nil : find() }

    @inline(never)
    private func find() -> RowCache? {
        let thread = ThreadValue.token
        return entries.withLock { $0.first { $0.thread == thread }?.cache }
    }

    /// Has the calling thread use rows of its own from now on.
    func begin(_ cache: RowCache) {
        let thread = ThreadValue.token
        entries.withLock { $0.append(Entry(thread: thread, cache: cache)) }
        count.add(1, ordering: .sequentiallyConsistent)
    }

    /// Ends what `begin` began.
    func end() {
        let thread = ThreadValue.token
        // The rows go outside of the lock.
        let former = entries.withLock { entries -> RowCache? in
            guard let index = entries.firstIndex(where: { $0.thread == thread }) else { return nil }
            return entries.remove(at: index).cache
        }
        count.subtract(1, ordering: .sequentiallyConsistent)
        withExtendedLifetime(former) {}
    }
}

extension NSPersistentStore {
    /// Runs a transaction. Rows that it reads and changes are kept apart from those that all contexts share, where the changed
    /// ones are forgotten at the end.
    package final func separatingRows<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard separateRows.ofThread == nil else { return try body() }
        let rows = RowCache(recordsChanges: true)
        separateRows.begin(rows)
        defer {
            separateRows.end()
            sharedRows.forget(changesOf: rows)
        }
        return try body()
    }
}
