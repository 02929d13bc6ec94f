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
