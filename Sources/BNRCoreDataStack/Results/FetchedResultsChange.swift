public import OpenCoreDataKit

/// What became of one object among the results. Places of objects that went or were updated are from before the pass,
/// those of objects that came are from after it.
public enum FetchedResultsObjectChange<T: NSManagedObject> {
    /// It came.
    case insert(object: T, indexPath: IndexPath)
    /// It went.
    case delete(object: T, indexPath: IndexPath)
    /// It stands elsewhere, and may have other values.
    case move(object: T, fromIndexPath: IndexPath, toIndexPath: IndexPath)
    /// It has other values.
    case update(object: T, indexPath: IndexPath)

    /// Takes over what a controller reports. A move to the same index path is an update.
    init?(_ object: T, _ type: NSFetchedResultsChangeType, _ old: IndexPath?, _ new: IndexPath?) {
        switch (type, old, new) {
        case (.insert, _, let new?): self = .insert(object: object, indexPath: new)
        case (.delete, let old?, _): self = .delete(object: object, indexPath: old)
        case (.move, let old?, let new?) where old != new:
            self = .move(object: object, fromIndexPath: old, toIndexPath: new)
        case (.move, let old?, _), (.update, let old?, _): self = .update(object: object, indexPath: old)
        default: return nil
        }
    }
}

/// A change of a section of the results.
public enum FetchedResultsSectionChange<T: NSManagedObject> {
    /// It came; the index is that after the pass.
    case insert(info: FetchedResultsSectionInfo<T>, index: Int)
    /// It went; the index is that before the pass.
    case delete(info: FetchedResultsSectionInfo<T>, index: Int)

    /// Takes over what a controller reports.
    init?(_ info: FetchedResultsSectionInfo<T>, _ type: NSFetchedResultsChangeType, _ index: Int) {
        switch type {
        case .insert: self = .insert(info: info, index: index)
        case .delete: self = .delete(info: info, index: index)
        default: return nil
        }
    }
}
