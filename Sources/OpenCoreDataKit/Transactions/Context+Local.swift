extension NSManagedObjectContext {
    /// The same object in this context, loaded. Of the object that is handed in only the identity is read, so it may be
    /// of a context on another queue.
    ///
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` when its row is gone;
    ///   ``DatabaseError/foreignObject(entity:reason:)`` when it was never saved and is not this context's ancestors', or
    ///   belongs to another database.
    public func local<T: NSManagedObject>(_ object: T) throws -> T {
        if object.managedObjectContext === self { return object }
        let id = object.objectID
        let entity = id.entity.name ?? ""
        let found: NSManagedObject
        do {
            found = try existingObject(with: id)
        } catch {
            throw missing(id, entity, error)
        }
        guard let typed = found as? T else {
            throw DatabaseError.foreignObject(
                entity: entity, reason: "Here the entity has the class \(type(of: found)), not \(T.self).")
        }
        return typed
    }

    private func missing(_ id: NSManagedObjectID, _ entity: String, _ error: any Error) -> any Error {
        if id.isTemporaryID {
            return DatabaseError.foreignObject(entity: entity, reason: "It was never saved: save it first.")
        }
        let isReachable =
            persistentStoreCoordinator?.persistentStores.contains { $0.identifier == id.storeIdentifier } ?? false
        guard isReachable else {
            return DatabaseError.foreignObject(entity: entity, reason: "Its store belongs to another database.")
        }
        guard (error as? CocoaError)?.code.rawValue == NSManagedObjectReferentialIntegrityError else { return error }
        return DatabaseError.notFound(entity: entity, condition: "the identifier \(id.uriRepresentation())")
    }
}
