import CoreDataPlatform

extension Notification.Name {
    /// Posted on the main queue by the main context of a database, before it merges what an import brought.
    package static let databaseWillRefresh = Notification.Name("OpenCoreDataKit.databaseWillRefresh")
    /// Posted on the main queue by the main context of a database, after it merged an import: loaded objects are fresh,
    /// and results should be fetched again.
    package static let databaseDidRefresh = Notification.Name("OpenCoreDataKit.databaseDidRefresh")
}

extension Database {
    /// How many items an `upsert` inside of an import handles between saves.
    private static var importBatchSize: Int { 2000 }

    /// Runs a block as ``write(conflicts:locking:_:)`` does, but only once, and for thousands of objects: one transaction whose
    /// memory use doesn't grow with the number of objects.
    ///
    /// The block may save in between, as `upsert` does after every few thousand items, and release the objects; the
    /// rest is saved at its end. Until then, other readers continue and see nothing of the import, and other writers
    /// wait. If that takes too long, import in several parts. Afterwards the objects of the writer and the main context
    /// are refreshed, and ``changes`` reports a single commit.
    ///
    /// - Parameter body: The block. Gets the context of the import.
    /// - Returns: What the block returns.
    /// - Throws: The errors of ``write(conflicts:locking:_:)``; nothing is changed then.
    @discardableResult
    public func importing<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        try Task.checkCancellation()
        let turn = await core.turns.take()
        defer { turn.end() }
        let session = session
        try await session.serverAdmission?.enter()
        defer { session.serverAdmission?.leave() }
        let cancellation = CancellationFlag(stopsStatements: session.serverAdmission != nil)
        return try await withTaskCancellationHandler {
            let context = session.makeTransactionContext("import")
            let outcome = await context.perform(schedule: .enqueued) {
                context.importBatchSize = Self.importBatchSize
                return Swift.Result { () -> (Result, SavedReferences, TransactionChanges) in
                    var saved = SavedReferences()
                    let transaction = BlockTransaction(
                        context: context, cancellation: cancellation, didSave: { saved.add(SavedIDs($0)) })
                    var result: Result?
                    let others = try transaction.run { result = try body($0) }
                    guard let result else { programmerError("An import has not run its block.") }
                    return (result, saved, others)
                }
            }
            do {
                let (result, saved, others) = try outcome.get()
                await session.refresh(saved)
                await session.tree.settleMainForItself()
                if !saved.isEmpty, core.hub.hasListeners {
                    core.hub.notify(saved.ids(in: session.coordinator).commit(.imported))
                }
                await session.announce(others, core, kind: .imported)
                return result
            } catch let failure as BlockTransaction.Failure {
                throw failure.error
            }
        } onCancel: {
            cancellation.set()
        }
    }
}

extension DatabaseSession {
    /// Brings what an import saved to the objects that the lasting contexts hold. The main context takes it over when the main
    /// queue gets to it.
    fileprivate func refresh(_ saved: SavedReferences) async {
        guard !saved.isEmpty else { return }
        saved.forgetCachedRows(in: coordinator)
        if let writer = tree.writer {
            await writer.perform(schedule: .enqueued) {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: saved.changes(ofObjectsIn: writer), into: [writer])
            }
        }
        tree.enqueueOnMain { main in
            NotificationCenter.default.post(name: .databaseWillRefresh, object: main)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: saved.changes(ofObjectsIn: main), into: [main])
            NotificationCenter.default.post(name: .databaseDidRefresh, object: main)
        }
    }
}
