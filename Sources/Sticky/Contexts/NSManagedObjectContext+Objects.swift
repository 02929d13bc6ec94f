import OpenCoreDataKit

/// Creating, fetching and deleting by class. All of these belong to the context's queue.
extension NSManagedObjectContext {
    /// A new object of a class, with the model's default values. Nothing is saved.
    ///
    /// The entity is that of this context's model, so that several containers with equal models may live in one process.
    ///
    /// - Parameter type: The class.
    /// - Returns: The object.
    /// - Throws: ``EntityError``; `DatabaseError.invalidQuery` for an abstract entity.
    @discardableResult
    public func create<T: NSManagedObject>(_ type: T.Type) throws -> T {
        try create(type, entity: entity(for: type).name)
    }

    /// The objects of a class, those included that are not saved yet. Unordered unless the block says how.
    ///
    /// An empty array means that nothing matches. The request passed to the block must not be kept.
    ///
    /// ```swift
    /// let books = try context.fetch(Book.self) { $0.predicate = NSPredicate(format: "pages > 300") }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - block: Changes the request: condition, order, limit and the like. The entity stays that of the class.
    /// - Returns: The objects.
    /// - Throws: ``EntityError``; `DatabaseError.invalidQuery` for a condition that names what the entity does not have,
    ///   `DatabaseError.storeFailed`.
    public func fetch<T: NSManagedObject>(_ type: T.Type, block: ((NSFetchRequest<T>) -> Void)? = nil) throws -> [T] {
        try all(query(type, block))
    }

    /// Deletes the objects of a class. Nothing is saved.
    ///
    /// The objects are loaded for it, and unsaved ones are deleted, too. The model's delete rules apply.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - block: Changes the request for what is deleted: exactly what it finds is, so a limit counts.
    /// - Throws: As ``fetch(_:block:)``; then nothing was deleted.
    public func delete<T: NSManagedObject>(_ type: T.Type, block: ((NSFetchRequest<T>) -> Void)? = nil) throws {
        try delete(query(type, block))
    }

    private func query<T: NSManagedObject>(_ type: T.Type, _ block: ((NSFetchRequest<T>) -> Void)?) throws -> Query<T> {
        let query = Query(type, entity: try entity(for: type).name)
        guard let block else { return query }
        return query.adjusted { request in
            if let request = typed(request, as: T.self) { block(request) }
        }
    }
}
