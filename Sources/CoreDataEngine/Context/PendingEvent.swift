/// What changed since changes were last processed.
struct PendingEvent {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    var refreshed: ContiguousArray<NSManagedObject> = []
    /// Identifiers for the notification of a merge; `nil` when the event is no merge.
    var merged: MergedIDs?
    /// Whether a deletion's rules are still to be applied.
    var hasUnpropagatedDeletes = false

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }
}

/// What a merge brought, for `didMergeChangesObjectIDsNotification`.
struct MergedIDs {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var refreshed: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
}
