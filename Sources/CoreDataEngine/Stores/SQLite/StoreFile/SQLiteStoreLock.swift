import Foundation

/// Keeps others from writing a store while it is migrated or replaced.
final class SQLiteStoreLock {
    private let connection: SQLiteConnection
    private let journalMode: String
    private var isReplaced = false
    private let suspended: SuspendedStores?

    /// Moves the write-ahead log into the file, so that the file is the whole store, and takes the write lock.
    ///
    /// - Parameter suspendsOwn: Whether the stores that this process has open on the file are closed until the lock is
    ///   released.
    /// - Throws: `NSPersistentStoreTimeoutError` while another connection has the store open; what opening gives.
    init(_ url: URL, options: [AnyHashable: Any]?, suspendsOwn: Bool = false) throws {
        let suspended = suspendsOwn ? OpenStores.suspend(url) : nil
        self.suspended = suspended
        var configuration = SQLiteConfiguration(access: .readWrite)
        configuration.waitForOthers(as: options)
        do {
            connection = try SQLiteConnection(path: url.path, configuration: configuration)
            do {
                journalMode = try connection.journalMode()
                try connection.setPragma("journal_mode", "DELETE")
                try connection.begin()
            } catch {
                connection.close()
                throw error
            }
        } catch {
            suspended?.resume(isReplaced: false)
            throw (error as? SQLiteError)?.cocoaError(while: .saving) ?? error
        }
    }

    /// The file that is locked is no longer the store.
    func didReplaceFile() { isReplaced = true }

    /// Ends the lock; the store has its journal mode again unless it was replaced.
    func release() {
        connection.rollback()
        if !isReplaced, journalMode == "wal" { try? connection.setPragma("journal_mode", "WAL") }
        connection.close()
        suspended?.resume(isReplaced: isReplaced)
    }
}
