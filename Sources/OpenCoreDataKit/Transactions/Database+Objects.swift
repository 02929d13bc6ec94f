extension Database {
    /// Runs a block as ``write(conflicts:locking:_:)`` does, with an object of another context, such as ``main``. The block
    /// receives the same object in its own context.
    ///
    /// Only the object's identity is read, so nothing that isn't `Sendable` leaves the caller's actor. Its unsaved
    /// changes aren't in the stores, and the block doesn't see them.
    ///
    /// - Parameters:
    ///   - object: The object, which has to be saved.
    ///   - conflicts: What to do about rows that another context or process has changed.
    ///   - body: The block.
    /// - Throws: ``DatabaseError/notFound(entity:condition:)`` if the object is deleted, or the errors of
    ///   ``write(conflicts:locking:_:)``.
    @discardableResult
    public func write<T: NSManagedObject, Result: Sendable>(
        _ object: T, conflicts: WriteConflicts = .retry,
        _ body: @escaping @Sendable (Context, T) throws -> Result
    ) async throws -> Result {
        let id = object.objectID
        return try await write(conflicts: conflicts) { context in try body(context, context.requiredObject(id)) }
    }

    /// Runs a block as ``read(_:)`` does, with an object that belongs to another context: the block gets the same
    /// object in its own.
    ///
    /// Unsaved changes of the object aren't seen, because the block reads what the stores have. An object that was
    /// never saved throws ``DatabaseError/foreignObject(entity:reason:)``, and one that was deleted throws
    /// ``DatabaseError/notFound(entity:condition:)``.
    ///
    /// - Parameters:
    ///   - object: An object of any context of the database.
    ///   - body: The block. Gets its context and the object.
    /// - Returns: What the block returns.
    /// - Throws: The errors of ``write(_:conflicts:_:)``.
    public func read<T: NSManagedObject, Result: Sendable>(
        _ object: T, _ body: @escaping @Sendable (Context, T) throws -> Result
    ) async throws -> Result {
        let id = object.objectID
        return try await read { context in try body(context, context.requiredObject(id)) }
    }
}

extension NSManagedObjectContext {
    fileprivate func requiredObject<T: NSManagedObject>(_ id: NSManagedObjectID) throws -> T {
        if let object = try object(T.self, id) { return object }
        throw DatabaseError.notFound(
            entity: id.entity.name ?? "", condition: "the identifier \(id.uriRepresentation())")
    }
}
