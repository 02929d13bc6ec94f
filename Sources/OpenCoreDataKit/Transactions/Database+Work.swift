import CoreDataPlatform
#if !canImport(ObjectiveC)
import Synchronization
#endif

extension Database {
    /// Runs a block with a background context that reads a single state of the stores, even if others save in the
    /// meantime. The block can only read: a change or a save throws an error.
    ///
    /// If the store has replicas, the block reads from one of them, provided the replica has everything that this
    /// program has saved and followed (``follow(_:)``). If that replica fails, the block runs again.
    ///
    /// ```swift
    /// let titles = try await database.read { context in
    ///     try context.all(Query(Book.self).sorted(by: \.title)).map(\.title)
    /// }
    /// ```
    ///
    /// - Parameter body: The block. Return values from it, not managed objects, which belong to its context.
    /// - Returns: What the block returns.
    /// - Throws: The error of the block; ``DatabaseError/readOnly(_:)`` if it changed something;
    ///   ``DatabaseError/closed(name:)``.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        let session = session
        let context = session.makeReadingContext()
        let cancellation = CancellationFlag(stopsStatements: session.serverAdmission != nil)
        return try await withTaskCancellationHandler {
            try await session.admission.perform(with: context) { context in
                defer { session.readingContexts.end(context) }
                return try context.snapshot {
                    let result = try cancellation.stopping { try body(context) }
                    guard !context.hasChanges else { throw DatabaseError.readOnly(context.changesInWords) }
                    return result
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    /// Runs a block with a background context as one transaction: everything that it changes, saves and does by batch
    /// requests reaches the stores together at its end, or nothing does.
    ///
    /// - Blocks of `write`, `importing` and commits of drafts run one after the other: those of this database, of
    ///   others on the same store in this process, and of other processes. The block sees the newest state, and others
    ///   see its changes when `write` returns.
    /// - If the block throws, something isn't valid, the task is cancelled or the program ends, nothing is changed,
    ///   neither in a store nor in a context. `save()` inside of the block writes for the block's own later fetches and
    ///   isn't a commit.
    /// - A row that changed while the block ran is a conflict; only plain contexts can cause one. The block then runs
    ///   again on the new state, so **it may run more than once**. Put side effects, such as sending a message or
    ///   counting in a variable, after `write`. See ``WriteConflicts``.
    /// - A duplicate of a unique key is ``DatabaseError/conflict(_:)`` that names entity, attributes and the object
    ///   that has the key.
    /// - The main actor isn't involved: unsaved edits of ``main`` stay there, and a busy main thread doesn't hold up
    ///   the block. ``main`` merges what was written as the layout says.
    ///
    /// Identifiers of new objects are permanent from the beginning. The block must not wait for other work that writes
    /// to this database.
    ///
    /// - Parameters:
    ///   - conflicts: What to do about rows that another context or process has changed.
    ///   - locking: What the block locks: the whole store, or the rows that it changes or asks for with
    ///     ``Query/locked(_:)``, where stores on a server can do so. Blocks of the second kind run beside each other.
    ///   - body: The block.
    /// - Throws: The error of the block; ``DatabaseError/validation(_:)``; ``DatabaseError/conflict(_:)``;
    ///   ``DatabaseError/storeFailed(store:url:cause:)``, also if another process has held the store for longer than
    ///   the timeout; `CancellationError`.
    @discardableResult
    public func write<Result: Sendable>(
        conflicts: WriteConflicts = .retry, locking: WriteLocking = .store,
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let operation = try await core.gate.enter()
        defer { core.gate.leave(operation) }
        try Task.checkCancellation()
        let session = session
        let cancellation = CancellationFlag(stopsStatements: session.serverAdmission != nil)
        let result = Mutex<Result?>(nil)
        let block = WritingBlock(
            core: core, session: session, runsBesideOthers: locking == .rows && session.isOnServers,
            isForMain: MainQueue.isCurrent, policy: conflicts.policy, cancellation: cancellation
        ) { context in
            let value = try body(context)
            result.withLock { $0 = value }
        }
        return try await withTaskCancellationHandler {
            var place: WritingBlock.Place?
            defer { place?.end() }
            var attempt = 1
            while true {
                let run = await block.run(in: place)
                place = run.place
                do {
                    let changes = try run.outcome.get()
                    if place != nil { await session.announce(changes, core) }
                    guard let value = result.withLock({ $0 }) else { programmerError("A write has not run its block.") }
                    return value
                } catch let failure as BlockTransaction.Failure {
                    guard failure.isConflict, attempt < conflicts.attempts else { throw failure.error }
                    // The other writer finishes in the meantime.
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...(1 << min(attempt, 6)))))
                    attempt += 1
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }
}

extension NSManagedObjectContext {
    /// Which objects have unsaved changes, for a message.
    fileprivate var changesInWords: String {
        let names = Set((insertedObjects.union(updatedObjects).union(deletedObjects)).map { $0.entity.name ?? "" })
        return
            "A read has changed objects of \(names.sorted().joined(separator: ", ")). Use write or a draft to change objects."
    }
}

extension DatabaseSession {
    /// A context for one block that reads.
    fileprivate func makeReadingContext() -> NSManagedObjectContext {
        if let context = readingContexts.take(tree) {
            context.mergePolicy = tree.backgroundPolicy
            context.name = tree.readingName
            return context
        }
        let context = tree.makeBackground("read")
        context.refuseChanges(
            DatabaseError.readOnly("The context of a read can't be saved and can't execute batch requests."))
        return context
    }

    /// A context for one block of `write`.
    func takeContext(
        from contexts: BlockContexts, policy: NSMergePolicyType
    ) -> NSManagedObjectContext {
        guard let context = contexts.take(tree) else {
            return makeTransactionContext("write", policy: policy, sharingQueueOf: contexts.queueOwner)
        }
        context.mergePolicy = NSMergePolicy.shared(policy)
        context.name = tree.writingName
        return context
    }

    /// A context for one block that changes the stores. The caller of the block announces its changes.
    func makeTransactionContext(
        _ role: String, policy: NSMergePolicyType = .errorMergePolicyType,
        sharingQueueOf other: NSManagedObjectContext? = nil
    ) -> NSManagedObjectContext {
        let context = tree.makeBackground(role, sharingQueueOf: other)
        context.mergePolicy = NSMergePolicy.shared(policy)
        context.isSilent = true
        context.joinTransactions()
        return context
    }

    /// A context for a draft.
    func makeDraftContext() -> NSManagedObjectContext {
        let context = tree.makeBackground("draft")
        context.mergePolicy = NSMergePolicy.error
        context.joinTransactions()
        return context
    }

    /// Notifies observers of the changes of a block.
    func announce(_ changes: TransactionChanges, _ core: DatabaseCore, kind: Commit.Kind = .saved) async {
        guard !changes.isEmpty else { return }
        await tree.takeOver(SavedIDs(changes))
        if changes.areUnknown { await tree.refreshAll() }
        await tree.settleMainForItself()
        notify(of: changes, core, kind)
    }

    /// Notifies observers of the changes of a block if no context has to be waited for.
    ///
    /// - Parameter isForMain: Whether the main context is to be up to date afterwards.
    /// - Returns: Whether that was so; otherwise nothing was done.
    func announceAtOnce(_ changes: TransactionChanges, _ core: DatabaseCore, isForMain: Bool) -> Bool {
        guard !changes.isEmpty else { return true }
        guard !tree.writerTakesOver, !changes.areUnknown, !(isForMain && tree.mainFollows) else { return false }
        notify(of: changes, core, .saved)
        return true
    }

    private func notify(of changes: TransactionChanges, _ core: DatabaseCore, _ kind: Commit.Kind) {
        guard core.hub.hasListeners else { return }
        let ids = SavedIDs(changes)
        if !ids.isEmpty { core.hub.notify(ids.commit(kind)) }
        if changes.areUnknown { core.hub.notify(Commit(kind: kind)) }
    }
}
