#if !canImport(ObjectiveC)
// What differs between the engine and Apple's framework more than by name, as AppleCoreData has it too.

/// A row of a request for dictionaries.
package typealias FetchedRow = [String: Any]

extension FetchedRow {
    package var valuesByName: [String: Any] { self }
}

/// A request without the type of its results.
package func untyped<T>(_ request: NSFetchRequest<T>) -> NSFetchRequestBase { request }

/// A request with the type of its results; `nil` for one of another type.
package func typed<T>(_ request: NSFetchRequestBase, as type: T.Type) -> NSFetchRequest<T>? {
    request as? NSFetchRequest<T>
}

extension ModelFinder {
    /// Reads the model in a file, compiled or not.
    package static func model(at url: URL) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(contentsOfModelFile: url)
    }
}

/// Swift's predicates and sort descriptors as Core Data's.
package enum Translation {
    package static func predicate<T: NSManagedObject>(_ predicate: Predicate<T>) throws -> NSPredicate {
        try NSPredicate(translating: predicate)
    }

    /// - Throws: An error that says where the format is malformed.
    package static func predicate(format: String, _ arguments: [Any]) throws -> NSPredicate {
        try NSPredicate(validatingFormat: format, argumentArray: arguments)
    }

    package static func sortDescriptor<T: NSManagedObject>(_ order: SortDescriptor<T>) throws -> NSSortDescriptor {
        try NSSortDescriptor(translating: order)
    }

    /// What comes after an object in an order, in a context that has it.
    ///
    /// - Throws: An error that says what is wrong with the order.
    package static func predicate(
        after object: NSManagedObject, by descriptors: [NSSortDescriptor], in context: NSManagedObjectContext
    ) throws -> NSPredicate? {
        guard let number = object.storedNumber else { return nil }
        let stores = context.persistentStoreCoordinator?.persistentStores.compactMap(\.identifier) ?? []
        let later = stores.drop { $0 != number.storeIdentifier }.dropFirst()
        return NSPredicate(
            after: try SortPosition(of: object, number: number, laterStores: Set(later), by: descriptors))
    }
}

extension NSManagedObjectContext {
    /// Makes the context merge what others save.
    package func followChanges(_ follows: Bool) { automaticallyMergesChangesFromParent = follows }
}

extension NSPersistentStore {
    /// Whether writers have to record history, because the file already has one.
    package func mustRecordHistory() throws -> Bool {
        try (self as? any HistoryStore)?.hasHistoryTables() ?? false
    }
}

/// How far the history of a coordinator's stores has been read.
package struct HistoryPosition: Sendable {
    /// The last transaction by the store's UUID.
    private var last: [String: Int64]

    /// The end of the history, as it is now.
    package init(endIn coordinator: NSPersistentStoreCoordinator) {
        last = coordinator.currentPersistentHistoryToken(fromStores: nil)?.transactionByStore ?? [:]
    }

    /// The transactions since, and goes on after them. On the context's queue.
    package mutating func advance(in context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken(last))
        request.resultType = .transactionsAndChanges
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        for transaction in transactions {
            last[transaction.storeID] = max(last[transaction.storeID] ?? 0, transaction.transactionNumber)
        }
        return transactions
    }

    /// Deletes the oldest transactions of a store, as far as they have been read.
    ///
    /// - Parameters:
    ///   - date: Transactions from then on stay.
    ///   - limit: How many are deleted at most.
    /// - Returns: How many were deleted.
    package func deleteHistory(
        of store: NSPersistentStore, before date: Date, limit: Int, in context: NSManagedObjectContext
    ) throws -> Int {
        guard let store = store as? any HistoryStore, let read = last[store.identifier ?? ""] else { return 0 }
        return try store.deleteHistory(olderThan: date, upTo: read, limit: limit)
    }
}
#endif
