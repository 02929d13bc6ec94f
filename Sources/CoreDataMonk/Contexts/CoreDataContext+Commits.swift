public import OpenCoreDataKit

extension Notification.Name {
    /// An update begun by a `CoreDataContext`, the notification's object, has reached the stores.
    fileprivate static let coreDataMonkDidCommit = Notification.Name("CoreDataMonkDidCommit")
}

/// Observes commits until it is released.
public final class CoreDataCommitObserver: Sendable {
    // @unchecked Sendable because nothing changes once it is made, and queues may be used anywhere.
    /// Goes with the observer, so that nothing is called afterwards.
    private final class Listener: @unchecked Sendable {
        let queue: OperationQueue
        let block: @Sendable () -> Void

        init(_ queue: OperationQueue, _ block: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.block = block
        }
    }

    private let listener: Listener
    private let observer: NoticeObserver

    fileprivate init(_ context: CoreDataContext?, _ queue: OperationQueue, _ block: @escaping @Sendable () -> Void) {
        let listener = Listener(queue, block)
        self.listener = listener
        // No queue here: the poster would wait for it.
        observer = NoticeObserver(.coreDataMonkDidCommit, of: context) { [weak listener] _ in
            listener?.queue.addOperation { [weak listener] in listener?.block() }
        }
    }
}

extension CoreDataContext {
    /// Calls a block on the main queue after each commit of this context's updates that has reached the stores.
    ///
    /// The block is called after the data is in the stores, not when an update saves into the context above it. Commits
    /// without changes aren't reported. Releasing the observer ends the calls, also those that are queued already.
    ///
    /// - Parameter block: Called once for each commit, until the observer is released.
    /// - Returns: The observer, to be kept as long as the block is to be called.
    @preconcurrency
    public func observeCommit(_ block: @escaping @MainActor @Sendable () -> Void) -> CoreDataCommitObserver {
        observeCommit(queue: .main) { onMainActor(block) }
    }

    /// Calls a block after each commit of this context's updates that has reached the stores.
    ///
    /// The block is added to the queue as an operation. Releasing the observer ends the calls, also those that are
    /// queued already.
    ///
    /// - Parameters:
    ///   - queue: Where the block is called.
    ///   - block: Called once for each commit, until the observer is released.
    /// - Returns: The observer, to be kept as long as the block is to be called.
    @preconcurrency
    public func observeCommit(
        queue: OperationQueue, _ block: @escaping @Sendable () -> Void
    ) -> CoreDataCommitObserver {
        CoreDataCommitObserver(self, queue, block)
    }

    /// Calls a block on the main queue after each commit of any context's updates that has reached the stores.
    ///
    /// It is called for all stacks of the program. Use the method of a context to observe only its own updates.
    ///
    /// - Parameter block: Called once for each commit, until the observer is released.
    /// - Returns: The observer, to be kept as long as the block is to be called.
    @preconcurrency
    public static func observeCommit(_ block: @escaping @MainActor @Sendable () -> Void) -> CoreDataCommitObserver {
        observeCommit(queue: .main) { onMainActor(block) }
    }

    /// Calls a block after each commit of any context's updates that has reached the stores.
    ///
    /// It is called for all stacks of the program, on the queue, for each commit that reached the stores.
    ///
    /// - Parameters:
    ///   - queue: Where the block is called.
    ///   - block: Called once for each commit, until the observer is released.
    /// - Returns: The observer, to be kept as long as the block is to be called.
    @preconcurrency
    public static func observeCommit(
        queue: OperationQueue, _ block: @escaping @Sendable () -> Void
    ) -> CoreDataCommitObserver {
        CoreDataCommitObserver(nil, queue, block)
    }

    /// Takes what was saved into a context further up to the stores, each context on its queue, and notifies the
    /// observers.
    func climb(from context: NSManagedObjectContext?) {
        guard let context else { return announceCommit() }
        ClimbingSave.start(from: context) { result in
            switch result {
            // Unchanged: another commit has taken these changes along.
            case .success: self.announceCommit()
            case .failure(let error): self.stack.handleError(error)
            }
        }
    }

    /// The same at once, on the caller's thread: what was saved is in the stores when this returns.
    func climbNow(from context: NSManagedObjectContext?) {
        var next = context
        while let context = next {
            do {
                try context.performAndWait {
                    if context.hasChanges { try context.save() }
                }
            } catch {
                return stack.handleError(error)
            }
            next = context.parent
        }
        announceCommit()
    }

    private func announceCommit() {
        NotificationCenter.default.post(name: .coreDataMonkDidCommit, object: self)
    }
}
