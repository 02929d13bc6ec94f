import CSQLite

extension SQLiteConnection {
    /// Prepares a statement that the caller owns.
    ///
    /// - Parameters:
    ///   - sql: One statement, written by this engine; values are bound, never part of the text.
    ///   - persistent: Whether it will be kept for long, which lets SQLite place its memory accordingly.
    package func prepare(_ sql: String, persistent: Bool = false) throws -> SQLiteStatement {
        try SQLiteStatement(connection: self, sql: sql, persistent: persistent)
    }

    /// Lends out a prepared statement of this text, from the cache where possible, and resets it afterwards.
    ///
    /// Nested use of the same text is safe: the inner caller gets a statement of its own.
    package func withStatement<Result>(
        _ sql: String, _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let statement = try checkOut(sql)
        defer { checkIn(statement) }
        return try body(statement)
    }

    /// Takes a prepared statement; give it back with `checkIn`.
    ///
    /// For callers whose use does not fit a closure.
    package func checkOut(_ sql: String) throws -> SQLiteStatement {
        if let cached = statementCache.statement(for: sql) {
            if !cached.isInUse {
                cached.isInUse = true
                return cached
            }
            return try prepare(sql)
        }
        let statement = try prepare(sql, persistent: true)
        statement.isInUse = true
        statementCache.insert(statement)
        return statement
    }

    /// Resets a statement and makes it available again.
    package func checkIn(_ statement: SQLiteStatement) {
        statement.reset()
        statement.clearBindings()
        statement.isInUse = false
    }

    /// Runs a statement to its end.
    ///
    /// - Returns: The number of rows it changed.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try withStatement(sql) { statement in
            try statement.bind(values)
            while try statement.step() {}
        }
        return changes
    }

    /// Runs one or more statements that take no values, for schema changes.
    ///
    /// Nothing is cached.
    package func execute(script: String) throws {
        recorder?(script)
        var message: UnsafeMutablePointer<CChar>?
        let code = sqlite3_exec(handle, script, nil, nil, &message)
        sqlite3_free(message)
        guard code == SQLITE_OK else { throw error(code, sql: script) }
    }

    /// The first column of the first row; `nil` if there are no rows.
    package func firstValue(_ sql: String, _ values: [SQLValue] = []) throws -> SQLValue? {
        try withStatement(sql) { statement in
            try statement.bind(values)
            return try statement.step() ? statement.value(at: 0) : nil
        }
    }

    /// All rows of a small result.
    package func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [[SQLValue]] {
        try withStatement(sql) { statement in
            try statement.bind(values)
            var rows: [[SQLValue]] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
            }
            return rows
        }
    }

    /// Rows changed by the last statement that ran to its end.
    package var changes: Int { Int(sqlite3_changes(handle)) }
    /// Rows changed since the connection was opened, those changed by triggers included.
    package var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

    func error(_ code: Int32, sql: String? = nil) -> SQLiteError {
        SQLiteError(handle: handle, code: code, sql: sql, path: path)
    }
}
