import Synchronization

/// Who observes a context: its children, the fetched results controllers that follow it, and the code that made it.
///
/// Other contexts use `children` and `automaticMerging` on their own queues. The rest is used on the context's queue.
final class ContextObservers {
    /// The children that merge what this context saves or is given.
    let children = ObservingContexts()
    /// Whether the context itself merges what others save.
    let automaticMerging = AutomaticMerging()
    /// Called with each save, before anything is done; what it throws, the save throws.
    @exclusivity(unchecked) var checkBeforeSave: ((NSManagedObjectContext) throws -> Void)?
    /// Called with each request that is executed here, for those that record what is read; with `nil` for a statement of SQL.
    @exclusivity(unchecked) var onFetch: ((NSFetchRequestBase?) -> Void)?
    /// The fetched results controllers that follow this context, and what is recorded for them until the next event.
    @exclusivity(unchecked) private var trackers = ResultTrackers()
    @exclusivity(unchecked) private var notes = TrackerNotes()

    /// Whether fetched results controllers follow the context.
    @inline(__always)
    var hasTrackers: Bool { !trackers.isEmpty }
    /// Whether something is recorded that controllers are yet to be notified of.
    var hasNotes: Bool { !notes.isEmpty }

    func add(_ tracker: ContextTracker) { trackers.add(tracker) }

    /// To be called before an object gets other values.
    @inline(__always)
    func objectWillChange(_ object: NSManagedObject) {
        if !trackers.isEmpty { trackers.objectWillChange(object) }
    }

    // MARK: Recording

    /// Records an object that gets other values without being announced.
    func recordSilent(_ object: NSManagedObject) { if hasTrackers { notes.silent.append(object) } }

    /// Records an object that has left the context without having been deleted.
    func recordDeparted(_ object: NSManagedObject) { if hasTrackers { notes.departed.append(object) } }

    /// Records what was changed elsewhere and isn't registered in the context.
    func recordUnknown(_ ids: [NSManagedObjectID]) { if hasTrackers { notes.unknown += ids } }

    /// Records an object that was inserted elsewhere and registered in the context before that was announced.
    func recordKnown(_ object: NSManagedObject) { if hasTrackers { notes.met.append(object) } }

    /// Records what was deleted elsewhere and is no object of the context.
    func recordGone(_ id: NSManagedObjectID) { if hasTrackers { notes.gone.append(id) } }

    /// Forgets what is recorded.
    func forgetNotes() { notes = TrackerNotes() }

    // MARK: Notifying

    /// Notifies the controllers of a change, with what was recorded for them.
    func notify(_ change: TrackedChange) {
        trackers.prune()
        var change = change
        let recorded = notes
        notes = TrackerNotes()
        change.silent = recorded.silent
        change.departed = recorded.departed
        change.unknown = recorded.unknown
        change.met = recorded.met
        change.gone = recorded.gone
        guard !change.isEmpty else { return }
        for tracker in trackers.all { tracker.contextDidChange(change) }
    }

    /// Notifies the controllers of what a save of this context wrote. The changes were announced before; what matters
    /// here is what only the save decided, and the controllers that show only saved changes.
    func notifyOfSave(
        inserted: ContiguousArray<NSManagedObject>, updated: ContiguousArray<NSManagedObject>,
        deleted: ContiguousArray<NSManagedObject>
    ) {
        guard hasTrackers else { return }
        notify(TrackedChange(isSaved: true))
        var change = TrackedChange()
        change.inserted = Array(inserted)
        change.updated = Array(updated)
        change.deleted = Array(deleted)
        change.isSaved = true
        change.isOwnSave = true
        notify(change)
        for tracker in trackers.all { tracker.identifiersDidChange(inserted) }
    }

    func notifyOfReset() {
        forgetNotes()
        for tracker in trackers.all { tracker.contextDidReset() }
    }

    /// What is wrong with what is recorded, for tests.
    func checkInvariants() -> [String] {
        !hasTrackers && hasNotes ? ["something is recorded for controllers although none follows the context"] : []
    }
}

extension NSManagedObjectContext {
    /// Called with each save, before anything is done; what it throws, the save throws.
    package final var checkBeforeSave: ((NSManagedObjectContext) throws -> Void)? {
        get { observers.checkBeforeSave }
        set { observers.checkBeforeSave = newValue }
    }

    /// Called with each request that is executed here, for those that record what is read; with `nil` for a statement of SQL.
    package final var onFetch: ((NSFetchRequestBase?) -> Void)? {
        get { observers.onFetch }
        set { observers.onFetch = newValue }
    }
}
