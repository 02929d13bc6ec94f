import CSQLite
import Foundation

extension SQLiteConnection {
    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs a block in a transaction that takes the write lock at once, commits when it returns, and rolls back when it
    /// throws.
    ///
    /// Inside an open transaction it becomes a savepoint.
    ///
    /// - Parameter willCommit: As for `commit`; not called for a savepoint.
    package func transaction<Result>(
        willCommit: () -> Void = {}, _ body: () throws -> Result
    ) throws -> Result {
        if isInTransaction { return try savepoint(body) }
        try begin()
        do {
            let result = try body()
            try commit(willCommit)
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs several reads on a single state of the file, even if others commit in the meantime.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try body() }
        try run("BEGIN")
        defer { rollback() }
        return try body()
    }

    /// Has the transaction that has begun read the present state, which otherwise the first read decides.
    package func fixState() throws { _ = try firstValue("SELECT 1 FROM sqlite_master LIMIT 1") }

    /// Starts a transaction that takes the write lock at once, so that a busy store is noticed before any work is done.
    package func begin() throws { try run("BEGIN IMMEDIATE") }

    /// Commits, provided that the files are in place.
    ///
    /// - Parameter willCommit: Called when that is known. Whether the transaction is committed is not, if this throws
    ///   then.
    package func commit(_ willCommit: () -> Void = {}) throws {
        try checkFilesAreInPlace()
        willCommit()
        try run("COMMIT")
        openFiles?.recordNewFiles()
    }

    /// Ends an open transaction without keeping its changes.
    ///
    /// Does nothing when SQLite has rolled back itself.
    package func rollback() {
        guard isInTransaction else { return }
        // A rollback that fails leaves the transaction to be rolled back when the connection closes.
        _ = try? run("ROLLBACK")
    }

    /// Runs a block whose changes are undone when it throws, inside an open transaction.
    package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try run("SAVEPOINT engine")
        do {
            let result = try body()
            try run("RELEASE engine")
            return result
        } catch {
            if isInTransaction {
                _ = try? run("ROLLBACK TO engine")
                _ = try? run("RELEASE engine")
            }
            throw error
        }
    }

    /// What a save is of a transaction.
    enum Part {
        /// All of it.
        case whole
        /// One of several, which can be undone by itself.
        case part
        /// The last one: the transaction is going to be undone with it.
        case end
    }

    /// Starts a transaction, or inside of one a part of it.
    ///
    /// - Parameter isLast: Whether nothing comes after it in the transaction, and its failure is that of the transaction.
    /// - Returns: What `commit(_:)` and `rollback(_:)` need.
    func beginPart(isLast: Bool = false) throws -> Part {
        guard isInTransaction else {
            try begin()
            return .whole
        }
        if isLast { return .end }
        try run("SAVEPOINT part")
        return .part
    }

    /// Ends what `beginPart()` began and keeps its changes; those of a part go with the transaction around it.
    ///
    /// - Parameter willCommit: As for `commit`; not called for a part.
    func commit(_ part: Part, _ willCommit: () -> Void = {}) throws {
        switch part {
        case .whole: try commit(willCommit)
        case .part: try run("RELEASE part")
        case .end: break
        }
    }

    /// Ends what `beginPart()` began without keeping its changes. Does nothing when SQLite has rolled back itself.
    func rollback(_ part: Part) {
        guard part == .part else { return rollback() }
        guard isInTransaction else { return }
        _ = try? run("ROLLBACK TO part")
        _ = try? run("RELEASE part")
    }

    /// The size of the write-ahead log in bytes, or 0 if the log doesn't exist yet.
    var logSize: Int64 { csqlite_log_size(handle) }

    /// Moves the write-ahead log into the file and empties it.
    ///
    /// - Returns: Whether all of it could be moved; false while other connections read.
    @discardableResult
    package func checkpoint() throws -> Bool {
        let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return false }
        guard code == SQLITE_OK else { throw error(code) }
        return true
    }

    /// Does a checkpoint, and finds out whether a reader still uses the log. Never waits.
    ///
    /// - Returns: Whether all frames were checkpointed and no reader uses the log. Then every transaction that was
    ///   committed before is on the disk, and every reader of every process sees it.
    func settleLog() throws -> Bool {
        var pages: Int32 = 0
        var moved: Int32 = 0
        let code = withoutWaiting {
            sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_RESTART, &pages, &moved)
        }
        if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return false }
        guard code == SQLITE_OK else { throw error(code) }
        // Without a log readers keep writers from committing. The end of a journal is an entry of the folder that goes.
        if pages < 0 { DurableFile.synchronize(folder: URL(fileURLWithPath: path).deletingLastPathComponent()) }
        return pages == moved
    }

    /// Runs a block whose statements fail at once where others would have to be waited for.
    func withoutWaiting<Result>(_ body: () throws -> Result) rethrows -> Result {
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, configuration.busyTimeout) }
        return try body()
    }
}
