public import Dispatch
import OpenCoreDataKit

extension CoreDataStack {
    /// Makes a context for thousands of objects, in the background. Returns at once.
    ///
    /// The context has a queue and, over a file, a coordinator of its own; the others have no part in its saves. These
    /// go straight to the store and are reported to nobody: other contexts see them by fetching, and objects that they
    /// hold keep their values until they are refreshed. What conflicts with the store, the context wins.
    ///
    /// - Parameters:
    ///   - options: Options of the store, over a file; those of the stack when left out.
    ///   - callbackQueue: Where the callback is called; a background queue when left out.
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
