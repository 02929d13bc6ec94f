public import Foundation
import Synchronization

/// What an open SQLite store is doing at a moment, for a server's metrics. Not part of Apple's framework.
public struct StoreStatistics: Sendable, Hashable {
    /// The store's file.
    public var storeURL: URL
    /// How long the write-ahead log is, in bytes.
    public var logBytes: Int64
    /// Whether the log is longer than ``StoreLimits/largestLog`` because somebody reads an old state, as of the last write.
    public var isLogTooLong: Bool
    /// How often that began since the store was opened.
    public var logWarnings: Int
    /// How many pinned query generations were ended because of that.
    public var endedGenerations: Int
    /// How many writes were refused because of that.
    public var refusedWrites: Int
    /// How many connections may read at a time.
    public var maximumReaders: Int
    /// How many of them are in use.
    public var readersInUse: Int
    /// How many threads wait for one.
    public var waitingReaders: Int
    /// How many threads wait for the connection that writes. In a store without a write-ahead log it reads, too.
    public var waitingWriters: Int
    /// How many query generations are pinned. Each has a connection of its own.
    public var pinnedGenerations: Int
    /// How long ago the oldest of them was pinned, in seconds.
    public var oldestGenerationAge: TimeInterval?
    /// How many backups are under way.
    public var runningBackups: Int
    /// How many rows the contexts' objects have in memory; a row that several contexts read counts once.
    public var cachedRows: Int
}

extension NSPersistentStoreCoordinator {
    /// What a store is doing at this moment; `nil` for a store that is not open, or no SQLite store. Not part of Apple's
    /// framework. Reading it waits for nobody.
    public func statistics(for store: NSPersistentStore) -> StoreStatistics? {
        guard let store = store as? SQLiteStore, let pool = try? store.runtime().pool else { return nil }
        return pool.statistics(cachedRows: store.rowCache.count)
    }
}

extension SQLiteConnectionPool {
    /// What the pool is doing at this moment.
    package func statistics(cachedRows: Int) -> StoreStatistics {
        let ages = livingSnapshots.map(\.age)
        let (log, readers, backups) = state.withLock { ($0.log, $0.readersInUse, $0.backups) }
        return StoreStatistics(
            storeURL: url, logBytes: LogState.logSize(at: logPath), isLogTooLong: log.isOver, logWarnings: log.warnings,
            endedGenerations: log.endedGenerations, refusedWrites: log.refusedWrites,
            maximumReaders: limits.maximumReaders, readersInUse: readers, waitingReaders: readerGate.waitingCount,
            waitingWriters: writerGate.waitingCount, pinnedGenerations: ages.count, oldestGenerationAge: ages.max(),
            runningBackups: backups, cachedRows: cachedRows)
    }
}
