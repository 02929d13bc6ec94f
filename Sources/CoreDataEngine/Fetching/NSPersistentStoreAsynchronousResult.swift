public import Foundation

/// The result of a request that runs off the context's queue.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that executes the request.
    open var managedObjectContext: NSManagedObjectContext { context }
    private let context: NSManagedObjectContext
    /// How far the request is; `nil` unless there was a current progress when it was executed.
    open internal(set) var progress: Progress?
    /// Why the request failed; `CocoaError.userCancelled` when it was cancelled.
    open internal(set) var operationError: (any Error)?
    /// What is running.
    var read: CancellableRead?

    /// Creates a result that nothing fills.
    ///
    /// The context executes requests and creates the results that are filled. This one has a context of its own,
    /// without a coordinator.
    public override init() {
        context = NSManagedObjectContext(.privateQueue)
        super.init()
    }

    init(_ context: NSManagedObjectContext) {
        self.context = context
        super.init()
    }

    /// Stops the request as soon as possible: the statement that runs is interrupted. The completion block is called with
    /// `operationError` set. A request that is complete stays unchanged. May be called on any thread.
    ///
    /// Calling it again, or after the request is complete, does nothing.
    open func cancel() {
        read?.cancel()
        progress?.cancel()
    }

    /// Prepares for a request that runs beside the queue. The progress is a child of the current one.
    func begin(estimatedCount: Int) -> CancellableRead {
        let expected = Int64(max(estimatedCount, 1))
        let progress = Progress.current().map { _ in Progress(totalUnitCount: expected) }
        var onRows: (@Sendable (Int) -> Void)?
        if let progress {
            let box = SendableBox(progress)
            // The last unit is for the objects that are made of the rows.
            onRows = { rows in box.value.completedUnitCount = min(Int64(rows), expected - 1) }
        }
        let read = CancellableRead(onRows: onRows)
        progress?.isCancellable = true
        progress?.cancellationHandler = { read.cancel() }
        self.progress = progress
        self.read = read
        return read
    }

    /// Says that the request is complete.
    ///
    /// - Parameter count: How many objects were found: where the progress ends. Of none, as a unit that is done.
    func end(count: Int = 0, error: (any Error)?) {
        operationError = error
        guard let progress, error == nil else { return }
        progress.totalUnitCount = Int64(max(count, 1))
        progress.completedUnitCount = progress.totalUnitCount
    }
}
