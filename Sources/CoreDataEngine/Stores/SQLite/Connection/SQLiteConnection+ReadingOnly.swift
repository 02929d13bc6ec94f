import CSQLite
package import Foundation

extension SQLiteConnection {
    /// Opens a file that must not be touched, and checks that it can be read.
    ///
    /// Opening a store in write-ahead mode makes SQLite create its `-wal` and `-shm` files even for reading. When there
    /// is no log with content, nobody writes the file, so it is read as it lies.
    ///
    /// A log that lies there unused, as beside a copied store, is read with it. Only what another process has open is read
    /// with locks, through the files that the process has made.
    ///
    /// - Parameter state: How the file looked a moment ago.
    convenience init(readingOnly path: String, configuration: SQLiteConfiguration, state: LogState) throws {
        var configuration = configuration
        configuration.access = state.readingAccess
        try self.init(path: path, configuration: configuration)
        do {
            _ = try firstValue("SELECT count(*) FROM sqlite_master")
        } catch {
            close()
            throw error
        }
    }

    /// Opens a file that must not be touched, for one look at it.
    package convenience init(readingOnly url: URL) throws {
        var configuration = SQLiteConfiguration(access: .readOnly)
        configuration.statementCacheLimit = 16
        configuration.memoryMap = 0
        try self.init(
            readingOnly: url.path, configuration: configuration, state: LogState(of: url))
    }
}
