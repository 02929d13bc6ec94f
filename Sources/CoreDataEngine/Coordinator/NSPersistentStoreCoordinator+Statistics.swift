extension NSPersistentStoreCoordinator {
    /// Returns the present figures of a store, or `nil` for a store that isn't open or has no connections, because it
    /// is in memory or is read and written as a whole. Not part of Apple's framework. Reading them never waits.
    ///
    /// For a store on a server, readers are the connections of its pool, which also write, and there is no log.
    ///
    /// - Parameter store: A store of this coordinator.
    public func statistics(for store: NSPersistentStore) -> StoreStatistics? {
        (store as? any MeasuredStore)?.statistics
    }

    /// Whether no file of a store was moved, replaced or removed since the store was added. Never waits.
    package var hasItsFiles: Bool {
        persistentStores.allSatisfy { store in
            if let database = store as? SQLiteStore { return database.isFileInPlace }
            guard store is FileAtomicStore, let url = store.url else { return true }
            return AtomicFile(url).exists
        }
    }
}
