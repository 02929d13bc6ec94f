import CSQLite

extension SQLiteConnection {
    /// Makes the database one without tables, under SQLite's locks.
    func removeAllContent() throws {
        statementCache.removeAll()
        guard csqlite_db_config(handle, SQLITE_DBCONFIG_RESET_DATABASE, 1) == SQLITE_OK else {
            throw SQLiteError(
                extendedCode: SQLITE_BUSY, message: "the database is in use", sql: nil, path: path)
        }
        defer { _ = csqlite_db_config(handle, SQLITE_DBCONFIG_RESET_DATABASE, 0) }
        try execute(script: "VACUUM")
    }

    /// Has the log, emptied, and the file of its index stay beside the database when the connection is closed.
    ///
    /// With a limit, SQLite empties the log at its end; this one is never reached before.
    func keepLog() throws {
        try setPragma("journal_size_limit", "\(Int64.max)")
        _ = csqlite_keep_log(handle)
    }
}
