public import Foundation

extension NSPersistentStoreCoordinator {
    /// Copies a SQLite store while it is in use: one state of it, with the files of its external values. Not part of Apple's
    /// framework.
    ///
    /// Everybody goes on reading and writing meanwhile; what is saved after the copy has begun is not in it. Until the copy is
    /// done the write-ahead log can't be emptied, so it grows. (A store without a write-ahead log can't be written while it is
    /// copied.) External values are hard links to the store's own files where the copy is on the same disk.
    ///
    /// The copy is made beside the destination, checked (`PRAGMA quick_check`, and each external value), flushed to the disk
    /// and renamed. When the backup fails, is cancelled or killed, the destination is as it was, and the next backup to the
    /// same URL removes what is left over. The copy keeps the store's UUID.
    ///
    /// - Parameters:
    ///   - store: A SQLite store of this coordinator.
    ///   - url: The file of the copy, in a folder that exists.
    ///   - replacesExisting: Whether a store that is there is replaced. Nobody may have it open.
    ///   - progress: Called now and then, on a thread of the engine's.
    /// - Returns: What was copied.
    /// - Throws: A `CocoaError` that names the file: `fileWriteFileExists` when the URL is taken, or is the store's own;
    ///   `fileReadNoSuchFile` when an external value is missing; `fileReadCorruptFile` when the store is damaged;
    ///   `fileWriteOutOfSpace`. `CancellationError` when the task was cancelled.
    @discardableResult
    public func backUpPersistentStore(
        _ store: NSPersistentStore, to url: URL, replacesExisting: Bool = false,
        progress: (@Sendable (StoreBackupProgress) -> Void)? = nil
    ) async throws -> StoreBackupSummary {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(store.shortName) is none of this coordinator, so it can't be backed up with it.",
                path: store.url?.path)
        }
        let backup = try StoreBackup(of: store, to: url, replacesExisting: replacesExisting, progress: progress)
        return try await backup.runInBackground()
    }
}
