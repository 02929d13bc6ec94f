import Foundation

/// What an ``NSAsynchronousFetchRequest`` finds. Belongs to the queue of its context, but for `cancel()`.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The request.
    open var fetchRequest: NSAsynchronousFetchRequest<ResultType> { request }
    private let request: NSAsynchronousFetchRequest<ResultType>
    /// What was found; `nil` before the fetch is complete, and when it failed or was cancelled.
    open private(set) var finalResult: [ResultType]?

    /// Creates a result that nothing fills.
    ///
    /// The context executes requests and creates the results that are filled. This one is for tests of code that takes
    /// results.
    public convenience override init() {
        self.init(NSAsynchronousFetchRequest<ResultType>(), in: NSManagedObjectContext(.privateQueue))
    }

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext,
        finalResult: [ResultType]? = nil
    ) {
        self.request = request
        self.finalResult = finalResult
        super.init(context)
    }

    /// Searches the stores beside the context's queue, then makes the objects and calls the completion block on it.
    func start(_ request: NSFetchRequest<ResultType>, _ search: ContextSearch) {
        let read = begin(estimatedCount: fetchRequest.estimatedResultCount)
        let work = SendableBox((self, request, search))
        searchQueue.async {
            let (result, request, search) = work.value
            let answer = Result { try read.run { try search.answer() } }
            let box = SendableBox((result, request, answer))
            result.managedObjectContext.perform {
                let (result, request, answer) = box.value
                result.finish(request, answer, read)
            }
        }
    }

    private func finish(
        _ request: NSFetchRequest<ResultType>, _ answer: Result<ContextSearch.Answer, any Error>,
        _ read: CancellableRead
    ) {
        do {
            let answer = try answer.get()
            if read.isCancelled || progress?.isCancelled == true { throw CocoaError(.userCancelled) }
            let found = try managedObjectContext.results(of: request, answer)
            finalResult = found
            end(count: found.count, error: nil)
        } catch {
            end(error: error)
        }
        fetchRequest.completionBlock?(self)
    }
}

/// Where asynchronous fetches search.
private let searchQueue = DispatchQueue(label: "NSAsynchronousFetchRequest", attributes: .concurrent)
