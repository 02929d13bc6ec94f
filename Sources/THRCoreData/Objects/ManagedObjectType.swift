public import OpenCoreDataKit

/// Managed object classes with helpers to insert, fetch, count and delete their objects.
///
/// ```swift
/// extension Book: ManagedObjectType {}
/// let books = Book.fetch(inContext: context)
/// ```
///
/// All helpers act in the context that they are given, unsaved objects included, and are called on its queue. They neither
/// save nor throw: a mistake, such as an entity that the model does not have, stops the program with a sentence that names
/// it. The kit's functions of the same purpose throw.
public protocol ManagedObjectType {
    /// The name of the entity; that of the class if omitted.
    static var entityName: String { get }
    /// The usual order of the objects; none if omitted.
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    /// The object's context.
    var managedObjectContext: NSManagedObjectContext? { get }
}

extension ManagedObjectType {
    /// The name of the class, without its module.
    public static var entityName: String { String(describing: self) }
    /// None.
    public static var defaultSortDescriptors: [NSSortDescriptor] { [] }
}

extension ManagedObjectType where Self: NSManagedObject {
    /// A block that configures a fetch request.
    public typealias FetchRequestConfigurationBlock = (NSFetchRequest<Self>) -> Void
    /// A block that sets the values of an object.
    public typealias ManagedObjectConfigurationBlock = (Self) -> Void

    /// The entity in the model of a context.
    ///
    /// Stops the program when the model has none of that name.
    ///
    /// - Parameter context: The context.
    /// - Returns: The entity.
    public static func entity(inContext context: NSManagedObjectContext) -> NSEntityDescription {
        demand { try context.entityLayout(for: self, named: entityName).entity }
    }

    /// Does what can fail only by a mistake of the program, and stops with a sentence about it.
    static func demand<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            programmerError(
                "\(self), of the entity '\(entityName)', can't do that: \(DatabaseError.sentence(error))")
        }
    }

    // MARK: Fetch requests

    /// A request for all objects, in no particular order.
    ///
    /// The request names the entity, and finds it in the context that fetches.
    ///
    /// - Parameter configure: Gives the request its settings.
    /// - Returns: The request.
    public static func fetchRequest(
        withConfigurationBlock configure: FetchRequestConfigurationBlock? = nil
    ) -> NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configure?(request)
        return request
    }

    /// A request for objects in the order of ``ManagedObjectType/defaultSortDescriptors``.
    ///
    /// Without default sort descriptors, the objects come in any order.
    ///
    /// - Parameter predicate: Which objects; all if omitted.
    /// - Returns: The request.
    public static func sortedFetchRequest(withPredicate predicate: NSPredicate? = nil) -> NSFetchRequest<Self> {
        fetchRequest { request in
            request.sortDescriptors = defaultSortDescriptors
            request.predicate = predicate
        }
    }

    /// A request for all objects in the order of ``ManagedObjectType/defaultSortDescriptors``.
    public static var sortedFetchRequest: NSFetchRequest<Self> { sortedFetchRequest(withPredicate: nil) }

    // MARK: Objects

    /// Inserts an object.
    ///
    /// The object has the model's default values before the block is called. An abstract entity stops the program.
    ///
    /// ```swift
    /// let book = Book.insertObject(inContext: context) { $0.title = "Momo" }
    /// ```
    ///
    /// - Parameters:
    ///   - context: Where.
    ///   - configure: Gives the object its values.
    /// - Returns: The object.
    @discardableResult
    public static func insertObject(
        inContext context: NSManagedObjectContext,
        withConfigurationBlock configure: ManagedObjectConfigurationBlock? = nil
    ) -> Self {
        let object = demand { try context.create(self, entity: entityName) }
        configure?(object)
        return object
    }

    /// Returns the objects that a request finds.
    ///
    /// An invalid request stops the program.
    ///
    /// - Parameters:
    ///   - context: The context to search.
    ///   - configure: Changes the settings of the request; by default it finds all objects.
    /// - Returns: The objects; an empty array if nothing matches.
    public static func fetch(
        inContext context: NSManagedObjectContext,
        withConfigurationBlock configure: FetchRequestConfigurationBlock? = nil
    ) -> [Self] {
        demand {
            try context.all(
                query(nil).adjusted { request in
                    if let request = typed(request, as: Self.self) { configure?(request) }
                })
        }
    }

    /// Deletes objects by the model's delete rules: in the context at once, in the store with the next save.
    ///
    /// Unsaved objects are deleted, too. An invalid predicate stops the program.
    ///
    /// - Parameters:
    ///   - context: Where.
    ///   - predicate: Which objects; all if omitted.
    public static func delete(
        inContext context: NSManagedObjectContext, matchingPredicate predicate: NSPredicate? = nil
    ) {
        demand { _ = try context.delete(query(predicate)) }
    }

    /// The number of objects.
    ///
    /// Unsaved objects of the context are counted, too. An invalid predicate stops the program.
    ///
    /// - Parameters:
    ///   - context: Where to look.
    ///   - predicate: Which objects; all if omitted.
    /// - Returns: The number of objects.
    public static func count(
        inContext context: NSManagedObjectContext, matchingPredicate predicate: NSPredicate? = nil
    ) -> Int {
        demand { try context.count(query(predicate)) }
    }

    private static func query(_ predicate: NSPredicate?) -> Query<Self> {
        let query = Query(self, entity: entityName)
        return predicate.map { query.filter($0) } ?? query
    }
}
