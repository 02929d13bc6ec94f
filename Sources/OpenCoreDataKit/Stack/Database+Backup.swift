#if !canImport(ObjectiveC)
extension Database {
    /// Copies a store of the database while it is in use: a single state of it, with the files of its external
    /// values.
    ///
    /// The copy has everything that the store contains when the copy begins; ``settle()`` waits for saves in
    /// progress. Reading and writing continue during the copy. The copy is made beside the destination, checked,
    /// flushed to disk and renamed, so that a backup that fails, is cancelled or is killed leaves the destination
    /// unchanged. The copy opens like any store.
    ///
    /// - Parameters:
    ///   - url: The file of the copy, in an existing folder.
    ///   - configuration: The configuration of the store to copy, if the database has several SQLite stores.
    ///   - replacesExisting: Whether to replace an existing store, which must not be open anywhere.
    ///   - progress: Called several times during the copy, on any thread.
    /// - Returns: What was copied.
    /// - Throws: ``DatabaseError/storeFailed(store:url:cause:)`` with the engine's error;
    ///   ``DatabaseError/closed(name:)``; `CancellationError` if the task was cancelled.
    @discardableResult
    public func backup(
        to url: URL, configuration: String? = nil, replacesExisting: Bool = false,
        progress: (@Sendable (StoreBackupProgress) -> Void)? = nil
    ) async throws -> StoreBackupSummary {
        let coordinator = session.coordinator
        guard !coordinator.isRetired else { throw DatabaseError.closed(name: name) }
        let store = try storeToBackUp(configuration, of: coordinator)
        do {
            return try await coordinator.backUpPersistentStore(
                store, to: url, replacesExisting: replacesExisting, progress: progress)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw DatabaseError.storeFailed(store: store.url?.path ?? name, url: store.url, cause: error)
        }
    }

    /// The present figures of the SQLite stores, for a server's metrics. Reading them never waits.
    public var statistics: [StoreStatistics] {
        let coordinator = session.coordinator
        return coordinator.persistentStores.compactMap { coordinator.statistics(for: $0) }
    }

    /// Whether the files of all stores are where they were when they were opened, for a server's health.
    package var hasItsFiles: Bool { session.coordinator.hasItsFiles }

    private func storeToBackUp(
        _ configuration: String?, of coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPersistentStore {
        let stores = coordinator.persistentStores.filter { $0.type == NSSQLiteStoreType }
        let wanted = configuration.map { name in stores.filter { $0.configurationName == name } } ?? stores
        if wanted.count == 1 { return wanted[0] }
        let reason: String
        if stores.isEmpty {
            reason = "The database \(name) has no SQLite store; only SQLite stores can be backed up."
        } else if let configuration {
            reason = "The database \(name) has no SQLite store for the configuration \(configuration)."
        } else {
            let names = stores.map(\.configurationName).joined(separator: ", ")
            reason = "The database \(name) has several SQLite stores; name the configuration of one: \(names)."
        }
        throw DatabaseError.storeFailed(
            store: configuration ?? name, url: nil,
            cause: CoreDataError.make(NSPersistentStoreOperationError, reason))
    }
}
#endif
