extension NSPersistentStoreCoordinator {
    /// What a store is doing at this moment; `nil` for a store that is not open, or that has no connections: one in memory, or
    /// one that is read and written whole. Not part of Apple's framework. Reading it waits for nobody.
    ///
    /// Of a store on a server, readers are the connections of its pool, which write as well, and there is no log.
    public func statistics(for store: NSPersistentStore) -> StoreStatistics? {
        (store as? any MeasuredStore)?.statistics
    }
}
