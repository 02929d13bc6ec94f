/// Objects that were changed here and deleted by others.
extension NSManagedObjectContext {
    /// The objects whose unsaved values can't be saved, because their rows are gone since they were merged.
    final package var editedObjectsDeletedElsewhere: [NSManagedObject] {
        changeTracker.mergedDeletions.filter { $0.extras?.values.contains { $0 != nil } ?? false }
    }
}
