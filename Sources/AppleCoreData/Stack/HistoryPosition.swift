#if canImport(ObjectiveC)
package import CoreData

/// How far the history of a coordinator's stores has been read.
package struct HistoryPosition: Sendable {
    /// The last transaction by the store's UUID.
    private var tokens: [String: NSPersistentHistoryToken] = [:]

    /// The end of the history, as it is now.
    package init(endIn coordinator: NSPersistentStoreCoordinator) {
        for store in coordinator.persistentStores {
            tokens[store.identifier] = coordinator.currentPersistentHistoryToken(fromStores: [store])
        }
    }

    /// Returns the transactions since the position, and advances it. Call it on the context's queue.
    package mutating func advance(in context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        var found: [NSPersistentHistoryTransaction] = []
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: tokens[store.identifier])
            request.resultType = .transactionsAndChanges
            request.affectedStores = [store]
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            if let last = transactions.last { tokens[store.identifier] = last.token }
            found += transactions
        }
        return found
    }

    /// Deletes the old transactions of a store, all at once: a date is what Apple's framework has for that.
    ///
    /// - Returns: Zero, as there is nothing left to do.
    package func deleteHistory(
        of store: NSPersistentStore, before date: Date, limit: Int, in context: NSManagedObjectContext
    ) throws -> Int {
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: date)
        request.affectedStores = [store]
        _ = try context.execute(request)
        return 0
    }
}
#endif
