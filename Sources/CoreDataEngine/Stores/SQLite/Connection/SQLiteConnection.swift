import CSQLite
import Foundation

/// One connection to a database file.
///
/// Not safe to share: SQLite's own mutex is switched off, so one thread at a time may use the connection and its
/// statements. The pool hands a connection to one caller at a time; code that opens one itself keeps it to itself.
package final class SQLiteConnection {
    /// SQLite's handle, for code that calls the C interface itself (row readers).
    package private(set) var handle: OpaquePointer
    package let path: String
    package let configuration: SQLiteConfiguration
    /// Called with the text of each statement that is run, before it runs.
    package var recorder: (@Sendable (String) -> Void)?
    /// What derived-attribute triggers reported since the save code last took it.
    package let affectedValues = AffectedValues()
    /// Takes the rows of a fetch that is read in one step.
    let rowFill = RowFillFunction()

    /// Reports the statements, if something wants to know of them.
    private(set) var trace: SQLTrace?

    let statementCache: SQLiteStatementCache
    private(set) var isClosed = false
    private let interruptHandle = SQLiteInterruptHandle()
    /// How long the write-ahead log is, for a connection that writes.
    var logLength: LogLength?
    /// Detects when the store's files are replaced. `nil` if file checks are off for this connection.
    var openFiles: OpenFiles?

    /// Opens a file and sets the connection up.
    ///
    /// Nothing is written: page layout and journal mode are set apart.
    ///
    /// - Throws: `SQLiteError`.
    package init(path: String, configuration: SQLiteConfiguration) throws {
        self.path = path
        self.configuration = configuration
        self.statementCache = SQLiteStatementCache(limit: configuration.statementCacheLimit)
        self.handle = try Self.open(path: path, configuration: configuration)
        interruptHandle.attach(handle)
        do {
            try configure()
            recorder = configuration.recorder
            trace = SQLTrace(configuration, path: path, handle: handle)
            trace?.begin()
        } catch {
            close()
            throw error
        }
    }

    /// Opens a database in memory, for tests.
    package convenience init(inMemory configuration: SQLiteConfiguration = .init(access: .readWriteCreate)) throws {
        try self.init(path: ":memory:", configuration: configuration)
    }

    deinit {
        close()
    }

    /// Finishes all statements and closes the connection.
    ///
    /// A second call does nothing.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        openFiles = nil
        interruptHandle.detach()
        statementCache.removeAll()
        trace?.end()
        UnmappingGate.unmapping { _ = sqlite3_close_v2(handle) }
    }

    /// Makes a running statement stop with `SQLITE_INTERRUPT`.
    ///
    /// The returned value may be used from any thread.
    package var interrupter: SQLiteInterruptHandle { interruptHandle }

    private static func open(path: String, configuration: SQLiteConfiguration) throws -> OpaquePointer {
        let access = configuration.access
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        var name = path
        var system: String?
        switch access {
        case .readWriteCreate, .readWrite:
            flags |= SQLITE_OPEN_READWRITE | (access == .readWriteCreate ? SQLITE_OPEN_CREATE : 0)
            if configuration.usesLogFileSystem { system = LogFileSystem.name }
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = uri(path: path) + "?immutable=1"
        case .unshared:
            flags |= SQLITE_OPEN_READONLY
            system = "unix-none"
        }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags, system)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(handle: handle, code: code, sql: nil, path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        if access == .unshared { keepLogUntouched(handle) }
        return handle
    }

    /// Makes SQLite hold the index of the write-ahead log in memory, and leave the log as it is when it closes.
    ///
    /// An index in memory is what SQLite has in exclusive mode ("Use of WAL Without Shared-Memory" in its documentation). It
    /// has to be chosen before the file is first read.
    private static func keepLogUntouched(_ handle: OpaquePointer) {
        _ = csqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        sqlite3_exec(handle, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil)
    }

    /// A `file:` URI in SQLite's reading, which only needs `%`, `?` and `#` escaped.
    private static func uri(path: String) -> String {
        var escaped = "file:"
        for character in path {
            switch character {
            case "%": escaped += "%25"
            case "?": escaped += "%3f"
            case "#": escaped += "%23"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
