public import Foundation

/// A description of the objects to fetch: their entity, conditions, order and form.
///
/// The result type says what `NSManagedObjectContext.fetch(_:)` returns: a managed object class, `NSManagedObjectID`,
/// `NSDictionary` or `NSNumber`. It has to fit ``NSFetchRequestBase/resultType``.
///
/// ```swift
/// let request = NSFetchRequest<Book>(entityName: "Book")
/// request.predicate = NSPredicate(format: "author.name BEGINSWITH %@", "B")
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// request.fetchLimit = 20
/// ```
///
/// A request may be changed until it is executed. Use it from one thread at a time.
open class NSFetchRequest<ResultType>: NSFetchRequestBase {
    /// Creates a request without an entity.
    ///
    /// Set ``NSFetchRequestBase/entity`` before you execute it; without an entity, executing it throws
    /// `NSCoreDataError`.
    public override init() {
        super.init()
    }

    /// Creates a request for the objects of an entity, which is found when the request is executed.
    ///
    /// If the model of the context has no entity of that name, executing the request throws `NSCoreDataError` that
    /// names it. All objects of the entity and its subentities are found, in no particular order, unless the request is
    /// changed.
    ///
    /// - Parameter entityName: The entity's name.
    public convenience init(entityName: String) {
        self.init()
        setEntityName(entityName)
    }

    /// Reads a request from an archive. `nil` if the archive has none.
    ///
    /// The entity is found by name when the request is executed. Computed columns and the affected stores aren't in an
    /// archive.
    ///
    /// - Parameter coder: The archive.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Fetches in the context whose queue this is called on, that is inside one of its `perform` blocks.
    ///
    /// Outside of such a block there is no context to use, so `NSCoreDataError` is thrown. Use
    /// `NSManagedObjectContext.fetch(_:)` where the context is at hand.
    ///
    /// - Returns: The result, as `NSManagedObjectContext.fetch(_:)` gives it.
    /// - Throws: The fetch's error, or one that says that there is no current context.
    open func execute() throws -> [ResultType] {
        guard let context = NSManagedObjectContext.current else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The fetch request for \(entityName ?? "no entity") was executed outside of a context's perform block.")
        }
        return try context.fetch(self)
    }

    package override func anyResults(in context: NSManagedObjectContext) throws -> [Any] {
        try context.fetch(self)
    }

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let request = NSAsynchronousFetchRequest(fetchRequest: self)
        return NSAsynchronousFetchResult(request, in: context, finalResult: try context.fetch(self))
    }

    package override func coordinatorResult(in context: NSManagedObjectContext) throws -> Any {
        try context.fetch(self)
    }

    package override func anyCount(in context: NSManagedObjectContext) throws -> Int {
        try context.count(for: self)
    }

    /// A fetch request for this type of result: what a cast gives where the type of result is no part of a class.
    ///
    /// In Swift, `NSFetchRequest<Book>` and `NSFetchRequest<NSFetchRequestResult>` are two classes, and a cast from one to
    /// the other never succeeds. `NSFetchRequest<NSFetchRequestResult>.converted(request)` takes its place.
    ///
    /// - Parameter value: A fetch request of any type of result.
    /// - Returns: `value` itself if it has the type, otherwise a request with the same settings; `nil` if `value` is no
    ///   fetch request.
    public static func converted(_ value: Any?) -> NSFetchRequest<ResultType>? {
        if let same = value as? NSFetchRequest<ResultType> { return same }
        guard let other = value as? NSFetchRequestBase else { return nil }
        let request = NSFetchRequest<ResultType>()
        other.copySettings(to: request)
        return request
    }

    /// A copy with the same result type.
    final func sameTypeCopy() -> NSFetchRequest<ResultType> {
        let copy = NSFetchRequest<ResultType>()
        copySettings(to: copy)
        return copy
    }

    package override func makeEmptyCopy() -> NSFetchRequestBase { NSFetchRequest<ResultType>() }
}
