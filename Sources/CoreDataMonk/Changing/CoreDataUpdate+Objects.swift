public import OpenCoreDataKit

/// Creating and deleting, inside the blocks of an update.
extension CoreDataUpdate {
    /// A new object with the model's default values, for the store that keeps the objects of its class.
    ///
    /// The store has the object after the next ``CoreDataUpdate/commit()``. Use it in a block of the update only.
    ///
    /// - Parameter type: The class.
    /// - Returns: The object.
    /// - Throws: ``CoreDataUnregisteredClass``, or `DatabaseError.invalidQuery` for an abstract entity.
    public func create<T: NSManagedObject>(_ type: T.Type) throws -> T {
        let (entity, store) = try stack.metadataForEntityClass(type)
        let object = try managedObjectContext.create(type, entity: entity.name)
        managedObjectContext.assign(object, to: store)
        return object
    }

    /// The first object that matches, or a new one that is made to match.
    ///
    /// Objects that this update has created and not committed are found, too. Two updates can create the same object at
    /// the same time, unless the model has a uniqueness constraint.
    ///
    /// ```swift
    /// let city = try update.fetchOrCreate(City.self, %"name" == "Taipei" && %"code" == 886)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - query: Comparisons by `==`, joined with `&&`. A new object gets these values; `%"name" == %"title"` copies.
    /// - Returns: The object, which may be new.
    /// - Throws: `DatabaseError.invalidQuery` for any other condition, before anything is created.
    public func fetchOrCreate<T: NSManagedObject>(_ type: T.Type, _ query: CoreDataQuery) throws -> T {
        let context = managedObjectContext
        let wanted = try WantedValues(query.predicate, of: context.entityLayout(for: type, named: nil))
        if let found = try context.first(kitQuery(type, query, options: nil)) { return found }
        try wanted.checkSettable()
        let object = try create(type)
        wanted.set(on: object)
        return object
    }

    // MARK: Deleting

    /// Marks an object for deletion. The next commit deletes it and applies the model's delete rules.
    ///
    /// Bring an object of the main context into the update with `use(_:)` first.
    ///
    /// - Parameter object: The object.
    /// - Throws: `DatabaseError.foreignObject` for an object of another context.
    public func delete(_ object: NSManagedObject) throws { try delete([object]) }

    /// Marks objects for deletion: all of them, or none when one is of another context.
    ///
    /// An empty list is allowed.
    ///
    /// - Parameter objects: The objects.
    /// - Throws: `DatabaseError.foreignObject` for an object of another context, before anything is marked.
    public func delete(_ objects: [NSManagedObject]) throws {
        for object in objects where object.managedObjectContext !== managedObjectContext {
            throw DatabaseError.foreignObject(
                entity: object.objectID.entity.name ?? "",
                reason: "It belongs to another context or to no context. Pass it to use(_:) first.")
        }
        for object in objects { managedObjectContext.delete(object) }
    }

    /// Marks the object with an identifier for deletion.
    ///
    /// The object is loaded for it. Use `batchDelete(_:ids:)` for rows of which no object is needed.
    ///
    /// - Parameters:
    ///   - type: The class of the object.
    ///   - id: The identifier.
    /// - Throws: `DatabaseError.notFound` if there is no such object.
    public func delete<T: NSManagedObject>(_ type: T.Type, id: NSManagedObjectID) throws {
        try delete([fetch(type, id: id)])
    }

    /// Marks the objects of identifiers for deletion: all of them, or none when one is gone.
    ///
    /// The objects are loaded for it.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - ids: The identifiers.
    /// - Throws: `DatabaseError.notFound` if one of them is gone, before anything is marked.
    public func delete<T: NSManagedObject>(_ type: T.Type, ids: [NSManagedObjectID]) throws {
        try delete(fetch(type, ids: ids))
    }

    /// Marks all objects that match for deletion.
    ///
    /// The objects are loaded for it, and uncommitted ones are found, too. `batchDelete(_:_:)` deletes rows without
    /// loading objects.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all if omitted.
    /// - Returns: How many.
    /// - Throws: `DatabaseError.invalidQuery` for an invalid condition. Nothing is marked then.
    @discardableResult
    public func deleteAll<T: NSManagedObject>(_ type: T.Type, _ query: CoreDataQuery? = nil) throws -> Int {
        try managedObjectContext.delete(kitQuery(type, query, options: nil))
    }
}
