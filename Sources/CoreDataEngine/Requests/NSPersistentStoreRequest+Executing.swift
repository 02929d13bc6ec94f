import Foundation

extension NSManagedObjectContext {
    /// What `execute` does.
    final func executeRequest(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        if let refusal, request.requestType != .fetchRequestType { throw refusal }
        return try request.result(in: self)
    }

    /// Under whose names the history keeps what a batch request does: those of the context that saves to the stores, which for
    /// a child is the one at the top.
    final var batchSignature: (author: String?, contextName: String?) {
        guard let parent else { return (transactionAuthor, name) }
        return parent.performAndWait { parent.batchSignature }
    }

    /// The stores that a request is about among those that keep an entity.
    ///
    /// - Throws: An error that says so when the coordinator has no stores at all.
    final func stores(for request: NSPersistentStoreRequest, _ layout: EntityLayout) throws -> [any RowStore] {
        guard let coordinator = persistentStoreCoordinator else { return [] }
        let stores = coordinator.rowStores(for: layout)
        if stores.isEmpty, coordinator.rowStores.isEmpty {
            throw CoreDataError.make(
                NSCoreDataError,
                "The coordinator has no persistent store, so \(layout.name) can't be fetched.")
        }
        guard let affected = request.affectedStores else { return stores }
        return stores.filter { store in affected.contains { $0 === store } }
    }
}

extension RowStore {
    /// Throws when the store may only be read.
    func checkWritable() throws {
        guard isReadOnly else { return }
        throw CoreDataError.make(
            CocoaError.Code.fileWriteNoPermission.rawValue,
            "The store \(url?.lastPathComponent ?? identifier ?? "") is read-only and can't be saved to: "
                + "\(readOnlyReason).",
            path: url?.path)
    }
}
