public import OpenCoreDataKit

/// Is notified of what becomes of the results of a ``FetchedResultsController``, on the queue of its context.
///
/// A pass is reported as will-change, sections, objects, did-change.
public protocol FetchedResultsControllerDelegate: AnyObject {
    /// The class of the results.
    associatedtype EntityType: NSManagedObject

    /// The controller has fetched, or failed to.
    func fetchedResultsControllerDidPerformFetch(_ controller: FetchedResultsController<EntityType>)

    /// The results are about to change.
    func fetchedResultsControllerWillChangeContent(_ controller: FetchedResultsController<EntityType>)

    /// The results have changed.
    func fetchedResultsControllerDidChangeContent(_ controller: FetchedResultsController<EntityType>)

    /// An object came, went, moved or has other values.
    func fetchedResultsController(
        _ controller: FetchedResultsController<EntityType>,
        didChangeObject change: FetchedResultsObjectChange<EntityType>)

    /// A section came or went.
    func fetchedResultsController(
        _ controller: FetchedResultsController<EntityType>,
        didChangeSection change: FetchedResultsSectionChange<EntityType>)
}
