public import Foundation

/// A fetch that leaves the context's queue free while the store searches.
///
/// ``NSManagedObjectContext/execute(_:)`` returns at once with a result that fills later; the completion block is called
/// on the context's queue, once, whatever became of the fetch.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// What to fetch.
    open var fetchRequest: NSFetchRequest<ResultType> { request }
    private let request: NSFetchRequest<ResultType>
    /// Called on the context's queue with the complete result.
    open var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)? { completion }
    private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// How many objects are expected, for the progress; 0 when nothing is known.
    open var estimatedResultCount = 0

    /// Creates a request.
    ///
    /// Nothing is fetched before ``NSManagedObjectContext/execute(_:)``.
    /// Unsaved changes of the context count as they are when the stores have answered.
    ///
    /// ```swift
    /// let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Book>(entityName: "Book")) { result in
    ///     print(result.finalResult?.count ?? 0)
    /// }
    /// try context.execute(request)
    /// ```
    ///
    /// - Parameters:
    ///   - request: What to fetch. It must not be changed before the fetch is complete.
    ///   - blk: Called on the context's queue when the fetch succeeded, failed or was cancelled.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        self.request = request
        completion = blk
        super.init()
        affectedStores = request.affectedStores
    }

    /// Creates a request without an entity, which can't be executed.
    ///
    /// Use `init(fetchRequest:completionBlock:)`, because the request can't be set afterwards.
    public convenience override init() {
        self.init(fetchRequest: NSFetchRequest<ResultType>())
    }

    package override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let request = fetchRequest.sameTypeCopy()
        request.affectedStores = affectedStores
        let search = try context.search(for: request)
        let result = NSAsynchronousFetchResult(self, in: context)
        result.start(request, search)
        return result
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
        copy.estimatedResultCount = estimatedResultCount
        copy.affectedStores = affectedStores
        return copy
    }
}

/// Gets the complete result of an asynchronous fetch whose result type is not known.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void
