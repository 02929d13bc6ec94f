public import Dispatch
import OpenCoreDataKit

extension CoreDataStack {
    /// Creates a context for importing thousands of objects, in the background. Returns at once.
    ///
    /// The context has a queue and, for a store in a file, a coordinator of its own. Its saves go directly to the store
    /// and aren't reported: other contexts see them by fetching, and objects that they hold keep their values until
    /// they are refreshed. If a save conflicts with the store, the context's values win.
    ///
    /// If the store was removed from the stack, the callback receives ``CoreDataStack/Error/storeNotFound(at:)`` or
    /// ``CoreDataStack/Error/inMemoryStoreMissing``. After a reset, the context can neither fetch nor save.
    ///
    /// - Parameters:
    ///   - options: Options of a store in a file; by default those of the stack.
    ///   - callbackQueue: The queue of the callback; by default a background queue.
    ///   - setupCallback: Called once.
    @preconcurrency
    public func newBatchOperationContext(
        with options: [AnyHashable: Any]? = nil, on callbackQueue: DispatchQueue? = nil,
        setupCallback: @escaping BatchContextCallback
    ) {
        let options = SendableBox(options)
        let queue = callbackQueue ?? Self.background
        turns.take { turn in
            Self.background.async {
                let result = BatchContextResult {
                    try self.session.makeBatchContext(self.store.with(options.value))
                }
                turn.end()
                queue.async { setupCallback(result) }
            }
        }
    }
}
