public import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// An operation that inserts, changes or deletes objects in a context of its own.
///
/// Subclasses override ``performWork(inContext:)`` and call ``finish()`` when their work is done, which saves it:
///
/// ```swift
/// final class Tidy: CoreDataOperation, @unchecked Sendable {
///     override func performWork(inContext context: NSManagedObjectContext) {
///         Song.delete(inContext: context, matchingPredicate: NSPredicate(format: "rank == 0"))
///         finish()
///     }
/// }
/// ```
///
/// The operation is finished once the store has its changes and the main context has merged them, so that one that depends
/// on it finds them there. For the merge the main queue must be free: code on it does not wait for such operations.
// @unchecked Sendable as the class above: what is added is constant or guarded by a mutex. Subclasses promise the same.
open class CoreDataOperation: ConcurrentOperation<SaveOutcome>, @unchecked Sendable {
    /// Whose objects are worked on.
    public let coreDataManager: CoreDataManager
    /// The context of the work, from the beginning of the operation until it is being finished.
    private let work = Mutex<NSManagedObjectContext?>(nil)

    /// Creates an operation.
    ///
    /// The context is made when the operation runs, not here.
    ///
    /// - Parameter coreDataManager: Whose objects are worked on.
    public init(coreDataManager: CoreDataManager) {
        self.coreDataManager = coreDataManager
        super.init()
    }

    /// Does the work. Called on the queue of a new child of the background context; all work belongs there.
    ///
    /// An operation that never calls ``finish()`` never ends.
    ///
    /// - Parameter context: The context of the work.
    open func performWork(inContext context: NSManagedObjectContext) {
        DiagnosticLog.warn(
            "THRCoreData", "\(type(of: self)) does not override performWork(inContext:), so it does nothing.")
        finish()
    }

    /// Saves the work up to the store and ends the operation, whose result is what became of the save. Later calls do
    /// nothing. Of an operation that was cancelled nothing is saved.
    ///
    /// May be called on any thread. If the save fails, ``ConcurrentOperation/operationResult`` has the error.
    public override func finish() {
        let context = work.withLock { $0.take() }
        guard let context else { return }
        guard !isCancelled else { return end(nil) }
        save(context: context) { self.end($0) }
    }

    /// The same as ``finish()``.
    ///
    /// The name of earlier versions of the library.
    public final func completeAndSave() { finish() }

    /// Makes the context and begins the work.
    ///
    /// Subclasses override ``performWork(inContext:)`` instead. An operation that is cancelled by then does no work.
    open override func run() {
        let context = coreDataManager.createChildContext(withConcurrencyType: .privateQueueConcurrencyType)
        work.withLock { $0 = context }
        context.perform {
            if self.isCancelled { self.finish() } else { self.performWork(inContext: context) }
        }
    }

    private func end(_ result: Result<SaveOutcome, any Error>?) {
        operationResult = result
        super.finish()
    }
}
