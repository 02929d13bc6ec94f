import Foundation
import OpenCoreDataKit

extension PersistentContainer {
    /// Deletes the files of all SQLite stores, so that the next start makes new ones, as the first one ever did.
    ///
    /// Before a start, or after one that failed, that is all. Once the stores are loaded they are taken out first, and
    /// when everything is deleted an error says that the contexts are of no use any more. A container in memory has no
    /// files, and leaves those of others of its name alone.
    ///
    /// - Throws: ``Error/reinitializationRequired`` when the stores were loaded and are deleted now;
    ///   ``Error/cannotDeleteSQLLiteStoresWhileLoading``; the error of what can't be deleted.
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
