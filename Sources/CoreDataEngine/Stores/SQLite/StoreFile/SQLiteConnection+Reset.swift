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
}
