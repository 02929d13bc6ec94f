public import Dispatch
import OpenCoreDataKit

extension CoreDataStack {
    /// Throws all data away, in the background. Returns at once. The same as ``resetStore(with:on:resetCallback:)``.
    ///
    /// - Parameter resetCallback: Called once, on a background queue.
    @preconcurrency
    public func resetSQLiteStore(resetCallback: @escaping StoreResetCallback) {
        resetStore(resetCallback: resetCallback)
    }

    /// Throws all data away, in the background. Returns at once.
    ///
    /// Saves that are on their way reach the store first. Then the store is emptied and opened anew, and the stack has
    /// new contexts; those from before can neither fetch nor save any more. A reset begins when the one before is done.
    ///
    /// The callback gets ``CoreDataStack/Error/storeNotFound(at:)`` or ``CoreDataStack/Error/inMemoryStoreMissing`` when
    /// the store was taken out of the coordinator, and a `DatabaseError` when the file can't be emptied or opened anew. The
    /// next reset tries again.
    ///
    /// - Parameters:
    ///   - options: Options of the new store, over a file; those of the old one when left out.
    ///   - callbackQueue: Where the callback is called; a background queue when left out.
    ///   - resetCallback: Called once.
    @preconcurrency
    public func resetStore(
        with options: [AnyHashable: Any]? = nil, on callbackQueue: DispatchQueue? = nil,
        resetCallback: @escaping StoreResetCallback
    ) {
        let options = SendableBox(options)
        let queue = callbackQueue ?? Self.background
        turns.take { turn in
            self.session.whenSettled {
                Self.background.async {
                    let result = ResetResult { try self.reset(self.store.with(options.value)) }
                    turn.end()
                    queue.async { resetCallback(result) }
                }
            }
        }
    }

    private func reset(_ store: StackStore) throws {
        let old = session
        if !old.isOver {
            try store.require(in: old.coordinator)
            try old.end()
        }
        try store.destroy()
        adopt(store, try StackSession(store.open(), bubbleErrors))
    }
}
