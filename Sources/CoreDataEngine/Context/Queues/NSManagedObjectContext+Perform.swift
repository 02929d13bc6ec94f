import Foundation

/// Running blocks on the context's queue.
extension NSManagedObjectContext {
    /// Whether the caller may use the context now.
    package final var isOnQueue: Bool {
        QueueFrame.isInside(queue) || queue.isMain && MainQueue.isCurrent
    }

    /// What `perform(_:)` does.
    final func enqueue(_ block: @escaping () -> Void) {
        let box = SendableBox(block)
        let caller = CallerScope.current
        queue.async {
            caller.run {
                QueueFrame.inside(self.queue, context: self) {
                    box.value()
                    self.processPendingChanges()
                    self.endUndoEvent()
                }
            }
        }
    }

    /// Runs a block on the context's queue and waits for it. Calls can be nested, in blocks of the same context and of
    /// others.
    ///
    /// On the context's queue, the block runs in place. Pending changes aren't processed at the end of the block. A
    /// subclass that overrides the form without a result has its own method called.
    ///
    /// - Parameter block: The block. It may use the context and its objects.
    /// - Returns: What the block returns. Don't return managed objects: they belong to the context's queue.
    /// - Throws: What the block throws.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        if OverriddenMethod.performAndWait.isOverridden(by: type(of: self)) { return try waitOverridden(block) }
        return try waitFor(block)
    }

    /// Has the subclass run the block.
    private func waitOverridden<T>(_ block: () throws -> T) rethrows -> T {
        var result: Result<T, any Error>?
        performAndWait { result = Result { try block() } }
        func rethrow(_ body: () throws -> T) rethrows -> T { try body() }
        guard let result else {
            programmerError("performAndWait of \(type(of: self)) has not run its block.")
        }
        return try rethrow { try result.get() }
    }

    /// What `performAndWait(_:)` does.
    final func waitFor<T>(_ block: () throws -> T) rethrows -> T {
        if queue.isMain {
            if QueueFrame.current?.context === self { return try block() }
            if MainQueue.isCurrent { return try QueueFrame.inside(queue, context: self, block) }
        } else if QueueFrame.isInside(queue) {
            return try block()
        }
        let caller = QueueFrame.Caller()
        return try queue.sync(caller) { try QueueFrame.inside(queue, context: self, for: caller, block) }
    }

    /// When an asynchronous block runs.
    public enum ScheduledTaskType: Hashable, Sendable {
        /// At once if the caller is on the context's queue already, else as `enqueued`.
        case immediate
        /// After the blocks that wait already.
        case enqueued
    }

    /// Runs a block on the context's queue and returns its result without blocking a thread.
    ///
    /// What the block captures is used on that queue: nothing else may use it until this returns.
    ///
    /// - Parameters:
    ///   - schedule: When the block runs: at once if the caller is on the context's queue, or always after waiting
    ///     blocks.
    ///   - block: The block. It may use the context and its objects.
    /// - Returns: What the block returns. Don't return managed objects: they belong to the context's queue.
    /// - Throws: What the block throws.
    public func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> T
    ) async rethrows -> T {
        let box = SendableBox(block)
        let result: SendableBox<Result<T, any Error>>
        if schedule == .immediate, isOnQueue {
            result = SendableBox(Result { try box.value() })
        } else {
            result = await enqueued(box)
        }
        func rethrow(_ body: () throws -> T) rethrows -> T { try body() }
        return try rethrow { try result.value.get() }
    }

    private func enqueued<T>(_ block: SendableBox<() throws -> T>) async -> SendableBox<Result<T, any Error>> {
        let caller = CallerScope.current
        return await withCheckedContinuation { continuation in
            queue.async {
                caller.run {
                    QueueFrame.inside(self.queue, context: self) {
                        let result = Result { try block.value() }
                        self.processPendingChanges()
                        self.endUndoEvent()
                        continuation.resume(returning: SendableBox(result))
                    }
                }
            }
        }
    }

    /// The context whose block is running on this thread.
    package static var current: NSManagedObjectContext? { QueueFrame.current?.context }
}
