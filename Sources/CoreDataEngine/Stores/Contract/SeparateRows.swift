import Synchronization

/// The rows in memory of threads that are in a transaction: what they have changed must not be seen by others before its end,
/// and is void when it fails.
final class SeparateRows: Sendable {
    private struct Entry {
        let thread: UInt
        let cache: RowCache
    }

    private struct State {
        var entries: [Entry] = []
        /// The rows of a transaction that has ended, for the next one: to make their directories takes longer than a small
        /// transaction, and the longer the more rows the store has.
        var idle: RowCache?
    }

    /// Near at hand, as each look at a row asks.
    private let count = Atomic<Int>(0)
    private let state = UnfairMutex(State())

    /// Those of the calling thread; `nil` outside of a transaction.
    @inline(__always)
    var ofThread: RowCache? { count.load(ordering: .relaxed) == 0 ? nil : find() }

    @inline(never)
    private func find() -> RowCache? {
        let thread = ThreadValue.token
        return state.withLock { $0.entries.first { $0.thread == thread }?.cache }
    }

    /// Has the calling thread use rows of its own from now on.
    ///
    /// - Returns: Those rows.
    func begin() -> RowCache {
        let thread = ThreadValue.token
        let cache = state.withLock { state in
            let cache = Self.takeIdle(&state) ?? RowCache(recordsChanges: true)
            state.entries.append(Entry(thread: thread, cache: cache))
            return cache
        }
        count.add(1, ordering: .sequentiallyConsistent)
        return cache
    }

    /// Ends what `begin` began.
    func end() {
        let thread = ThreadValue.token
        // The rows go outside of the lock.
        let former = state.withLock { state -> RowCache? in
            guard let index = state.entries.firstIndex(where: { $0.thread == thread }) else { return nil }
            let former = state.idle
            state.idle = state.entries.remove(at: index).cache
            return former
        }
        count.subtract(1, ordering: .sequentiallyConsistent)
        withExtendedLifetime(former) {}
    }

    /// The idle rows, unless a slab is registered in them, which holds them.
    private static func takeIdle(_ state: inout State) -> RowCache? {
        guard isKnownUniquelyReferenced(&state.idle), let cache = state.idle, cache.recordAgain() else { return nil }
        state.idle = nil
        return cache
    }
}

extension NSPersistentStore {
    /// Runs a transaction. Rows that it reads and changes are kept apart from those that all contexts share, where the changed
    /// ones are forgotten at the end.
    package final func separatingRows<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard separateRows.ofThread == nil else { return try body() }
        let rows = separateRows.begin()
        defer {
            separateRows.end()
            sharedRows.forget(changesOf: rows)
        }
        return try body()
    }
}
