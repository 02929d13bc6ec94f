extension NSPersistentStoreCoordinator {
    /// What a store is doing at this moment; `nil` for a store that is not open, or no SQLite store. Not part of Apple's
    /// framework. Reading it waits for nobody.
    public func statistics(for store: NSPersistentStore) -> StoreStatistics? {
        guard let store = store as? SQLiteStore, let pool = try? store.runtime().pool else { return nil }
        return pool.statistics(cachedRows: store.rowCache.count)
    }
}
