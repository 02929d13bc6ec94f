public import Foundation

extension NSPersistentStoreCoordinator {
    /// Copies a SQLite store while it is in use: a single state of it, with the files of its external values. Not part
    /// of Apple's framework.
    ///
    /// Reading and writing continue during the copy; what is saved after the copy has begun isn't included. The
    /// write-ahead log can't be emptied until the copy is done, so it grows. (A store without a write-ahead log can't
    /// be written during the copy.) External values are hard links to the store's own files if the copy is on the same
    /// disk.
    ///
    /// The copy is made beside the destination, checked (`PRAGMA quick_check`, and each external value), flushed to
    /// disk and renamed. If the backup fails, is cancelled or killed, the destination is unchanged, and the next backup
    /// to the same URL removes what is left over. The copy keeps the store's UUID.
    ///
    /// - Parameters:
    ///   - store: A SQLite store of this coordinator.
    ///   - url: The file of the copy, in an existing folder.
    ///   - replacesExisting: Whether to replace an existing store, which must not be open anywhere.
    ///   - progress: Called several times during the copy, on a thread of the engine.
    /// - Returns: What was copied.
    /// - Throws: A `CocoaError` that names the file: `fileWriteFileExists` if the URL is taken, or is the store's own;
    ///   `fileReadNoSuchFile` if an external value is missing; `fileReadCorruptFile` if the store is damaged;
    ///   `fileWriteOutOfSpace`. `CancellationError` if the task was cancelled.
    @discardableResult
    public func backUpPersistentStore(
        _ store: NSPersistentStore, to url: URL, replacesExisting: Bool = false,
        progress: (@Sendable (StoreBackupProgress) -> Void)? = nil
    ) async throws -> StoreBackupSummary {
        guard persistentStores.contains(where: { $0 === store }) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store \(store.shortName) doesn't belong to this coordinator, so this coordinator can't back it up.",
                path: store.url?.path)
        }
        let backup = try StoreBackup(of: store, to: url, replacesExisting: replacesExisting, progress: progress)
        return try await backup.runInBackground()
    }
}
