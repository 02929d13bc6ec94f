extension NSManagedObjectContext {
    /// What is wrong with the bookkeeping of registered objects, their changes, and rows in memory, for tests; empty when
    /// nothing is.
    ///
    /// Called on the context's queue. Costs as much as there are objects and rows.
    package final func checkInvariants() -> [String] {
        checkQueue()
        let caches = (persistentStoreCoordinator?.rowStores ?? []).map { rowCache(of: $0) }
        return registry.checkInvariants().map { "registry: \($0)" }
            + changeTracker.checkInvariants(of: registry.objects()).map { "changes: \($0)" }
            + observers.checkInvariants().map { "observers: \($0)" }
            + caches.flatMap { $0.checkInvariants() }.map { "row cache: \($0)" }
    }
}
