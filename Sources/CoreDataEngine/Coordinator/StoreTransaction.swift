/// What happens in one transaction of a coordinator, on the thread that runs it.
package final class StoreTransaction {
    /// The objects that a transaction has changed in the stores.
    package struct Changes: Sendable {
        package private(set) var inserted: Set<NSManagedObjectID> = []
        package private(set) var updated: Set<NSManagedObjectID> = []
        package private(set) var deleted: Set<NSManagedObjectID> = []
        /// What took the place of new objects whose unique keys were taken, by what these were.
        package var replaced: [NSManagedObjectID: NSManagedObjectID] = [:]

        /// Whether a statement of SQL may have changed any object.
        package fileprivate(set) var areUnknown = false

        package init() {}

        /// What one save has done.
        init(
            inserted new: Set<NSManagedObjectID>, updated changed: Set<NSManagedObjectID>,
            deleted gone: Set<NSManagedObjectID>, replaced: [NSManagedObjectID: NSManagedObjectID]
        ) {
            inserted = new
            self.replaced = replaced
            if !changed.isEmpty || !gone.isEmpty { add(inserted: [], updated: changed, deleted: gone) }
        }

        package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !areUnknown }

        /// Adds what a later save or batch request has done.
        package mutating func add(
            inserted new: some Sequence<NSManagedObjectID>, updated changed: some Sequence<NSManagedObjectID>,
            deleted gone: some Sequence<NSManagedObjectID>
        ) {
            inserted.formUnion(new)
            for id in changed where !inserted.contains(id) { updated.insert(id) }
            for id in gone {
                updated.remove(id)
                if inserted.remove(id) == nil { deleted.insert(id) }
            }
        }

        /// Adds what came later.
        mutating func add(_ later: Changes) {
            guard !isEmpty || !replaced.isEmpty else {
                self = later
                return
            }
            add(inserted: later.inserted, updated: later.updated, deleted: later.deleted)
            replaced.merge(later.replaced) { $1 }
            if later.areUnknown { areUnknown = true }
        }
    }

    /// What it has changed so far; empty for one whose saves are recorded elsewhere.
    package private(set) var changes = Changes()
    /// The changes of batch requests, of which no context has been notified.
    private var batches = Changes()
    /// Why it can't be committed, though the block continues.
    var failure: (any Error)?
    private var savers: [NSManagedObjectContext] = []
    private var announcements: [() -> Void] = []
    private let didSave: ((Changes) -> Void)?
    /// Whether others may write at the same time, in stores that can do so.
    let runsBesideOthers: Bool
    /// Whether who began the transaction reports what batch requests and statements have changed.
    private let isReported: Bool

    /// - Parameters:
    ///   - besideOthers: Whether others may write at the same time, in stores that can do so.
    ///   - didSave: Gets what each save and batch request has done, in place of all notifications and of `changes`: memory
    ///     then doesn't grow with what is saved.
    ///   - isReported: Whether the caller reports what batch requests and statements have changed; otherwise the
    ///     coordinator does.
    package init(besideOthers: Bool = false, isReported: Bool = false, didSave: ((Changes) -> Void)? = nil) {
        runsBesideOthers = besideOthers
        self.isReported = isReported
        self.didSave = didSave
    }

    /// Whether anything was written.
    private(set) var hasWritten = false

    /// Notes a save.
    ///
    /// - Parameters:
    ///   - made: What was saved.
    ///   - announce: Notifies others of it, once it is committed.
    func record(_ made: Changes, by context: NSManagedObjectContext, announce: @escaping () -> Void) {
        hasWritten = true
        if !savers.contains(where: { $0 === context }) { savers.append(context) }
        if let didSave { return didSave(made) }
        changes.add(made)
        announcements.append(announce)
    }

    /// Notes what a batch request did.
    func record(batch made: Changes) {
        hasWritten = true
        if let didSave { return didSave(made) }
        changes.add(made)
        batches.add(made)
    }

    /// Notes a statement of SQL, which may have changed any row.
    func recordStatement() {
        hasWritten = true
        changes.areUnknown = true
    }

    /// Notifies of what was committed.
    func didCommit(in coordinator: NSPersistentStoreCoordinator) {
        for announce in announcements { announce() }
        if !isReported, changes.areUnknown || !batches.isEmpty {
            var unreported = batches
            unreported.areUnknown = changes.areUnknown
            coordinator.onUnreportedChanges?(unreported)
        }
        guard !batches.isEmpty else { return }
        // The rows in memory are those from before.
        for id in batches.inserted.union(batches.updated).union(batches.deleted) {
            id.persistentStore?.rowCache.forget(reference: id.reference, root: id.layout.root)
        }
        let change = RemoteChange(
            inserted: Array(batches.inserted), updated: Array(batches.updated), deleted: Array(batches.deleted))
        coordinator.contexts.deliver(from: nil) { change }
    }

    /// Takes from the contexts what they have saved in vain.
    func didFail() {
        for context in savers { context.performAndWait { context.reset() } }
    }
}
