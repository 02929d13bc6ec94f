public import OpenCoreDataKit

/// Is notified of what becomes of the results of a ``FetchedResultsController``, on the queue of its context.
///
/// A pass is reported as will-change, sections, objects, did-change.
public protocol FetchedResultsControllerDelegate: AnyObject {
    /// The class of the results.
    associatedtype EntityType: NSManagedObject

    /// The controller has fetched, or failed to.
    ///
    /// Reload the list here. ``FetchedResultsController/fetchedObjects`` has the results.
    ///
    /// - Parameter controller: The controller.
    func fetchedResultsControllerDidPerformFetch(_ controller: FetchedResultsController<EntityType>)

    /// The results are about to change.
    ///
    /// The single changes and ``fetchedResultsControllerDidChangeContent(_:)`` follow.
    ///
    /// - Parameter controller: The controller.
    func fetchedResultsControllerWillChangeContent(_ controller: FetchedResultsController<EntityType>)

    /// The results have changed.
    ///
    /// Called after the last single change of the pass.
    ///
    /// - Parameter controller: The controller.
    func fetchedResultsControllerDidChangeContent(_ controller: FetchedResultsController<EntityType>)

    /// An object came, went, moved or has other values.
    ///
    /// Called once for each object of a pass, after its sections.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - change: The object and its index paths.
    func fetchedResultsController(
        _ controller: FetchedResultsController<EntityType>,
        didChangeObject change: FetchedResultsObjectChange<EntityType>)

    /// A section came or went.
    ///
    /// Called once for each section of a pass, before its objects.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - change: The section and its index.
    func fetchedResultsController(
        _ controller: FetchedResultsController<EntityType>,
        didChangeSection change: FetchedResultsSectionChange<EntityType>)
}
