import CSQLite

extension CancellableRead {
    /// How many of SQLite's instructions may run between two looks.
    private static let instructions: Int32 = 4_000

    /// Runs a block that uses a connection. During the block, the search of this thread, if it has one, can be stopped.
    @inline(__always)
    static func reading<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        guard let current else { return try body() }
        return try current.reading(connection, body)
    }

    private func reading<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        try check()
        guard begin(with: connection.interrupter) else { return try body() }
        sqlite3_progress_handler(
            connection.handle, Self.instructions,
            { box in
                guard let box else { return 0 }
                return Unmanaged<CancellableRead>.fromOpaque(box).takeUnretainedValue().tick() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_progress_handler(connection.handle, 0, nil, nil)
            end(with: connection.interrupter)
        }
        return try body()
    }
}
