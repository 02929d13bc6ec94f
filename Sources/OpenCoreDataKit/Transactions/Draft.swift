import CoreDataPlatform
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Changes that aren't committed yet: a form, or work in several steps.
///
/// Other contexts don't see them before ``commit(conflicts:)``. ``discard()`` drops them, and so does releasing the
/// draft. Safe to use from any thread; blocks run one after the other.
public final class Draft: Sendable {
    /// Where the changes are; used inside of its own blocks alone.
    package let context: NSManagedObjectContext

    package init(_ context: NSManagedObjectContext) {
        context.givePermanentIDsAtOnce()
        // An object that was read and released would come back as it is now, which hides that it has changed. Those of a
        // draft on the writer would keep the writer's own alive, which would then have deletions of others to save.
        context.retainsRegisteredObjects = context.parent?.concurrencyType != .privateQueueConcurrencyType
        self.context = context
    }

    /// Runs a block with the draft's context, on the context's queue, and returns its result.
    ///
    /// If the block throws, the changes that it has made stay in the draft. A batch request or `save()` inside of the
    /// block doesn't wait for the commit. Identifiers of new objects are permanent at once.
    ///
    /// - Parameter body: The block. Gets the draft's context.
    /// - Returns: What the block returns.
    /// - Throws: The error of the block; ``DatabaseError/closed(name:)``.
    @discardableResult
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let context = context
        try context.requireOpen()
        return try await context.perform(schedule: .enqueued) { try body(context) }
    }

    /// Saves the changes to the stores, all or none, in turn with blocks of `write`. The draft can still be used
    /// afterwards.
    ///
    /// Objects that were changed or deleted elsewhere since the draft read them are conflicts. The draft is then
    /// unchanged; ``discard()`` lets it read the present state.
    ///
    /// - Parameter conflicts: What to do about such objects. A draft can't be run again, so ``WriteConflicts/retry``
    ///   throws like ``WriteConflicts/fail``.
    /// - Returns: Whether there was anything to save.
    /// - Throws: ``DatabaseError/conflict(_:)`` with both versions of the objects; ``DatabaseError/validation(_:)``;
    ///   the store's error. Nothing is saved then, and the draft can be corrected and committed again. For a draft on
    ///   another context (`context.draft()`), errors may come from an ancestor; the changes then wait there for that
    ///   context's next save.
    @discardableResult
    public func commit(conflicts: WriteConflicts = .fail) async throws -> CommitOutcome {
        let context = context
        guard let parent = context.parent else {
            let saved = try await context.committing { try context.saveDraft(conflicts.policy) }
            guard let saved else { return .unchanged }
            await context.databaseCoordinator?.core.takeOver(saved)
            return .saved
        }
        let outcome = try await context.perform(schedule: .enqueued) { () -> CommitOutcome in
            guard context.hasChanges else { return .unchanged }
            try context.requireOpen()
            // The parent does nothing else between the comparison and the save.
            return try parent.performAndWait {
                let changed = conflicts.policy == .errorMergePolicyType ? context.conflicts(withParent: parent) : []
                guard changed.isEmpty else { throw DatabaseError.conflict(changed) }
                do { try context.save() } catch { throw DatabaseError.saving(error) }
                return .saved
            }
        }
        guard parent.parent == nil, parent.concurrencyType == .privateQueueConcurrencyType,
            let core = parent.databaseCoordinator?.core
        else {
            let further = try await parent.saveToStore()
            return outcome == .saved ? .saved : further
        }
        // A draft below is on the stores, and the main context may not be: it has to be notified.
        guard let saved = try await parent.committing({ try parent.saveDraft(.errorMergePolicyType) }) else {
            return outcome
        }
        await core.takeOver(saved)
        return .saved
    }

    /// Forgets the changes, and all objects of the draft. The draft can be used further.
    ///
    /// The next block reads the present state of the stores, or of the context that the draft is on. Waits for a block
    /// that is running.
    public func discard() async {
        let context = context
        await context.perform(schedule: .enqueued) {
            context.rollback()
            context.reset()
        }
    }
}

extension NSManagedObjectContext {
    /// Runs something that saves to the stores on the context's queue, in its turn among the blocks of the database.
    func committing<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let core = databaseCoordinator?.core else { return try await perform(schedule: .enqueued) { try body() } }
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        try requireOpen()
        // Other blocks shouldn't wait for what the queue has to do first.
        await perform(schedule: .enqueued) {}
        let turn = await core.turns.take()
        defer { turn.end() }
        return try await perform(schedule: .enqueued) { try body() }
    }

    /// Saves a draft on the stores.
    ///
    /// - Returns: What was saved; `nil` when there was nothing to save.
    fileprivate func saveDraft(_ policy: NSMergePolicyType) throws -> SavedIDs? {
        guard hasChanges else { return nil }
        let box = SavedBox()
        let observer = NoticeObserver(.NSManagedObjectContextDidSaveObjectIDs, of: self) { notification in
            let saved = SavedIDs(notification)
            box.saved.withLock { $0 = saved }
        }
        defer { observer.end() }
        let usual = mergePolicy
        mergePolicy = NSMergePolicy.shared(policy)
        defer { mergePolicy = usual }
        do { try save() } catch { throw DatabaseError.saving(error) }
        return box.saved.withLock { $0 }
    }

    private final class SavedBox: Sendable {
        let saved = Mutex(SavedIDs())
    }

    /// What of the objects that are changed here is otherwise in the parent than it was read. On both queues.
    fileprivate func conflicts(withParent parent: NSManagedObjectContext) -> [DatabaseError.Conflict] {
        updatedObjects.union(deletedObjects).compactMap { object in
            let id = object.objectID
            let names = Array(object.entity.attributesByName.keys) + object.entity.toOneNames
            let read = object.committedValues(forKeys: names)
            // Made and deleted since the last commit.
            if read.isEmpty, !names.isEmpty, !object.isFault { return nil }
            guard let original = try? parent.existingObject(with: id), !original.isDeleted else {
                return DatabaseError.Conflict(
                    deleted: id, yours: DatabaseError.described(object.changedValues()))
            }
            let present = original.dictionaryWithValues(forKeys: names)
            let differing = names.filter { !ComparedValue.isSame(read[$0], present[$0]) }.sorted()
            guard !differing.isEmpty else { return nil }
            return DatabaseError.Conflict(
                changed: id, properties: differing, yours: DatabaseError.described(object.changedValues()),
                stored: DatabaseError.described(present.filter { differing.contains($0.key) }))
        }
    }
}

extension NSEntityDescription {
    fileprivate var toOneNames: [String] { relationshipsByName.filter { !$0.value.isToMany }.map(\.key) }
}
