public import Foundation

/// What an open SQLite store is doing at a moment, for a server's metrics. Not part of Apple's framework.
public struct StoreStatistics: Sendable, Hashable {
    /// The store's file, or its location on a server, without a password.
    public var storeURL: URL
    /// How long the write-ahead log is, in bytes.
    public var logBytes: Int64
    /// Whether the log is longer than ``StoreLimits/largestLog`` because of a reader of an old state, as of the last
    /// write.
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
    /// How many rows are in memory: those of living objects and those that were read along with them. A row that several
    /// contexts read counts once; rows of pinned query generations don't count.
    public var cachedRows: Int
    /// How long changes by other programs have been held back by a transaction that began earlier and still runs, in seconds;
    /// 0 where none is. Stores on a server have this, while they follow changes.
    public var feedDelay: TimeInterval = 0
    /// What the store has done since it was opened.
    public var work = StoreWork()
}

extension StoreStatistics {
    /// Figures of a store without a log.
    package init(
        storeURL: URL, connections: Int, inUse: Int, waiting: Int, pinnedGenerations: Int, cachedRows: Int
    ) {
        self.init(
            storeURL: storeURL, logBytes: 0, isLogTooLong: false, logWarnings: 0, endedGenerations: 0, refusedWrites: 0,
            maximumReaders: connections, readersInUse: inUse, waitingReaders: waiting, waitingWriters: 0,
            pinnedGenerations: pinnedGenerations, oldestGenerationAge: nil, runningBackups: 0, cachedRows: cachedRows)
    }
}
