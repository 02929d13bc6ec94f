public import Foundation

/// The result of a request that is carried out beside the context's queue.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that executes the request.
    public let managedObjectContext: NSManagedObjectContext
    /// How far the request is; `nil` unless there was a current progress when it was executed.
    open internal(set) var progress: Progress?
    /// Why the request failed; `CocoaError.userCancelled` when it was cancelled.
    open internal(set) var operationError: (any Error)?

    /// Makes a result that nothing fills.
    public override init() {
        managedObjectContext = NSManagedObjectContext(.privateQueue)
        super.init()
    }

    init(_ context: NSManagedObjectContext) {
        managedObjectContext = context
        super.init()
    }

    /// Stops the request as soon as possible. A request that is complete stays as it is.
    open func cancel() {}
}
