import Foundation

/// Several saves, and batch requests, as one transaction. Apple's framework has nothing of the kind.
extension NSPersistentStoreCoordinator {
    /// Runs a block on the calling thread. Everything that contexts save in it and that batch requests do reaches the stores
    /// together at its end, or not at all.
    ///
    /// - The block sees what it has saved. Others see it when it is committed, and get their notifications then. A save that fails
    ///   leaves the transaction as it was before it.
    /// - From the block's beginning to its end, nobody else saves to the stores: other threads wait, other processes for as long as
    ///   the store's timeout says. In a PostgreSQL store, only those wait that save in such a block, too; others wait where they
    ///   change the same rows.
    /// - When the block throws, the stores are as they were, and the contexts that have saved in it are reset: their objects are not
    ///   in the stores.
    /// - Inside of another such block it is part of that one, which can't be committed any more when the inner one throws.
    /// - Work that the block has done on other threads, and waits for, is not part of it. What waits there for a store to be free
    ///   to save waits for ever.
    ///
    /// - Parameter body: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws; the store's error if the transaction can't begin or be committed;
    ///   `NSPersistentStoreUnsupportedRequestTypeError` if one of the stores is of an application's own class and saves row by row;
    ///   `NSPersistentStoreIncompleteSaveError` if one of several stores had committed when another one failed to.
    @discardableResult
    public func performTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try perform(StoreTransaction(), body)
    }

    /// Runs a block as a transaction that says what has changed.
    package final func perform<Result>(_ transaction: StoreTransaction, _ body: () throws -> Result) throws -> Result {
        if let outer = transactions.current {
            do { return try body() } catch {
                outer.failure = outer.failure ?? error
                throw error
            }
        }
        let stores = try transactionalStores
        var committed: [NSPersistentStore] = []
        transactions.begin(transaction)
        do {
            let result = try Self.perform(in: stores[...], &committed) {
                let result = try body()
                if let failure = transaction.failure { throw failure }
                return result
            }
            transactions.end()
            transaction.didCommit(in: self)
            return result
        } catch {
            transactions.end()
            transaction.didFail()
            guard let first = committed.first else { throw error }
            throw CoreDataError.make(
                NSPersistentStoreIncompleteSaveError,
                "The store \(first.shortName) was saved and another one of the transaction was not.",
                path: first.url?.path, underlying: error, userInfo: [NSAffectedStoresErrorKey: committed])
        }
    }

    private static func perform<Result>(
        in stores: ArraySlice<any TransactionalStore>, _ committed: inout [NSPersistentStore],
        _ body: () throws -> Result
    ) throws -> Result {
        guard let store = stores.first else { return try body() }
        let result = try store.performTransaction { try perform(in: stores.dropFirst(), &committed, body) }
        committed.append(store)
        return result
    }

    private final var transactionalStores: [any TransactionalStore] {
        get throws {
            try rowStores.filter { !$0.isReadOnly }.map { store in
                if let store = store as? any TransactionalStore { return store }
                throw CoreDataError.make(
                    NSPersistentStoreUnsupportedRequestTypeError,
                    "The store \(store.shortName) of type \(store.type) saves at once and can't take part in a transaction.",
                    path: store.url?.path, userInfo: [NSAffectedStoresErrorKey: [store as NSPersistentStore]])
            }
        }
    }

    /// Says that the transaction's last step is the next save, which only one store is concerned by.
    package final func endTransactionWithNextSave() {
        let stores = rowStores.filter { !$0.isReadOnly }
        if let only = stores.first as? any TransactionalStore, stores.count == 1 { only.endTransactionWithNextSave() }
    }
}

extension NSManagedObjectContext {
    /// Runs a block, saves the context, and has everything that was saved, batch requests included, reach the stores together, or
    /// not at all.
    ///
    /// As the coordinator's `performTransaction(_:)`, with this context, on whose queue it has to be called: changes that it has
    /// at the end of the block are saved, those from before the block included. When the block or the save throws, the context
    /// has no changes any more; if it had saved in the block, it is reset.
    ///
    /// - Parameter body: The block.
    /// - Returns: What the block returns.
    /// - Throws: As the coordinator's; what saving throws; an error when the context has a parent, as its saves don't reach a store.
    @discardableResult
    public func performTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        checkQueue()
        guard parent == nil, let coordinator else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(name.map { " \"\($0)\"" } ?? "") \(parent == nil ? "has no stores" : "has a parent"), so it can't "
                    + "begin a transaction. Begin it with a context that saves to the stores.")
        }
        if let refusal { throw refusal }
        let transaction = StoreTransaction()
        do {
            return try coordinator.perform(transaction) {
                let result = try body()
                if hasChanges { try save() }
                return result
            }
        } catch {
            // What was read after a batch request may be void.
            if transaction.hasWritten { reset() } else { rollback() }
            throw error
        }
    }

    // MARK: For the engine

    /// Notes what a batch request has done, for the transaction that it is part of.
    final func recordBatch(
        inserted: [NSManagedObjectID] = [], updated: [NSManagedObjectID] = [], deleted: [NSManagedObjectID] = []
    ) {
        guard let transaction = persistentStoreCoordinator?.transactions.current else { return }
        var changes = StoreTransaction.Changes()
        changes.add(inserted: inserted, updated: updated, deleted: deleted)
        transaction.record(batch: changes)
    }

    /// Whether a batch request is part of a transaction, which has to know what it does.
    final var isInTransaction: Bool { persistentStoreCoordinator?.transactions.current != nil }
}
