import Foundation

/// How a database file is opened.
package struct SQLiteConfiguration: Sendable {
    package enum Access: Sendable, Hashable {
        /// Makes the file when it is missing.
        case readWriteCreate
        case readWrite
        /// Never writes the file; another process may.
        case readOnly
        /// Reads the file as if nothing could change it: no locks, no `-wal` or `-shm` file made.
        case immutable
        /// Reads the file and its write-ahead log as if no other process could, and makes no `-shm` file.
        case unshared
    }

    package var access: Access
    /// Whether statements that write are refused although the file is open for writing (a pool's readers).
    package var isQueryOnly = false
    /// How long a statement waits for another connection's lock before it fails, in milliseconds.
    package var busyTimeout: Int32 = 5_000
    /// SQLite's page cache, in KiB.
    ///
    /// A limit: pages are taken as needed.
    package var cacheSize = 16_384
    /// How much of the file is read through a memory map, in bytes.
    package var memoryMap = 256 << 20
    /// How many pages the write-ahead log has before they are moved into the file: by a pool beside other work, otherwise by
    /// the commit.
    ///
    /// Moving them waits for the disk twice, which takes as long as hundreds of small transactions. Up to 4,062 pages the
    /// log's index is a single table, so that reading stays as fast as it is with SQLite's own 1,000.
    package var logPages: Int32 = 4_000
    /// Whether checkpoints run in the background, so that a commit does one only at twice the length.
    var movesLogBeside = false
    /// Statements kept prepared per connection.
    package var statementCacheLimit = 160
    /// The journal mode for a store open for writing; nil leaves the file's own.
    package var journalMode: String? = "WAL"
    /// Whether the frames of a transaction are written to the log with one call (`engine_log_file_system`), which the
    /// environment variable `OPENCOREDATA_LOG_FILE_SYSTEM=0` switches off too.
    package var usesLogFileSystem = true
    /// Whether the write-ahead log, emptied, and its index stay beside the file when the last connection is closed, as with
    /// Apple's framework: programs remove the three files one by one.
    ///
    /// What is never removed by its name can't be removed from beside another file that took the place of the first.
    var keepsLog = false
    /// Further pragmas in order (`NSSQLitePragmasOption`), after the ones above.
    package var pragmas: [(name: String, value: String)] = []
    /// Called with the text of each statement that is run, before it runs.
    ///
    /// For tests that count, and for logs.
    package var recorder: (@Sendable (String) -> Void)?

    /// Where what is run is logged, with times.
    var log = SQLLog.launched
    /// Where statements are logged that take long.
    package var slow: SlowStatementLog?

    package init(access: Access) {
        self.access = access
    }

    /// Takes over how long the options of a store say that other processes are waited for (`NSPersistentStoreTimeoutOption`).
    mutating func waitForOthers(as options: [AnyHashable: Any]?) {
        guard let seconds = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue, seconds > 0 else {
            return
        }
        busyTimeout = Int32(min(seconds * 1_000, Double(Int32.max)))
    }

    /// At how many pages a commit moves the log into the file by itself.
    var mostLogPages: Int32 { movesLogBeside ? 2 * logPages : logPages }

    /// Whether the access allows writing.
    package var isWritable: Bool { access == .readWrite || access == .readWriteCreate }
}
