public import OpenCoreDataKit

/// What classes of managed objects find, make and remove in a context, by its queue.
///
/// The entity is that which ``CoreDataModelable/entityName`` names, or else that of the class in the context's model.
extension NSFetchRequestResult where Self: NSManagedObject {
    private static var query: Query<Self> {
        Query(Self.self, entity: (Self.self as? any CoreDataModelable.Type)?.entityName)
    }

    private static func query(_ predicate: NSPredicate?) -> Query<Self> { predicate.map { query.filter($0) } ?? query }

    // MARK: Entity

    /// A new object in a context. A class without entity stops the program.
    ///
    /// The object has the model's default values and isn't saved. Call it on the context's queue.
    ///
    /// - Parameter context: The context into which the object is inserted.
    public init(managedObjectContext context: NSManagedObjectContext) {
        self.init(entity: Self.entityDescription(in: context), insertInto: context)
    }

    /// The entity in a context's model. A class without one stops the program, with the names that were looked for and
    /// those that there are.
    ///
    /// A class of several entities stops the program as well, unless it is ``CoreDataModelable``.
    ///
    /// - Parameter context: The context.
    /// - Returns: The entity.
    public static func entityDescription(in context: NSManagedObjectContext) -> NSEntityDescription {
        orStop {
            try context.entityLayout(for: Self.self, named: (Self.self as? any CoreDataModelable.Type)?.entityName)
        }
        .entity
    }

    /// The same as ``entityDescription(in:)``.
    ///
    /// A class without entity stops the program.
    ///
    /// - Parameter context: The context.
    /// - Returns: The entity.
    public static func entityDescriptionInContext(_ context: NSManagedObjectContext) -> NSEntityDescription {
        entityDescription(in: context)
    }

    /// A request for all objects. A class without entity stops the program.
    ///
    /// Each call returns a new request, whose settings can be changed.
    ///
    /// - Parameter context: The context whose model has the entity.
    /// - Returns: The request.
    public static func fetchRequestForEntity(inContext context: NSManagedObjectContext) -> NSFetchRequest<Self> {
        orStop { try query.fetchRequest(in: context) }
    }

    private static func orStop<Result>(_ body: () throws -> Result) -> Result {
        do { return try body() } catch { programmerError(DatabaseError.sentence(error)) }
    }

    // MARK: Finding

    /// Returns the first matching object of the entity or its subentities, or `nil` if no object matches.
    ///
    /// Without an order, any matching object may be returned. Unsaved objects of the context are found, too.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - predicate: The condition; all objects if left out.
    /// - Returns: The object, or `nil`.
    /// - Throws: `DatabaseError` or the fetch's error.
    public static func findFirstInContext(
        _ context: NSManagedObjectContext, predicate: NSPredicate? = nil
    ) throws -> Self? {
        try context.first(query(predicate))
    }

    /// The objects that match, of the entity or its subentities.
    ///
    /// Unsaved objects of the context are among them.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - predicate: The condition; all objects if left out.
    ///   - sortDescriptors: The order; any order if left out.
    /// - Returns: The objects; an empty array if nothing matches.
    /// - Throws: `DatabaseError` or the fetch's error.
    public static func allInContext(
        _ context: NSManagedObjectContext, predicate: NSPredicate? = nil, sortDescriptors: [NSSortDescriptor]? = nil
    ) throws -> [Self] {
        try context.all(query(predicate).sorted(sortDescriptors ?? []))
    }

    /// How many objects match, of the entity alone.
    ///
    /// Unlike ``allInContext(_:predicate:sortDescriptors:)``, it leaves out objects of subentities.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - predicate: The condition; all objects if left out.
    /// - Returns: The number of objects.
    /// - Throws: `DatabaseError` or the fetch's error.
    public static func countInContext(
        _ context: NSManagedObjectContext, predicate: NSPredicate? = nil
    ) throws -> Int {
        try context.count(query(predicate).exactEntity())
    }

    // MARK: Removing

    /// Deletes all objects of the entity alone. The store gets that with the next save.
    ///
    /// Objects of subentities stay. The model's delete rules apply, and unsaved objects are deleted, too.
    ///
    /// - Parameter context: The context.
    /// - Throws: `DatabaseError` or the fetch's error; then nothing was deleted.
    public static func removeAllInContext(_ context: NSManagedObjectContext) throws {
        try removeAllInContext(context, except: [])
    }

    /// Deletes all objects of the entity alone but some. The store gets that with the next save.
    ///
    /// Objects of subentities stay. Objects are recognized by identity, so those to keep have to belong to the context.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - toKeep: The objects that stay.
    /// - Throws: `DatabaseError` or the fetch's error; then nothing was deleted.
    public static func removeAllInContext(_ context: NSManagedObjectContext, except toKeep: [Self]) throws {
        let kept = Set(toKeep.map { ObjectIdentifier($0) })
        for object in try context.all(query.exactEntity()) where !kept.contains(ObjectIdentifier(object)) {
            context.delete(object)
        }
    }
}
