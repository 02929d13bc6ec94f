extension Notification.Name {
    /// Posted on the main queue by the main context of a database, before it takes over what an import brought.
    package static let databaseWillRefresh = Notification.Name("OpenCoreDataKit.databaseWillRefresh")
    /// Posted on the main queue by the main context of a database, after it took over what an import brought: loaded
    /// objects are fresh, and results should be fetched anew.
    package static let databaseDidRefresh = Notification.Name("OpenCoreDataKit.databaseDidRefresh")
}

extension Database {
    /// How many items an `upsert` inside of an import handles between saves.
    private static var importBatchSize: Int { 2000 }

    /// Runs a block with a background context on a coordinator of its own, for thousands of objects: the other contexts
    /// have no part in it and go on meanwhile.
    ///
    /// The block may save in between, as `upsert` does after every few thousand items; the rest is saved at its end.
    /// Then the objects that writer and main context hold are refreshed, and `commits` reports one commit. Where a
    /// store is not of SQLite the coordinator is shared.
    ///
    /// - Throws: What the block throws; what it has not saved is forgotten then. ``DatabaseError`` of the save.
    @discardableResult
    public func importing<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        try Task.checkCancellation()
        let session = session
        let context = try session.makeImportContext()
        let collector = SavedReferenceCollector(context)
        let outcome: Swift.Result<(Result, [NSManagedObjectID: NSManagedObjectID]), any Error>
        outcome = await context.perform(schedule: .enqueued) {
            context.userInfo[CommitWatch.silentKey] = true
            context.importBatchSize = Self.importBatchSize
            return Swift.Result {
                let result = try body(context)
                return (result, try context.saveRecordingIDs(result))
            }
        }
        let saved = collector.references
        await session.refresh(saved)
        if !saved.isEmpty, core.hub.hasListeners {
            core.hub.notify(saved.ids(in: session.coordinator).commit(.imported))
        }
        if session.canBeShared { context.persistentStoreCoordinator?.closeAll() }
        let (result, permanent) = try outcome.get()
        return (result as? any IdentifierHolding)?.replacing(permanent) as? Result ?? result
    }
}

extension NSManagedObjectContext {
    /// Saves, and says which identifiers new objects got, if a result may hold some.
    fileprivate func saveRecordingIDs(_ result: Any) throws -> [NSManagedObjectID: NSManagedObjectID] {
        guard hasChanges else { return [:] }
        let objects = result is any IdentifierHolding ? NewObjects(of: self) : nil
        do { try save() } catch { throw DatabaseError.saving(error) }
        return objects?.permanentIDs(in: self) ?? [:]
    }
}

extension NSPersistentStoreCoordinator {
    /// Takes all stores out.
    fileprivate func closeAll() {
        for store in persistentStores { try? remove(store) }
    }
}

extension DatabaseSession {
    /// Brings what another coordinator saved to the objects that the lasting contexts hold.
    fileprivate func refresh(_ saved: SavedReferences) async {
        guard !saved.isEmpty else { return }
        saved.forgetCachedRows(in: coordinator)
        let main = tree.main
        if let writer = tree.writer {
            await writer.perform(schedule: .enqueued) {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: saved.changes(ofObjectsIn: writer), into: [writer])
            }
        }
        await main.perform(schedule: .enqueued) {
            NotificationCenter.default.post(name: .databaseWillRefresh, object: main)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: saved.changes(ofObjectsIn: main), into: [main])
            NotificationCenter.default.post(name: .databaseDidRefresh, object: main)
        }
    }
}
