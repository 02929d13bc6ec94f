import Foundation
import Synchronization

/// A state of a store file that stays readable while others write: a separate connection inside of a read transaction.
///
/// It ends when it is released, or with the pool. Until then, the write-ahead log keeps everything that is written, so
/// it grows.
// @unchecked Sendable because the connection is only used under `gate`.
package final class ReadSnapshot: StoreGeneration, @unchecked Sendable {
    package let rowCache = RowCache()
    private let pool: SQLiteConnectionPool
    /// Recursive: reading one row may make another one be read.
    private let gate = NSRecursiveLock()
    private var connection: SQLiteConnection?
    /// How many reads are under way, one inside of another.
    private var depth = 0
    private let began = ContinuousClock.now
    /// Why the snapshot ends before it is released.
    private let expiry = Mutex<CocoaError?>(nil)
    private let isEnded = Atomic<Bool>(false)
    /// Whether the connection goes back to the pool.
    private let isLent: Bool

    fileprivate init(pool: SQLiteConnectionPool, connection: SQLiteConnection, isLent: Bool = false) {
        self.pool = pool
        self.connection = connection
        self.isLent = isLent
    }

    deinit { end() }

    /// Runs a block in which the pool's reads, on this thread, see the snapshot.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        gate.lock()
        defer { gate.unlock() }
        if depth == 0 { endIfExpired() }
        guard let connection else { throw expiry.withLock { $0 } ?? pool.closedError }
        depth += 1
        defer {
            depth -= 1
            if depth == 0 { endIfExpired() }
        }
        return try pool.holding(connection, body)
    }

    package var isOver: Bool { isEnded.load(ordering: .acquiring) || expiry.withLock { $0 } != nil }

    /// How long ago the state was pinned, in seconds.
    var age: Double { began.duration(to: .now) / .seconds(1) }

    /// Ends the snapshot although it is still held: at once, or after the read that is running.
    ///
    /// - Parameter error: The error that later reads throw.
    func expire(_ error: CocoaError) {
        expiry.withLock { $0 = $0 ?? error }
        // A thread that holds the gate is reading, and checks this afterwards.
        guard gate.try() else { return }
        defer { gate.unlock() }
        if depth == 0 { endIfExpired() }
    }

    private func endIfExpired() {
        if connection != nil, expiry.withLock({ $0 != nil }) { end() }
    }

    /// Ends the transaction and closes the connection.
    fileprivate func end() {
        gate.lock()
        defer { gate.unlock() }
        connection?.rollback()
        if !isLent { connection?.close() }
        connection = nil
        isEnded.store(true, ordering: .releasing)
    }
}

extension SQLiteConnectionPool {
    /// A snapshot that may be gone.
    struct SnapshotReference {
        weak var snapshot: ReadSnapshot?
    }

    /// Pins the present state of the file.
    ///
    /// - Returns: `nil` where readers would keep writers out (without a write-ahead log), or nothing may be written beside
    ///   the file.
    package func snapshot() throws -> ReadSnapshot? {
        guard isConcurrent, configuration.isWritable else { return nil }
        let snapshot = try translating(.opening) {
            let connection = try Self.openReader(url: url, configuration: configuration).connection
            try connection.run("BEGIN")
            try connection.fixState()
            return ReadSnapshot(pool: self, connection: connection)
        }
        let isClosed = state.withLock { state in
            state.snapshots.removeAll { $0.snapshot == nil }
            state.snapshots.append(SnapshotReference(snapshot: snapshot))
            return state.isClosed
        }
        guard !isClosed else {
            snapshot.end()
            throw closedError
        }
        return snapshot
    }

    /// Runs a block with a snapshot on a connection of the pool, without the limit on those that read at a time.
    ///
    /// The block's thread reads from it where it is told to alone.
    ///
    /// - Parameter atOnce: Whether the state is the current one, instead of that of the first read.
    func lendingSnapshot<Result>(atOnce: Bool = false, _ body: (ReadSnapshot) throws -> Result) throws -> Result {
        let lease = try takeReader()
        withdrawHolder(of: lease)
        defer { giveBackReader(lease) }
        _ = try translating(.reading) { try lease.connection.run("BEGIN") }
        let snapshot = ReadSnapshot(pool: self, connection: lease.connection, isLent: true)
        defer { snapshot.end() }
        if atOnce { try translating(.reading) { try lease.connection.fixState() } }
        return try body(snapshot)
    }

    /// Runs a block on the only connection of a file without a write-ahead log, which can't be written in the meantime.
    ///
    /// - Parameter atOnce: Whether the state is the current one, instead of that of the first read.
    func readingAlone<Result>(atOnce: Bool = false, _ body: () throws -> Result) throws -> Result {
        try read { connection in
            try connection.snapshot {
                if atOnce { try connection.fixState() }
                return try body()
            }
        }
    }

    /// Ends all snapshots, waiting for those that are being read from.
    func endSnapshots() {
        let snapshots = state.withLock { state in
            defer { state.snapshots = [] }
            return state.snapshots.compactMap(\.snapshot)
        }
        for snapshot in snapshots { snapshot.end() }
    }
}
