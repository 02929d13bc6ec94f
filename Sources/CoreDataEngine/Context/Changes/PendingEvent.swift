/// What changed since changes were last processed.
struct PendingEvent {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    var refreshed: ContiguousArray<NSManagedObject> = []
    /// Identifiers for the notification of a merge; `nil` when the event is no merge.
    var merged: MergedIDs?
    /// The ordered sets through which to-manys were changed: a program may ask for the set before each change, and to make
    /// one takes as long as the relationship has members.
    var liveSets: [LiveSetKey: ManagedMutableOrderedSet] = [:]
    /// Deleted objects whose delete rules are still to be applied. May name objects that were brought back, or twice.
    var unpropagated: ContiguousArray<NSManagedObject> = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

    /// A to-many of an object.
    struct LiveSetKey: Hashable {
        private let object: ObjectIdentifier
        private let relationship: Int

        init(_ object: NSManagedObject, _ relationship: RelationshipLayout) {
            self.object = ObjectIdentifier(object)
            self.relationship = relationship.index
        }
    }
}

/// What a merge brought, for `didMergeChangesObjectIDsNotification`.
struct MergedIDs {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var refreshed: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
}
