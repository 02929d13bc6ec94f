import EngineShims

/// The file system of SQLite's that writes a transaction's frames to the log with one call.
package enum LogFileSystem {
    /// Its name; `nil` if it isn't available, and SQLite writes by itself.
    package static var name: String? {
        #if PORTABLE
        return nil
        #else
        return engine_log_file_system().map { String(cString: $0) }
        #endif
    }

    /// The system's number for the last read that failed of the rollback journal that was opened last in this thread; 0 where
    /// none failed, or it isn't known.
    static var lastJournalError: Int32 {
        #if PORTABLE
        return 0
        #else
        return engine_last_journal_error()
        #endif
    }

    /// The system's number for the last call on a file that failed in this thread with an extended result code of SQLite's; 0
    /// where it isn't known.
    static func lastFileError(_ extendedCode: Int32) -> Int32 {
        #if PORTABLE
        return 0
        #else
        return engine_last_file_error(extendedCode)
        #endif
    }
}
