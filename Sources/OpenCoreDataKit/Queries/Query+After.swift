/// The object at which a page ends, or its identifier.
enum PageEnd {
    case object(NSManagedObject)
    case identifier(NSManagedObjectID)
}

/// Pages that go on where the last one ended.
extension Query {
    /// Leaves out an object and everything before it in the sort order, so that a page begins where the last one ended.
    ///
    /// Unlike an offset this takes the same time for each page, and objects that are inserted or deleted before the page
    /// move nothing: each object that stays where it is comes once. Objects with equal values come in the order of their
    /// identifiers. The position is where the object is now; if its values change between two pages, it moves.
    ///
    /// ```swift
    /// var last: Book?
    /// repeat {
    ///     let page = try context.all(Query(Book.self).sorted(\.title).after(last).limit(50))
    ///     last = page.last
    /// } while last != nil
    /// ```
    ///
    /// Running the query throws ``DatabaseError/invalidQuery(entity:reason:)`` if the object was deleted or never saved, or
    /// if the query is sorted by anything but attributes and attributes over to-one relationships. Over Apple's framework it
    /// always throws.
    ///
    /// - Parameter object: The last object of the page before; `nil` begins at the beginning.
    public func after(_ object: T?) -> Self { object.map { adding(.after(.object($0))) } ?? self }

    /// Leaves out an object and everything before it in the sort order, by the object's identifier.
    ///
    /// Use it if only the identifier of the last object is known, as in a request to a server. The rules of `after(_:)`
    /// with an object apply: running the query throws ``DatabaseError/invalidQuery(entity:reason:)`` for a temporary
    /// identifier, an object of another entity, and one that was deleted.
    ///
    /// - Parameter id: The identifier of the last object of the page before, of which the query's context reads the values.
    /// - Returns: The changed query.
    public func after(_ id: NSManagedObjectID) -> Self { adding(.after(.identifier(id))) }

    /// Adds the condition of ``after(_:)`` to a request that has its order.
    func goOn(in request: NSFetchRequestBase, _ layout: EntityLayout, _ context: NSManagedObjectContext) throws {
        var end: PageEnd?
        for case .after(let last) in steps { end = last }
        guard let end else { return }
        let descriptors = request.sortDescriptors ?? []
        for descriptor in descriptors { try checkKey(of: descriptor, layout) }
        let object = try object(at: end, layout, context)
        let condition = try DatabaseError.translating(layout, nil) {
            try Translation.predicate(after: object, by: descriptors, in: context)
        }
        guard let condition else { throw unusable(end, "was never saved", layout) }
        request.predicate = request.predicate.and(condition)
    }

    private func object(
        at end: PageEnd, _ layout: EntityLayout, _ context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        let id: NSManagedObjectID
        switch end {
        case .identifier(let identifier): id = identifier
        case .object(let object):
            guard !object.isDeleted, object.managedObjectContext != nil else {
                throw unusable(end, "was deleted, or its context is gone", layout)
            }
            id = object.objectID
        }
        guard !id.isTemporaryID else { throw unusable(end, "was never saved", layout) }
        guard id.entity.isKindOf(entity: layout.entity) || layout.entity.isKindOf(entity: id.entity) else {
            throw unusable(end, "is of the entity \(id.entity.name ?? "")", layout)
        }
        guard let found = try context.object(NSManagedObject.self, id) else {
            throw unusable(end, "was deleted", layout)
        }
        return found
    }

    private func checkKey(of descriptor: NSSortDescriptor, _ layout: EntityLayout) throws {
        if let key = descriptor.key, case .attribute = try PropertyPath.target(of: key, from: layout) { return }
        throw DatabaseError.invalidQuery(
            entity: layout.name,
            reason: "A query can only go on after an object in an order by attributes, not by \(descriptor).")
    }

    private func unusable(_ end: PageEnd, _ reason: String, _ layout: EntityLayout) -> DatabaseError {
        let id =
            switch end {
            case .object(let object): object.objectID
            case .identifier(let id): id
            }
        return .invalidQuery(
            entity: layout.name,
            reason: "The query can't go on after the object \(id.uriRepresentation().absoluteString): it \(reason).")
    }
}
