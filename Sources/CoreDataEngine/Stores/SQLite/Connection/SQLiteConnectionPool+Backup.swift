import Foundation
import Synchronization

extension SQLiteConnectionPool {
    /// Runs a block with a connection of its own inside of a read transaction, which takes none of the pool's readers
    /// away.
    ///
    /// - Parameter body: Gets the connection, and what says whether nobody wrote a file that is read without locks.
    /// - Throws: `SQLiteError`, and what the block throws.
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
