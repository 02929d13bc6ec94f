extension NSManagedObjectContext {
    /// Returns the same object in this context, loaded.
    ///
    /// Only the identity of the given object is read, so it may be of a context on another queue. A closure that runs
    /// elsewhere can't capture an object; let it capture an ``ObjectReference``.
    ///
    /// - Parameter object: An object of any context of the database.
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` if its row was deleted;
    ///   ``DatabaseError/foreignObject(entity:reason:)`` if it was never saved and isn't in an ancestor of this
    ///   context, or belongs to another database.
    public func local<T: NSManagedObject>(_ object: T) throws -> T {
        if object.managedObjectContext === self { return object }
        return try local(T.self, object.objectID)
    }

    /// The object with an identifier, loaded.
    func local<T: NSManagedObject>(_ type: T.Type, _ id: NSManagedObjectID) throws -> T {
        let entity = id.entity.name ?? ""
        let id = savedID(id)
        if id.isTemporaryID, !hasInserted(id) {
            throw DatabaseError.foreignObject(entity: entity, reason: "It was never saved: save it first.")
        }
        let found: NSManagedObject
        do {
            found = try existingObject(with: id)
        } catch {
            throw missing(id, entity, error)
        }
        guard !found.isDeleted else {
            throw DatabaseError.notFound(entity: entity, condition: "the identifier \(id.uriRepresentation())")
        }
        guard let typed = found as? T else {
            throw DatabaseError.foreignObject(
                entity: entity, reason: "Here the entity has the class \(Swift.type(of: found)), not \(T.self).")
        }
        return typed
    }

    /// Whether an object that was never saved is one of this context, or of those that it reads through.
    private func hasInserted(_ id: NSManagedObjectID) -> Bool {
        if registeredObject(for: id)?.isInserted == true { return true }
        guard let parent else { return false }
        return parent.performAndWait { parent.hasInserted(id) }
    }

    /// Refuses identifiers of objects that this context can't have.
    func requireReachable(_ id: NSManagedObjectID) throws {
        let stores = persistentStoreCoordinator?.persistentStores ?? []
        let id = savedID(id)
        guard !id.isTemporaryID else {
            throw DatabaseError.foreignObject(
                entity: id.entity.name ?? "", reason: "It was never saved: save it first.")
        }
        guard stores.contains(where: { $0.identifier == id.uriRepresentation().host }) else {
            throw DatabaseError.foreignObject(
                entity: id.entity.name ?? "", reason: "Its store belongs to another database.")
        }
    }

    private func missing(_ id: NSManagedObjectID, _ entity: String, _ error: any Error) -> any Error {
        if id.isTemporaryID {
            return DatabaseError.foreignObject(entity: entity, reason: "It was never saved: save it first.")
        }
        do { try requireReachable(id) } catch { return error }
        guard (error as? CocoaError)?.code.rawValue == NSManagedObjectReferentialIntegrityError else { return error }
        return DatabaseError.notFound(entity: entity, condition: "the identifier \(id.uriRepresentation())")
    }
}
