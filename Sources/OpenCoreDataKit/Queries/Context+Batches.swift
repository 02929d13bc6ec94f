/// Changing many rows in the stores at once, without making objects of them.
///
/// Inside of `write` and `importing` they are part of the transaction; elsewhere they take effect at once, whether or not the
/// context is saved. They skip validation. Afterwards this context and those above it have taken over what happened, the main
/// context does so as the layout says, and `changes` reports it.
extension NSManagedObjectContext {
    /// Deletes the rows that a query finds in the stores, without loading objects. Delete rules apply; unsaved changes
    /// don't count.
    ///
    /// Inside of ``Database/write(conflicts:locking:_:)``, the deletion is part of the transaction; elsewhere it is in
    /// the stores at once, whether or not the context is saved. Objects of the rows that this context and its ancestors
    /// have loaded count as deleted afterwards. Use `delete(_:)` with a query if unsaved objects matter, or if deleting
    /// has to run code of the class.
    ///
    /// - Parameter query: The query.
    /// - Returns: The number of deleted objects, including those deleted by a cascade rule.
    /// - Throws: ``DatabaseError``.
    @discardableResult
    public func batchDelete<T>(_ query: Query<T>) throws -> Int {
        let layout = try entityLayout(of: query)
        let fetch: NSFetchRequest<T> = try query.request(for: layout, in: self)
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        return try DatabaseError.translating(layout, fetch.predicate) {
            let ids = try announcing {
                (try execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
            }
            takeOver([NSDeletedObjectsKey: ids], ids)
            return ids.count
        }
    }

    /// Sets attributes and to-one relationships of the rows that a query finds in the stores.
    ///
    /// Validation and code of the class are skipped. A limit or an offset of the query counts. This context and its
    /// ancestors refresh the objects that they have loaded, and the main context merges the changes as the layout
    /// says.
    ///
    /// ```swift
    /// let old = Query(Book.self).filter(#Predicate { $0.pages == 0 })
    /// let count = try context.batchUpdate(old, set: ["pages": 1, "note": nil])
    /// ```
    ///
    /// - Parameters:
    ///   - query: Which rows; unsaved changes don't count.
    ///   - values: New values by name: constants, `nil`, or an `NSExpression` over the row's own values.
    /// - Returns: How many rows were changed.
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` for a name that the entity does not have or a value that
    ///   does not fit.
    @discardableResult
    public func batchUpdate<T>(_ query: Query<T>, set values: [String: Any?]) throws -> Int {
        let layout = try entityLayout(of: query)
        let fetch: NSFetchRequest<T> = try query.request(for: layout, in: self)
        for name in values.keys { _ = try PropertyPath.target(of: name, from: layout) }
        let request = NSBatchUpdateRequest(entity: layout.entity)
        request.includesSubentities = fetch.includesSubentities
        request.affectedStores = fetch.affectedStores
        request.propertiesToUpdate = values.mapValues { $0 ?? NSNull() }
        request.resultType = .updatedObjectIDsResultType
        return try DatabaseError.translating(layout, fetch.predicate) {
            let ids = try announcing {
                request.predicate = try condition(of: fetch, query)
                return (try execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
            }
            takeOver([NSUpdatedObjectsKey: ids], ids)
            return ids.count
        }
    }

    /// A batch update knows no window: one is turned into the rows that are in it. They still have to fulfill the query's
    /// condition, because on a server another program may have changed one of them since it was found.
    private func condition<T>(of fetch: NSFetchRequest<T>, _ query: Query<T>) throws -> NSPredicate? {
        #if canImport(ObjectiveC)
        let skipsLocked = false
        #else
        let skipsLocked = fetch.rowLock == .skipping
        #endif
        guard fetch.fetchLimit > 0 || fetch.fetchOffset > 0 || skipsLocked else { return fetch.predicate }
        let window = NSPredicate(format: "SELF IN %@", argumentArray: [try ids(query.storedOnly())])
        return NSCompoundPredicate(andPredicateWithSubpredicates: [window, fetch.predicate].compactMap(\.self))
    }

    /// Runs a batch request; outside of a transaction, as one of its own, which others are notified of.
    private func announcing(_ request: () throws -> [NSManagedObjectID]) throws -> [NSManagedObjectID] {
        guard !isInTransaction, let coordinator = databaseCoordinator else { return try request() }
        var ids: [NSManagedObjectID] = []
        let changes = try transaction { ids = try request() }
        coordinator.core.announce(changes)
        return ids
    }

    private func takeOver(_ changes: [AnyHashable: Any], _ ids: [NSManagedObjectID]) {
        guard !ids.isEmpty else { return }
        var chain = [self]
        while let parent = chain[chain.count - 1].parent { chain.append(parent) }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: chain.reversed())
    }
}
