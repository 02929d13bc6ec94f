/// Creating, changing and deleting objects. All of these belong to the context's queue and take effect in the context;
/// the store gets them with the next save.
extension NSManagedObjectContext {
    /// A new object of a class, with the model's default values.
    ///
    /// The object is in the context at once, and in the store after the next save. A required attribute without a
    /// default value has to be set before that, or the object can't be saved.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - entity: The entity's name, where the class alone does not say it.
    /// - Returns: The object.
    /// - Throws: ``DatabaseError/unknownEntity(className:known:)`` and its like, or
    ///   ``DatabaseError/invalidQuery(entity:reason:)`` for an abstract entity.
    @discardableResult
    public func create<T: NSManagedObject>(_ type: T.Type, entity: String? = nil) throws -> T {
        try create(type, entityLayout(for: type, named: entity))
    }

    func create<T: NSManagedObject>(_ type: T.Type, _ layout: EntityLayout) throws -> T {
        guard !layout.entity.isAbstract else {
            throw DatabaseError.invalidQuery(
                entity: layout.name, reason: "The entity is abstract, so it has no objects of its own.")
        }
        return T(entity: layout.entity, insertInto: self)
    }

    /// Changes every object that a query finds.
    ///
    /// All objects are loaded, and unsaved changes of the context count. Nothing is saved. For many rows without code
    /// of the class, `batchUpdate(_:set:)` is faster and uses less memory.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - change: Changes one object.
    /// - Returns: The number of objects.
    /// - Throws: ``DatabaseError``, or what the closure throws. Objects before that one are changed.
    @discardableResult
    public func update<T>(_ query: Query<T>, _ change: (T) throws -> Void) throws -> Int {
        let objects = try all(query)
        for object in objects { try change(object) }
        return objects.count
    }

    /// Deletes every object that a query finds. Limit and offset count, and delete rules apply.
    ///
    /// The objects are loaded, and are in the store until the context is saved. For many rows, `batchDelete(_:)` is
    /// faster and uses less memory.
    ///
    /// - Parameter query: The query.
    /// - Returns: The number of objects that the query found.
    /// - Throws: ``DatabaseError``. Nothing is deleted then.
    @discardableResult
    public func delete<T>(_ query: Query<T>) throws -> Int {
        let objects = try all(query)
        for object in objects { delete(object) }
        return objects.count
    }

    /// The first object with given values, or a new one that has them.
    ///
    /// ```swift
    /// let city = try context.findOrCreate(City.self, matching: ["name": "Taipei", "country": taiwan])
    /// ```
    ///
    /// Unsaved objects of the context are found, too. A new object has the values at once; it isn't saved. Two contexts
    /// can create the same object at the same time, unless the values have a uniqueness constraint in the model.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - values: Attributes and to-one relationships with the values that they have to have. A path such as
    ///     `country.name` can be matched too, but a new object can only be made when the object on the way is given as
    ///     well.
    /// - Returns: The object, which may be new.
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` for keys that the entity does not have, values that do
    ///   not fit, and for no values at all. Nothing is created then.
    public func findOrCreate<T: NSManagedObject>(_ type: T.Type, matching values: [String: Any?]) throws -> T {
        let layout = try entityLayout(for: type, named: nil)
        let match = try MatchedValues(values, of: layout)
        if let found = try first(Query(type).filter(match.predicate)) { return found }
        try match.checkSettable()
        let object = try create(type, layout)
        match.set(on: object)
        return object
    }
}
