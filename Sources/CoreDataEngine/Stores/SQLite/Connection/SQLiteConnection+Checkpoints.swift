import CSQLite

extension SQLiteConnection {
    /// Does a checkpoint of the frames that can be moved without waiting.
    ///
    /// - Returns: The number of frames in the log, and of those that are in the file; `nil` while another checkpoint is
    ///   running.
    func moveLog() throws -> (frames: Int, moved: Int)? {
        var (frames, moved): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &moved)
        if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return nil }
        guard code == SQLITE_OK else { throw error(code) }
        return (Int(max(0, frames)), Int(max(0, moved)))
    }

    /// Moves the log into the file and makes it empty, if readers are done within some milliseconds.
    ///
    /// - Returns: Whether the log is empty.
    func emptyLog(waiting milliseconds: Int32) throws -> Bool {
        guard case .integer(let former)? = try firstValue("PRAGMA busy_timeout") else { return false }
        sqlite3_busy_timeout(handle, milliseconds)
        defer { sqlite3_busy_timeout(handle, Int32(clamping: former)) }
        return try checkpoint()
    }

    /// How large a page of the file is, in bytes.
    func pageSize() throws -> Int64 {
        guard case .integer(let size)? = try firstValue("PRAGMA page_size") else { return 0 }
        return size
    }
}
