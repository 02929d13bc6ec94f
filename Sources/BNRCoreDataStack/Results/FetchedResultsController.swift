public import OpenCoreDataKit

/// The results of a fetch request in sections, kept up to date while objects of the context change; the engine's
/// `NSFetchedResultsController` with the class of its results in all its types.
///
/// To be used on the queue of the context.
public final class FetchedResultsController<T: NSManagedObject> {
    private let controller: NSFetchedResultsController<T>
    private let listener = ResultsListener<T>()
    private var notify: ((ResultsEvent<T>) -> Void)?

    /// Creates a controller, which has no results before the first fetch.
    ///
    /// An order that is missing, or doesn't go with the sections, is an error of ``performFetch()``.
    ///
    /// - Parameters:
    ///   - fetchRequest: What to fetch. Needs sort descriptors, of which the first has to go with the sections.
    ///   - managedObjectContext: The context to fetch in and to follow.
    ///   - sectionNameKeyPath: Whose value, as a string, is the name of an object's section; `nil` for one section.
    ///   - cacheName: Under which name to keep the sections in a file, for the next time; `nil` not to.
    public init(
        fetchRequest: NSFetchRequest<T>, managedObjectContext: NSManagedObjectContext,
        sectionNameKeyPath: String? = nil, cacheName: String? = nil
    ) {
        controller = NSFetchedResultsController(
            fetchRequest: fetchRequest, managedObjectContext: managedObjectContext,
            sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName)
        listener.owner = self
        controller.delegate = listener
    }

    /// Sets who is notified of changes, and is held weakly. There is one delegate at a time.
    ///
    /// Set it before the first fetch to be notified of that as well. Setting another delegate ends the notifications of
    /// the one before.
    ///
    /// - Parameter delegate: The delegate.
    public func setDelegate<Delegate: FetchedResultsControllerDelegate>(_ delegate: Delegate)
    where Delegate.EntityType == T {
        notify = { [weak self, weak delegate] event in
            guard let self, let delegate else { return }
            switch event {
            case .didPerformFetch: delegate.fetchedResultsControllerDidPerformFetch(self)
            case .willChange: delegate.fetchedResultsControllerWillChangeContent(self)
            case .didChange: delegate.fetchedResultsControllerDidChangeContent(self)
            case .object(let change): delegate.fetchedResultsController(self, didChangeObject: change)
            case .section(let change): delegate.fetchedResultsController(self, didChangeSection: change)
            }
        }
    }

    /// Fetches, and replaces the results. The delegate is notified that it did, also when it failed.
    ///
    /// It can be called again, for example after the request was changed. The delegate isn't notified of the single
    /// differences then.
    ///
    /// - Throws: The fetch's error, or one that names the sort descriptor or section key path that can't be used.
    public func performFetch() throws {
        defer { receive(.didPerformFetch) }
        try controller.performFetch()
    }

    func receive(_ event: ResultsEvent<T>) { notify?(event) }

    // MARK: What is fetched

    /// The fetch request. Changes to it have an effect from the next fetch on.
    public var fetchRequest: NSFetchRequest<T> { controller.fetchRequest }
    /// The context to fetch in and to follow.
    public var managedObjectContext: NSManagedObjectContext { controller.managedObjectContext }
    /// Whose value, as a string, is the name of an object's section.
    public var sectionNameKeyPath: String? { controller.sectionNameKeyPath }
    /// The name of the file in which the sections are kept.
    public var cacheName: String? { controller.cacheName }

    /// Deletes a file of sections, or all of them.
    ///
    /// Call it before the request of a controller with a cache is changed.
    ///
    /// - Parameter name: The ``cacheName`` of controllers; `nil` for all.
    public static func deleteCache(withName name: String?) {
        NSFetchedResultsController<T>.deleteCache(withName: name)
    }

    // MARK: Results

    /// The results in order; `nil` before the first fetch.
    public var fetchedObjects: [T]? { controller.fetchedObjects }

    /// The first result; `nil` if there are no results.
    public var first: T? { controller.fetchedObjects?.first }

    /// The number of results.
    public var count: Int { controller.fetchedObjects?.count ?? 0 }

    /// The sections in order; `nil` before the first fetch. Without a section key path there is one section.
    public var sections: [FetchedResultsSectionInfo<T>]? {
        controller.sections?.map { FetchedResultsSectionInfo($0) }
    }

    /// The number of sections.
    public var sectionCount: Int { controller.sections?.count ?? 0 }

    /// The result at an index path of section and row. An index path that has no result is an error of the program.
    ///
    /// Nothing is fetched: the object comes from the results, and may be a fault.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The object.
    public subscript(indexPath: IndexPath) -> T { controller.object(at: indexPath) }

    /// Returns the index path of a result, or `nil` if the object isn't a result.
    ///
    /// `nil` before the first fetch.
    ///
    /// - Parameter object: The object.
    /// - Returns: The index path, or `nil`.
    public func indexPathForObject(_ object: T) -> IndexPath? { controller.indexPath(forObject: object) }
}
