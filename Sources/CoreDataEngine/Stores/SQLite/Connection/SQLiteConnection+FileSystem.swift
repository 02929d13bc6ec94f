import CSQLite

extension SQLiteConnection {
    /// Whether the frames of a transaction are written to the log with one call, for tests.
    package var usesLogFileSystem: Bool {
        var system: UnsafeMutablePointer<sqlite3_vfs>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_VFS_POINTER, &system) == SQLITE_OK,
            let name = system?.pointee.zName
        else { return false }
        return String(cString: name) == "opencoredata-log"
    }
}
