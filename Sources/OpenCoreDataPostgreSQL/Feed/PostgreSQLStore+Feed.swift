#if PostgreSQL
import Foundation
import OpenCoreData

/// What a store follows other writers with.
final class StoreFeed: Sendable {
    private struct State {
        var monitor: RemoteChangeMonitor?
        var waker: PostgreSQLChangeWaker?
        /// Transactions of this store's own that the feed has not come past.
        var own: Set<Int64> = []
    }

    private let state = UnfairMutex(State())
    let delay = FeedDelay()

    func begin(_ monitor: RemoteChangeMonitor, _ waker: PostgreSQLChangeWaker?) {
        state.withLock { ($0.monitor, $0.waker) = (monitor, waker) }
    }

    func end() {
        let monitor = state.withLock { state in
            defer { (state.monitor, state.waker) = (nil, nil) }
            return state.monitor
        }
        monitor?.cancel()
    }

    /// - Parameter isCached: Whether the rows in memory are as the transaction has them.
    func didCommit(_ number: Int64, isCached: Bool) {
        let waker = state.withLock { state in
            if state.waker != nil, isCached { state.own.insert(number) }
            return state.waker
        }
        waker?.didCommit(number)
    }

    /// Returns the numbers that aren't this store's own, and forgets its own numbers up to the last of them.
    func others(of numbers: [Int64]) -> [Int64] {
        state.withLock { state in
            let others = numbers.filter { !state.own.contains($0) }
            if let last = numbers.last { state.own = state.own.filter { $0 > last } }
            return others
        }
    }
}

extension PostgreSQLStore {
    /// Whether notifications of other programs' transactions are on.
    private var announcesRemoteChanges: Bool {
        Self.flag(options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey]) == true
    }

    /// Follows the store's history, for a store that announces changes.
    func startFeed() {
        guard announcesRemoteChanges, let runtime = try? runtime(), let last = try? lastTransactionNumber() else {
            return
        }
        var made: PostgreSQLChangeWaker?
        let monitor = RemoteChangeMonitor(self, after: last) { _, look in
            do {
                let waker = try PostgreSQLChangeWaker(
                    runtime.connections.address, options: runtime.connections.options,
                    store: runtime.storeIdentifier, didLose: { [weak self] in self?.rowCache.removeAll() },
                    wake: look)
                made = waker
                return waker
            } catch {
                DiagnosticLog.warn("OpenCoreData.PostgreSQL", "The store doesn't follow others' changes: \(error)")
                return NoWaker()
            }
        }
        feed.begin(monitor, made)
    }

    private struct NoWaker: ChangeWaker {
        func cancel() {}
    }

    /// Forgets the rows in memory that transactions of others have changed.
    ///
    /// - Parameter numbers: Those that are new in the history.
    func forgetRows(changedBy numbers: [Int64], _ runtime: PostgreSQLRuntime, _ connection: PostgreSQLConnection)
        throws
    {
        let others = feed.others(of: numbers)
        guard !others.isEmpty else { return }
        // A replica that doesn't have them yet would bring back what they changed.
        if runtime.connections.replicas != nil {
            try connection.currentPosition().map(runtime.connections.required.record)
        }
        try connection.forEachRow(
            "SELECT DISTINCT entity, reference FROM \(runtime.schema.qualified("ocd_change")) "
                + "WHERE number = ANY($1::int8[])", PostgreSQLStore.keys(others)
        ) { row in
            guard let entity = runtime.mapping.entity(number: try row.integer(0)) else { return }
            rowCache.forget(reference: try row.integer(1), root: entity.layout.root)
        }
    }
}
#endif
