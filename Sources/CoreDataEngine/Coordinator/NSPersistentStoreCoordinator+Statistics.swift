extension NSPersistentStoreCoordinator {
    /// What a store is doing at this moment; `nil` for a store that is not open, or that has no connections: one in memory, or
    /// one that is read and written whole. Not part of Apple's framework. Reading it waits for nobody.
    ///
    /// Of a store on a server, readers are the connections of its pool, which write as well, and there is no log.
    public func statistics(for store: NSPersistentStore) -> StoreStatistics? {
        (store as? any MeasuredStore)?.statistics
    }

    /// Whether no file of a store was moved, replaced or removed since the store was added. Waits for nobody.
    package var hasItsFiles: Bool {
        persistentStores.allSatisfy { store in
            if let database = store as? SQLiteStore { return database.isFileInPlace }
            guard store is FileAtomicStore, let url = store.url else { return true }
            return AtomicFile(url).exists
        }
    }
}
