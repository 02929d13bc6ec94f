import Foundation

/// What a context announces to the controllers that follow it: the notification's objects, and what it doesn't contain.
struct TrackedChange {
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    var refreshed: [NSManagedObject] = []
    /// Objects that got other values without being announced: faults in a merge, conflicting objects in a save.
    var silent: [NSManagedObject] = []
    /// Objects that have left the context without having been deleted.
    var departed: [NSManagedObject] = []
    /// Changed elsewhere, and not registered in this context.
    var unknown: [NSManagedObjectID] = []
    /// Inserted elsewhere, and met in this context before that was announced.
    var met: [NSManagedObject] = []
    /// Deleted elsewhere, and no object of this context: what offset and limit cut out may shift.
    var gone: [NSManagedObjectID] = []
    /// Whether stores or the parent have what changed.
    var isSaved = false
    /// Whether the change is the context's own save, which was announced before.
    var isOwnSave = false

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && silent.isEmpty
            && departed.isEmpty && unknown.isEmpty && met.isEmpty && gone.isEmpty
    }

    /// Leaves out what was announced before the save.
    mutating func forgetAnnounced() { (inserted, updated, deleted) = ([], [], []) }
}

/// What follows a context: a fetched results controller. Used on the context's queue.
class ContextTracker {
    /// Called before an object gets other values.
    func objectWillChange(_ object: NSManagedObject) {}
    /// Called with what has changed.
    func contextDidChange(_ change: TrackedChange) {}
    /// Called after the context was reset.
    func contextDidReset() {}
    /// Called with the objects that have got permanent identifiers.
    func identifiersDidChange(_ objects: ContiguousArray<NSManagedObject>) {}
}

/// The controllers that follow a context, held weakly. Used on the context's queue.
struct ResultTrackers {
    private struct Reference {
        weak var tracker: ContextTracker?
    }

    private var references: [Reference] = []

    var isEmpty: Bool { references.isEmpty }

    mutating func add(_ tracker: ContextTracker) {
        references.removeAll { $0.tracker == nil || $0.tracker === tracker }
        references.append(Reference(tracker: tracker))
    }

    /// Forgets controllers that are gone.
    mutating func prune() { references.removeAll { $0.tracker == nil } }

    /// The controllers that are alive.
    var all: [ContextTracker] { references.compactMap(\.tracker) }

    /// To be called before an object gets other values.
    func objectWillChange(_ object: NSManagedObject) {
        for reference in references { reference.tracker?.objectWillChange(object) }
    }
}

/// What a context records for its controllers beside what its notifications say.
struct TrackerNotes {
    var silent: [NSManagedObject] = []
    var departed: [NSManagedObject] = []
    var unknown: [NSManagedObjectID] = []
    var met: [NSManagedObject] = []
    var gone: [NSManagedObjectID] = []

    var isEmpty: Bool {
        silent.isEmpty && departed.isEmpty && unknown.isEmpty && met.isEmpty && gone.isEmpty
    }
}
