import Foundation

/// Several saves, and batch requests, as one transaction. Apple's framework has nothing of the kind.
extension NSPersistentStoreCoordinator {
    /// Runs a block on the calling thread as one transaction. Everything that contexts save in it and that batch
    /// requests do reaches the stores together at its end, or nothing does.
    ///
    /// - The block sees what it has saved. Others see it after the commit, and are notified then. A failed save leaves
    ///   the transaction as it was before the save; if it had written to one of several stores already, the
    ///   transaction can't be committed.
    /// - From the beginning of the block to its end, only the block can save to the stores: other threads wait, and other
    ///   processes wait for as long as the store's timeout says. In a PostgreSQL store, only saves in such blocks wait;
    ///   others wait only for rows that the block has changed.
    /// - If the block throws, the stores are unchanged, and the contexts that have saved in it are reset, because their
    ///   objects aren't in the stores.
    /// - A nested block is part of the outer one, which can't be committed if the nested block throws.
    /// - Work that the block does on other threads isn't part of the transaction. If the block waits there for a save
    ///   to one of the stores, it waits forever.
    ///
    /// - Parameter body: The block.
    /// - Returns: The result of the block.
    /// - Throws: The error of the block; the store's error if the transaction can't begin or be committed;
    ///   `NSPersistentStoreUnsupportedRequestTypeError` if one of the stores is of an application's own class and saves
    ///   row by row; `NSPersistentStoreIncompleteSaveError` if one of several stores had committed when another one
    ///   failed to.
    @discardableResult
    public func performTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try perform(StoreTransaction(), body)
    }

    /// Runs a block as a transaction that says what has changed.
    ///
    /// - Parameter concerned: The stores that the block writes to; all of them if omitted.
    package final func perform<Result>(
        _ transaction: StoreTransaction, in concerned: [any TransactionalStore]? = nil, _ body: () throws -> Result
    ) throws -> Result {
        var result: Result?
        try run(transaction, in: concerned) { result = try body() }
        guard let result else { programmerError("A transaction has not run its block.") }
        return result
    }

    /// The same for a block without a result. What is not generic is quicker.
    package final func run(
        _ transaction: StoreTransaction, in concerned: [any TransactionalStore]? = nil, _ body: () throws -> Void
    ) throws {
        if let outer = transactions.current {
            do { return try body() } catch {
                outer.failure = outer.failure ?? error
                throw error
            }
        }
        let stores = try concerned ?? requireTransactionalStores()
        var committed: [NSPersistentStore] = []
        transactions.begin(transaction)
        do {
            try Self.run(in: stores[...], &committed, besideOthers: transaction.runsBesideOthers) {
                try body()
                if let failure = transaction.failure { throw failure }
            }
            transactions.end()
            transaction.didCommit(in: self)
        } catch {
            transactions.end()
            transaction.didFail()
            guard let first = committed.first else { throw error }
            throw CoreDataError.make(
                NSPersistentStoreIncompleteSaveError,
                "The store \(first.shortName) was saved, but another store of the transaction wasn't.",
                path: first.url?.path, underlying: error, userInfo: [NSAffectedStoresErrorKey: committed])
        }
    }

    private static func run(
        in stores: ArraySlice<any TransactionalStore>, _ committed: inout [NSPersistentStore], besideOthers: Bool,
        _ body: () throws -> Void
    ) throws {
        guard let store = stores.first else { return try body() }
        func rest() throws {
            try run(in: stores.dropFirst(), &committed, besideOthers: besideOthers, body)
        }
        if besideOthers, let store = store as? any LockingStore {
            try store.performTransactionBesideOthers(rest)
        } else {
            try store.performTransaction(rest)
        }
        committed.append(store)
    }

    private final func requireTransactionalStores() throws -> [any TransactionalStore] {
        if let stores = transactionalStores { return stores }
        let others = rowStores.filter { !$0.isReadOnly && !($0 is any TransactionalStore) }
        guard let store = others.first else { return [] }
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "The store \(store.shortName) of type \(store.type) saves at once and can't take part in a transaction.",
            path: store.url?.path, userInfo: [NSAffectedStoresErrorKey: [store as NSPersistentStore]])
    }

    /// Says that the transaction's last step is the next save, which only one store is concerned by, and whose failure is the
    /// transaction's.
    package final func endTransactionWithNextSave() {
        // A store may write the last save at once; one that has failed already isn't to be kept.
        guard transactions.current?.failure == nil else { return }
        transactionalStores?.onlyElement?.endTransactionWithNextSave()
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

    /// Notes what a batch request has done, for the transaction that it is part of, or for who observes the stores.
    ///
    /// - Parameter count: How many objects it has changed.
    final func recordBatch(
        _ count: Int, inserted: [NSManagedObjectID] = [], updated: [NSManagedObjectID] = [],
        deleted: [NSManagedObjectID] = []
    ) {
        guard count > 0, let coordinator = persistentStoreCoordinator else { return }
        var changes = StoreTransaction.Changes()
        changes.add(inserted: inserted, updated: updated, deleted: deleted)
        if let transaction = coordinator.transactions.current { return transaction.record(batch: changes) }
        guard coordinator.onUnreportedChanges != nil else { return }
        let single = StoreTransaction()
        // Outside of transactions, a request finds out which objects it has changed only if its result is to name them.
        if changes.isEmpty { single.recordStatement() } else { single.record(batch: changes) }
        single.didCommit(in: coordinator)
    }

    /// Whether a batch request is part of a transaction, which has to know what it does.
    final var isInTransaction: Bool { persistentStoreCoordinator?.transactions.current != nil }
}
