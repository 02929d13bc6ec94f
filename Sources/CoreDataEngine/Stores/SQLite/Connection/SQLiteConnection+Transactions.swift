import CSQLite

extension SQLiteConnection {
    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs a block in a transaction that takes the write lock at once, commits when it returns, and rolls back when it
    /// throws.
    ///
    /// Inside an open transaction it becomes a savepoint.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try savepoint(body) }
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Runs several reads on one state of the file, whatever others commit meanwhile.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        if isInTransaction { return try body() }
        try run("BEGIN")
        defer { rollback() }
        return try body()
    }

    /// Starts a transaction that takes the write lock at once, so that a busy store is noticed before any work is done.
    package func begin() throws { try run("BEGIN IMMEDIATE") }

    package func commit() throws { try run("COMMIT") }

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

    /// Throws when the file was moved, replaced or removed since it was opened.
    ///
    /// One `stat` call.
    package func checkFileIsInPlace() throws {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard code == SQLITE_OK, hasMoved != 0 else { return }
        throw SQLiteError(
            extendedCode: SQLiteExtendedCode.movedFile, message: "the file was moved or removed", sql: nil, path: path)
    }

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
}
