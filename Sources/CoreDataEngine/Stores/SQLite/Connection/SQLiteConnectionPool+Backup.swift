import Foundation
import Synchronization

extension SQLiteConnectionPool {
    /// Runs a block with a separate connection inside of a read transaction, which doesn't count as one of the pool's
    /// readers.
    ///
    /// - Parameter body: Receives the connection, and a function that returns whether a file that is read without locks
    ///   is unchanged.
    /// - Throws: `SQLiteError`, and the error of the block.
    func readingForBackup<Result>(
        _ body: (_ connection: SQLiteConnection, _ isUntouched: () -> Bool) throws -> Result
    ) throws -> Result {
        let lease = try Self.openReader(url: url, configuration: configuration)
        state.withLock { $0.backups += 1 }
        defer {
            lease.connection.rollback()
            lease.connection.close()
            state.withLock { $0.backups -= 1 }
        }
        return try lease.connection.snapshot {
            // The transaction takes its place in the log with the first read.
            _ = try lease.connection.firstValue("SELECT 1 FROM sqlite_master LIMIT 1")
            return try body(lease.connection) { lease.trusted == nil || lease.trusted == LogState(of: url) }
        }
    }
}
