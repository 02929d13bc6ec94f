import Foundation
import OpenCoreDataKit

extension PersistentContainer {
    /// Deletes the files of all SQLite stores, so that the next start creates new ones.
    ///
    /// If the stores are loaded, they are removed from the container first, and after the deletion an error says that the
    /// contexts can no longer be used. An in-memory container has no files, and doesn't delete those of other containers
    /// with its name.
    ///
    /// - Throws: ``Error/reinitializationRequired`` if loaded stores were deleted;
    ///   ``Error/cannotDeleteSQLLiteStoresWhileLoading``; or the error of a file that can't be deleted.
    public func deleteSQLiteStores() throws {
        try deletion.withLock {
            let state = state
            if case .loading = state { throw Error.cannotDeleteSQLLiteStoresWhileLoading }
            let stores = sqliteStores
            for store in stores { try delete(store.url, options: store.options) }
            if case .loaded = state, !stores.isEmpty { throw Error.reinitializationRequired }
        }
    }

    /// The same as ``deleteSQLiteStores()``, as the library has always spelled it.
    ///
    /// - Throws: The errors of ``deleteSQLiteStores()``.
    public func deleteSQLLiteStores() throws { try deleteSQLiteStores() }

    private var sqliteStores: [(url: URL, options: [String: NSObject])] {
        guard !inMemory else { return [] }
        return nsPersistentContainer.persistentStoreDescriptions.compactMap { description in
            guard description.type == NSSQLiteStoreType, let url = description.url, url.isFileURL,
                url.path != "/dev/null", !url.path.hasPrefix("/dev/null/")
            else { return nil }
            return (url, description.options)
        }
    }

    private func delete(_ url: URL, options: [String: NSObject]) throws {
        let coordinator = nsPersistentContainer.persistentStoreCoordinator
        if let open = coordinator.persistentStore(for: url) {
            if fileManager.fileExists(atPath: url.path) {
                try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: options)
            } else {
                try coordinator.remove(open)
            }
        }
        try StoreFiles(url: url, type: NSSQLiteStoreType).removeAll(
            where: { fileManager.fileExists(atPath: $0.path) },
            removeFile: { try fileManager.removeItem(atPath: $0.path) })
    }
}
