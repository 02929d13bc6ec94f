#if !canImport(ObjectiveC)
    extension Database {
        /// Copies a store of the database while it is in use: one state of it, with the files of its external values.
        ///
        /// What is in the store when the copy begins is in the copy; ``settle()`` waits for saves that have begun. Reading and
        /// writing go on meanwhile. The copy is made beside the destination, checked, flushed to the disk and renamed: when the
        /// backup fails, is cancelled or killed, the destination is as it was. The copy is opened as any store is.
        ///
        /// - Parameters:
        ///   - url: The file of the copy, in a folder that exists.
        ///   - configuration: Which store, where the database has several in SQLite: the configuration that it keeps.
        ///   - replacesExisting: Whether a store that is there is replaced. Nobody may have it open.
        ///   - progress: Called now and then, on any thread.
        /// - Returns: What was copied.
        /// - Throws: ``DatabaseError/storeFailed(store:url:cause:)`` with what the engine said of the file;
        ///   ``DatabaseError/closed(name:)``; `CancellationError` when the task was cancelled.
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

        /// What the stores in SQLite are doing at this moment, for a server's metrics. Reading it waits for nobody.
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
                reason = "The database \(name) has no store in SQLite; only those are backed up."
            } else if let configuration {
                reason = "The database \(name) has no store in SQLite for the configuration \(configuration)."
            } else {
                let names = stores.map(\.configurationName).joined(separator: ", ")
                reason = "The database \(name) has several stores in SQLite; name the configuration of one: \(names)."
            }
            throw DatabaseError.storeFailed(
                store: configuration ?? name, url: nil,
                cause: CoreDataError.make(NSPersistentStoreOperationError, reason))
        }
    }
#endif
