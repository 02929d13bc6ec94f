public import OpenCoreDataKit

extension DatabaseModel {
    /// A fetched results controller of the model's objects, which has not fetched yet.
    ///
    /// Call `performFetch()` on the context's queue, and keep the controller. The request's own order is replaced.
    ///
    /// - Parameters:
    ///   - sort: How to order the results.
    ///   - more: What decides where the first sort finds no difference.
    ///   - request: What to fetch; all objects if left out. A copy of it is used.
    ///   - context: Where to fetch; the default context, ``Fetchable/context``, if left out. Without either a debug build
    ///     stops with an explanation.
    /// - Returns: The controller; `nil` without a context.
    public static func updateResultsController(
        sortedBy sort: Sort<Entity>, _ more: Sort<Entity>..., for request: NSFetchRequest<Entity>? = nil,
        in context: NSManagedObjectContext? = nil
    ) -> NSFetchedResultsController<Entity>? {
        updateResultsController(sortedBy: [sort] + more, for: request, in: context)
    }

    /// A fetched results controller of the model's objects, which has not fetched yet.
    ///
    /// An empty list of sorts is an error of the program. The request's own order is replaced.
    ///
    /// - Parameters:
    ///   - sorts: How to order the results; at least one.
    ///   - request: What to fetch; everything if omitted.
    ///   - context: Where to fetch it.
    /// - Returns: The controller; `nil` without a context.
    public static func updateResultsController(
        sortedBy sorts: [Sort<Entity>], for request: NSFetchRequest<Entity>? = nil,
        in context: NSManagedObjectContext? = nil
    ) -> NSFetchedResultsController<Entity>? {
        programmerError(unless: !sorts.isEmpty, "Updating results of \(Self.self) need at least one sort.")
        guard let context = context ?? Self.context else {
            assertionFailure(MissingContext.text(for: Self.self))
            return nil
        }
        let request = request?.copy() as? NSFetchRequest<Entity> ?? Entity.everything
        if request.entity == nil, let entity = try? context.entity(for: Entity.self) { request.entity = entity }
        request.sortDescriptors = sorts.map(\.nsSortDescriptor)
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    }
}

extension DatabaseEntity {
    /// A new request for all objects of the class.
    static var everything: NSFetchRequest<Self> {
        let any: NSFetchRequest<any NSFetchRequestResult> = fetchRequest()
        return NSFetchRequest<Self>(entityName: any.entityName ?? String(describing: Self.self))
    }
}
