/// The objects that a save is about.
struct ContextChanges {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    /// Inserted and deleted without ever having been saved.
    var discarded: ContiguousArray<NSManagedObject> = []
    /// Deleted because their rows were missing: there is nothing to write, and the context releases them.
    var missing: ContiguousArray<NSManagedObject> = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ChangeTracker {
    /// What `update` did to an object.
    struct Update {
        /// Whether the object had no unsaved change before.
        let isFirst: Bool
        /// Whether the object had no change in the pending event before.
        let isFirstInEvent: Bool
    }

    /// What `undelete` took back.
    struct Undeletion {
        let wasAnnounced: Bool
        let hadRulesApplied: Bool
    }
}
