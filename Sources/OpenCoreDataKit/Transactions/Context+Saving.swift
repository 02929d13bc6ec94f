extension NSManagedObjectContext {
    /// Saves this context, then its parent, and so on up to the stores, each on its own queue.
    ///
    /// Returns when the data is in the stores and the contexts that merge automatically have merged it. `save()` goes
    /// one level up.
    ///
    /// Before it saves, it waits for the block of `write` that is running, without blocking the context's queue.
    /// Unsaved edits of an object whose row another context has deleted make it throw ``DatabaseError/conflict(_:)``,
    /// and nothing is saved.
    ///
    /// - Returns: Whether there was anything to save, here or further up.
    /// - Throws: ``DatabaseError``: the first level that fails keeps its changes, those below stay saved.
    @discardableResult
    public func saveToStore() async throws -> CommitOutcome {
        guard let coordinator = databaseCoordinator else { return try await ClimbingSave.run(from: self) }
        let operation = try await coordinator.core.gate.enter()
        defer { coordinator.core.gate.leave(operation) }
        try requireOpen()
        // Waits here rather than on the context's queue, which may be the main queue, until the running block has
        // ended. The turn isn't kept, because the context's queue may be busy for long, and other blocks shouldn't wait
        // for that.
        await coordinator.core.turns.take().end()
        try await perform(schedule: .enqueued) { try self.requireEditedObjects() }
        return try await ClimbingSave.run(from: self)
    }

    /// Refuses to save when objects were edited whose rows others have deleted: the edits would be lost without a word.
    func requireEditedObjects() throws {
        let lost = editedObjectsDeletedElsewhere
        guard !lost.isEmpty else { return }
        throw DatabaseError.conflict(
            lost.map { .init(deleted: $0.objectID, yours: DatabaseError.described($0.changedValues())) })
    }

    /// Begins to save up to the stores and returns at once. An error is reported to the database's `onBackgroundError`.
    package func saveToStoreInBackground() {
        guard let core = databaseCoordinator?.core else { return ClimbingSave.start(from: self) { _ in } }
        Task {
            do { _ = try await self.saveToStore() } catch { core.report(error) }
        }
    }

    /// New work on top of this context: it sees the unsaved changes that there are, and its own become unsaved changes
    /// of this context before they go on to the stores.
    ///
    /// Committing saves into this context first and then on to the stores, with other unsaved changes of this context.
    /// Discarding the draft doesn't change this context. Use ``Database/draft()`` for work that is to be independent of
    /// it.
    ///
    /// - Returns: An empty draft.
    public func draft() -> Draft {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = self
        child.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        child.name = name.map { "draft of \($0)" }
        return Draft(child)
    }
}
