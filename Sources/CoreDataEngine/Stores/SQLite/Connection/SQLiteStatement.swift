import CSQLite

/// A prepared statement.
///
/// Belongs to its connection and follows its confinement.
package final class SQLiteStatement {
    package let sql: String
    /// SQLite's handle, for row readers that call the C interface themselves; they call `willRun()` first.
    package let handle: OpaquePointer
    package let columnCount: Int32
    package let parameterCount: Int32
    /// How many bytes of the text the statement is; what follows isn't run.
    let length: Int

    /// Whether the statement is in use (maintained by the connection's cache).
    @exclusivity(unchecked) var isInUse = false
    /// When the cache was asked for the statement last, in its own counting.
    @exclusivity(unchecked) var lastUse: UInt64 = 0
    private unowned let connection: SQLiteConnection
    @exclusivity(unchecked) private var isRunning = false
    private var isFinalized = false

    init(connection: SQLiteConnection, sql: String, persistent: Bool) throws {
        self.connection = connection
        self.sql = sql
        var handle: OpaquePointer?
        var source = sql
        let (code, length) = source.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                var end: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    connection.handle, characters.baseAddress, Int32(characters.count),
                    persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &handle, &end)
                guard let end, let start = characters.baseAddress else { return (code, 0) }
                return (code, end - start)
            }
        }
        self.length = length
        guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
        guard let handle else {
            throw SQLiteError(
                extendedCode: SQLITE_MISUSE, message: "not a statement", sql: sql, path: connection.path)
        }
        self.handle = handle
        self.columnCount = sqlite3_column_count(handle)
        self.parameterCount = sqlite3_bind_parameter_count(handle)
    }

    deinit {
        finalize()
    }

    /// Ends the statement before its connection closes.
    func finalize() {
        guard !isFinalized else { return }
        isFinalized = true
        sqlite3_finalize(handle)
    }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is one.
    @inline(__always)
    package func step() throws -> Bool {
        if !isRunning { willRun() }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        try finishStep(code)
        return false
    }

    /// Notifies the connection's recorder that the statement is about to run.
    ///
    /// `step` does it by itself.
    package func willRun() {
        isRunning = true
        connection.recorder?(sql)
        connection.trace?.willRun(sql)
    }

    /// Checks the code of a `sqlite3_step` that gave no row.
    package func finishStep(_ code: Int32) throws {
        isRunning = false
        guard code == SQLITE_DONE else {
            let error = connection.error(code, sql: sql)
            sqlite3_reset(handle)
            // The trace may run statements, which replace the connection's message.
            connection.trace?.didEnd()
            throw error
        }
        connection.trace?.didEnd()
    }

    /// Runs a statement that gives no rows and makes it ready for the next run.
    package func execute() throws {
        while try step() {}
        sqlite3_reset(handle)
    }

    /// Makes the statement ready to run again.
    ///
    /// Bound values stay.
    package func reset() {
        isRunning = false
        sqlite3_reset(handle)
        connection.trace?.didEnd()
    }

    /// Sets all placeholders to NULL and releases the values.
    package func clearBindings() {
        if parameterCount > 0 { sqlite3_clear_bindings(handle) }
    }

    /// Name of a result column.
    package func columnName(at index: Int32) -> String {
        sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }

    /// Whether the statement leaves the database as it is.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    func check(binding code: Int32) throws {
        guard code == SQLITE_OK else { throw connection.error(code, sql: sql) }
    }
}
