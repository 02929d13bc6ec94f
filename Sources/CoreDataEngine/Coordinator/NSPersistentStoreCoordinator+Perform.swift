import Foundation

extension NSPersistentStoreCoordinator {
    /// What `perform(_:)` does.
    final func enqueue(_ block: @escaping () -> Void) {
        let boxed = SendableBox(block)
        queue.async { QueueFrame.inside(self.queue, context: nil) { boxed.value() } }
    }

    /// Runs a block on the coordinator's queue and waits for its result. Calls can be nested.
    ///
    /// On the coordinator's queue, the block runs in place. The queue has nothing to do with those of contexts: fetches
    /// and saves of contexts don't wait for the block.
    ///
    /// - Parameter block: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        guard OverriddenMethod.coordinatorPerformAndWait.isOverridden(by: type(of: self)) else {
            return try waitFor(block)
        }
        var result: Swift.Result<Result, any Error>?
        performAndWait { result = Swift.Result { try block() } }
        func rethrow(_ body: () throws -> Result) rethrows -> Result { try body() }
        guard let result else {
            programmerError("performAndWait of \(type(of: self)) has not run its block.")
        }
        return try rethrow { try result.get() }
    }

    /// What `performAndWait(_:)` does.
    final func waitFor<Result>(_ block: () throws -> Result) rethrows -> Result {
        if QueueFrame.isInside(queue) { return try block() }
        let caller = QueueFrame.Caller()
        return try queue.sync(caller) { try QueueFrame.inside(queue, context: nil, for: caller, block) }
    }

    /// Runs a block on the coordinator's queue and returns its result without blocking a thread.
    ///
    /// The block runs after those that wait already, and runs to its end even if the task is cancelled.
    ///
    /// - Parameter block: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func perform<Result>(_ block: @escaping () throws -> Result) async rethrows -> Result {
        let boxed = SendableBox(block)
        let outcome: SendableBox<Swift.Result<Result, any Error>> = await withCheckedContinuation { continuation in
            queue.async {
                QueueFrame.inside(self.queue, context: nil) {
                    continuation.resume(returning: SendableBox(Swift.Result { try boxed.value() }))
                }
            }
        }
        func unwrap(_ body: () throws -> Result) rethrows -> Result { try body() }
        return try unwrap { try outcome.value.get() }
    }
}
