public import Foundation

/// Which objects to fetch from the stores, in which order and form.
///
/// The result type says what `NSManagedObjectContext.fetch(_:)` returns: a managed object class, `NSManagedObjectID`,
/// `NSDictionary` or `NSNumber`, to go with ``NSFetchRequestBase/resultType``.
open class NSFetchRequest<ResultType>: NSFetchRequestBase {
    /// Makes a request without an entity.
    public override init() {
        super.init()
    }

    /// Makes a request for the objects of an entity, which is found when the request is executed.
    ///
    /// - Parameter entityName: The entity's name.
    public convenience init(entityName: String) {
        self.init()
        setEntityName(entityName)
    }

    /// Reads a request from an archive.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Fetches in the context whose queue this is called on, that is inside one of its `perform` blocks.
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
