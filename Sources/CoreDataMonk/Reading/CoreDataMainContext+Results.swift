public import OpenCoreDataKit

extension CoreDataMainContext {
    /// A controller that follows the objects that match. Nothing is fetched before its `performFetch()`.
    ///
    /// Call `performFetch()` on the main queue, and keep the controller. If the sections come from a stored attribute
    /// that isn't the first of the order, it is put in front of the order.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: Their order.
    ///   - sectionBy: What makes the sections. Objects of one section stand together, whatever the order says.
    ///   - options: Settings of the fetch.
    /// - Returns: The controller.
    /// - Throws: `DatabaseError.invalidQuery` for an invalid condition, ``CoreDataUnregisteredClass``.
    public func fetchResults<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy, sectionBy: CoreDataQueryKey? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> NSFetchedResultsController<T> {
        let ordered = try order(orderBy, sectionedBy: sectionBy?.path, type)
        let request = try kitQuery(type, query, orderBy: ordered, options: options)
            .fetchRequest(in: managedObjectContext)
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: managedObjectContext, sectionNameKeyPath: sectionBy?.path,
            cacheName: nil)
    }

    /// A controller's results have to be ordered by section first.
    private func order<T: NSManagedObject>(
        _ order: CoreDataOrderBy, sectionedBy path: String?, _ type: T.Type
    ) throws -> CoreDataOrderBy {
        guard let path, let first = order.descriptors.first, first.key != path else { return order }
        let attribute = try stack.metadataForEntityClass(type).entity.attributesByName[path]
        guard let attribute, !attribute.isTransient else { return order }
        return .sort(NSSortDescriptor(key: path, ascending: first.ascending)) | order
    }
}
