import Synchronization

/// The transactions of a coordinator that are going on, each on a thread of its own.
package final class ThreadTransactions: Sendable {
    // @unchecked Sendable because the transaction is used by its thread alone.
    private struct Entry: @unchecked Sendable {
        let thread: UInt
        let transaction: StoreTransaction
    }

    /// Near at hand, as each save asks.
    private let count = Atomic<Int>(0)
    private let entries = UnfairMutex<[Entry]>([])

    /// The calling thread's.
    package var current: StoreTransaction? {
        guard count.load(ordering: .relaxed) > 0 else { return nil }
        let thread = ThreadValue.token
        return entries.withLock { $0.first { $0.thread == thread } }?.transaction
    }

    func begin(_ transaction: StoreTransaction) {
        let entry = Entry(thread: ThreadValue.token, transaction: transaction)
        entries.withLock { $0.append(entry) }
        count.add(1, ordering: .sequentiallyConsistent)
    }

    func end() {
        let thread = ThreadValue.token
        let former = entries.withLock { entries -> Entry? in
            entries.firstIndex { $0.thread == thread }.map { entries.remove(at: $0) }
        }
        count.subtract(1, ordering: .sequentiallyConsistent)
        withExtendedLifetime(former) {}
    }
}
