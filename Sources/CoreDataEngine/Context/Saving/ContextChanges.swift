import Foundation

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

extension NSManagedObjectContext {
    /// What is to be saved now; compacts the lists.
    final func collectChanges() -> ContextChanges {
        var changes = ContextChanges()
        changes.inserted = insertedList.filter { $0.state.isInserted }
        changes.updated = updatedList.filter { $0.state.isUpdated }
        for object in deletedList where object.state.isDeleted {
            if object.state.contains(.inserted) {
                changes.discarded.append(object)
            } else if object.state.contains(.inaccessible) {
                changes.missing.append(object)
            } else {
                changes.deleted.append(object)
            }
        }
        for object in insertedList where !object.state.isInserted { object.state.remove(.listedInserted) }
        for object in updatedList where !object.state.isUpdated { object.state.remove(.listedUpdated) }
        insertedList = changes.inserted
        updatedList = changes.updated
        return changes
    }
}
