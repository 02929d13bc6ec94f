/// What an ``NSAsynchronousFetchRequest`` finds. Belongs to the queue of its context.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The request.
    public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// What was found; `nil` before the fetch is complete, and when it failed or was cancelled.
    open private(set) var finalResult: [ResultType]?

    /// Makes a result that nothing fills.
    public convenience override init() {
        self.init(NSAsynchronousFetchRequest<ResultType>(), in: NSManagedObjectContext(.privateQueue))
    }

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext,
        finalResult: [ResultType]? = nil
    ) {
        fetchRequest = request
        self.finalResult = finalResult
        super.init(context)
    }
}
