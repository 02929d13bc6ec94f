public import OpenCoreDataKit

/// Reads objects and values: on the main queue through ``CoreDataMainContext``, inside of an update through
/// ``CoreDataUpdate``.
///
/// Each function takes the class first, and asks the one store that keeps the objects of the class. Unsaved changes of the
/// context, and of those above it, count unless the options say otherwise.
public protocol CoreDataFetch {
    /// The engine's context that is read in. The functions are for its queue.
    var managedObjectContext: NSManagedObjectContext { get }
    /// The stack whose stores are read.
    var stack: CoreDataStack { get }
}

extension CoreDataFetch {
    // MARK: Objects

    /// One object.
    ///
    /// Use it for objects that have to exist; ``fetchAll(_:_:orderBy:options:)`` returns an empty array instead of
    /// throwing.
    ///
    /// - Parameters:
    ///   - type: Its class.
    ///   - query: Which object; any if omitted. Of several that match, one is returned.
    ///   - options: Settings of the fetch.
    /// - Returns: The object.
    /// - Throws: `DatabaseError.notFound` when nothing matches, `DatabaseError.invalidQuery` for an impossible condition.
    public func fetch<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, options: CoreDataQueryOptions? = nil
    ) throws -> T {
        try managedObjectContext.one(kitQuery(type, query, options: options))
    }

    /// Returns all matching objects.
    ///
    /// Without an order, the objects come in any order. Unsaved objects of the context are among them.
    ///
    /// ```swift
    /// let people = try World.fetchAll(Person.self, %"age" >= 18, orderBy: .ascending("name"))
    /// ```
    ///
    /// - Parameters:
    ///   - type: Their class.
    ///   - query: The condition; by default all objects.
    ///   - orderBy: Their order.
    ///   - options: Settings of the fetch.
    /// - Returns: The objects; an empty array if nothing matches.
    /// - Throws: `DatabaseError.invalidQuery` for an invalid condition.
    public func fetchAll<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> [T] {
        try managedObjectContext.all(kitQuery(type, query, orderBy: orderBy, options: options))
    }

    // MARK: Objects by identity

    /// Returns the object with an identifier.
    ///
    /// An object that this context has deleted counts as gone, even before a save.
    ///
    /// - Parameters:
    ///   - type: The class of the object.
    ///   - id: The identifier.
    /// - Returns: The object.
    /// - Throws: `DatabaseError.notFound` if there is no such object, `DatabaseError.foreignObject` if it has another
    ///   class.
    public func fetch<T: NSManagedObject>(_ type: T.Type, id: NSManagedObjectID) throws -> T {
        let entity = id.entity.name ?? ""
        guard let object = try? managedObjectContext.existingObject(with: id), !object.isDeleted else {
            throw DatabaseError.notFound(entity: entity, condition: "the identifier \(id)")
        }
        guard let found = object as? T else {
            throw DatabaseError.foreignObject(
                entity: entity, reason: "\(id) is an object of the class \(Swift.type(of: object)), not \(type).")
        }
        return found
    }

    /// The objects of identifiers, in their order.
    ///
    /// Each object is looked up on its own; those that are loaded already cost nothing.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - ids: The identifiers.
    /// - Returns: The objects, one for each identifier.
    /// - Throws: `DatabaseError.notFound` when one is gone, `DatabaseError.foreignObject` when one is of another class.
    public func fetch<T: NSManagedObject>(_ type: T.Type, ids: [NSManagedObjectID]) throws -> [T] {
        try ids.map { try fetch(type, id: $0) }
    }

    /// The identifier of one object.
    ///
    /// Identifiers can be passed to other queues, unlike objects. No object is created.
    ///
    /// - Parameters:
    ///   - type: The class of the object.
    ///   - query: Which object; any if omitted.
    ///   - options: Settings of the fetch.
    /// - Returns: The identifier.
    /// - Throws: `DatabaseError.notFound` when nothing matches.
    public func fetchID<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, options: CoreDataQueryOptions? = nil
    ) throws -> NSManagedObjectID {
        let wanted = try kitQuery(type, query, options: options).limit(1)
        if let id = try managedObjectContext.ids(wanted).first { return id }
        throw DatabaseError.notFound(
            entity: try stack.metadataForEntityClass(type).entity.name ?? "", condition: query?.description)
    }

    /// The identifiers of all objects that match.
    ///
    /// No objects are created. Identifiers of unsaved objects are temporary.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: Their order.
    ///   - options: Settings of the fetch.
    /// - Returns: The identifiers; an empty array if nothing matches.
    /// - Throws: `DatabaseError.invalidQuery` for an invalid condition.
    public func fetchAllIDs<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> [NSManagedObjectID] {
        try managedObjectContext.ids(kitQuery(type, query, orderBy: orderBy, options: options))
    }

    /// The same as ``fetchAllIDs(_:_:orderBy:options:)``.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: Their order.
    ///   - options: Settings of the fetch.
    /// - Returns: The identifiers.
    /// - Throws: The errors of ``fetchAllIDs(_:_:orderBy:options:)``.
    public func fetchAllID<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> [NSManagedObjectID] {
        try fetchAllIDs(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the number of objects that match.
    ///
    /// A limit and an offset of the options count. Unsaved objects of the context are counted, too.
    ///
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: Their order, which matters only to the options.
    ///   - options: Settings of the fetch.
    /// - Returns: The number of objects.
    /// - Throws: `DatabaseError.invalidQuery` for an invalid condition.
    public func fetchCount<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> Int {
        try managedObjectContext.count(kitQuery(type, query, orderBy: orderBy, options: options))
    }

    // MARK: Objects of other contexts

    /// This context's object for one of another context, which may belong to another queue.
    ///
    /// Only the identifier of the given object is read. An object of this context is returned as it is. Unsaved changes
    /// of another context aren't seen, unless this context is a child of it.
    ///
    /// ```swift
    /// main.beginUpdateAndWait { update in
    ///     let own = try update.use(person)
    ///     own.name = "Ada"
    ///     try update.commit()
    /// }
    /// ```
    ///
    /// - Parameter object: An object of any context of the stack.
    /// - Returns: The object of this context.
    /// - Throws: `DatabaseError.notFound` when it was deleted, `DatabaseError.foreignObject` when it was never saved.
    public func use<T: NSManagedObject>(_ object: T) throws -> T { try managedObjectContext.local(object) }

    /// This context's objects for those of another context, in their order.
    ///
    /// If one object can't be had, nothing is returned.
    ///
    /// - Parameter objects: Objects of any context of the stack.
    /// - Returns: The objects of this context.
    /// - Throws: `DatabaseError.notFound` when one was deleted, `DatabaseError.foreignObject` when one was never saved.
    public func use<T: NSManagedObject>(_ objects: [T]) throws -> [T] { try objects.map { try use($0) } }

    // MARK: For the module

    /// A query of the kit for the store that keeps the objects of a class.
    func kitQuery<T: NSManagedObject>(
        _ type: T.Type, _ query: CoreDataQuery?, orderBy: CoreDataOrderBy? = nil, options: CoreDataQueryOptions?
    ) throws -> Query<T> {
        let (entity, store) = try stack.metadataForEntityClass(type)
        var result = Query(type, entity: entity.name).adjusted { $0.affectedStores = [store] }
        if let query {
            let layout = try managedObjectContext.entityLayout(for: type, named: entity.name)
            result = result.filter(try FittedCondition(layout).fit(query.predicate))
        }
        if let orderBy { result = result.sorted(orderBy.descriptors) }
        if let options { result = result.adjusted { options.apply(to: $0) } }
        return result
    }
}
