public import Dispatch
import OpenCoreDataKit

extension CoreDataStack {
    /// Deletes all data, in the background. Returns at once. The same as ``resetStore(with:on:resetCallback:)``.
    ///
    /// Saves in progress reach the store first. The stack has new contexts afterwards, and earlier ones can neither
    /// fetch nor save.
    ///
    /// - Parameter resetCallback: Called once, on a background queue.
    @preconcurrency
    public func resetSQLiteStore(resetCallback: @escaping StoreResetCallback) {
        resetStore(resetCallback: resetCallback)
    }

    /// Deletes all data, in the background. Returns at once.
    ///
    /// Saves in progress reach the store first. Then the store is emptied and opened again, and the stack has new
    /// contexts; earlier contexts can neither fetch nor save. A reset begins after the previous one has ended.
    ///
    /// The callback receives ``CoreDataStack/Error/storeNotFound(at:)`` or ``CoreDataStack/Error/inMemoryStoreMissing``
    /// if the store was removed from the coordinator, and a `DatabaseError` if the file can't be emptied or opened
    /// again. The next reset tries again.
    ///
    /// - Parameters:
    ///   - options: Options of a new store in a file; by default those of the old one.
    ///   - callbackQueue: The queue of the callback; by default a background queue.
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
