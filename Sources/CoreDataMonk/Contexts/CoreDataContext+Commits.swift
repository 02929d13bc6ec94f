public import OpenCoreDataKit

extension Notification.Name {
    /// An update begun by a `CoreDataContext`, the notification's object, has reached the stores.
    fileprivate static let coreDataMonkDidCommit = Notification.Name("CoreDataMonkDidCommit")
}

// @unchecked Sendable because nothing changes once it is made; the center of notifications is safe to use anywhere.
/// Hears of commits while somebody holds it.
public final class CoreDataCommitObserver: @unchecked Sendable {
    private let block: @Sendable () -> Void
    private let queue: OperationQueue
    private var registration: (any NSObjectProtocol)?

    fileprivate init(_ context: CoreDataContext?, _ queue: OperationQueue?, _ block: @escaping @Sendable () -> Void) {
        self.block = block
        self.queue = queue ?? .main
        // No queue here: the poster would wait for it.
        registration = NotificationCenter.default.addObserver(
            forName: .coreDataMonkDidCommit, object: context, queue: nil
        ) { [weak self] _ in
            self?.queue.addOperation { [weak self] in self?.block() }
        }
    }

    deinit {
        if let registration { NotificationCenter.default.removeObserver(registration) }
    }
}

extension CoreDataContext {
    /// Calls a block after each commit of this context's updates that has reached the stores.
    ///
    /// - Parameters:
    ///   - queue: Where the block is called; the main queue when left out.
    ///   - block: Called once for each commit, until the observer is released.
    /// - Returns: The observer, to be kept as long as the block is to be called.
    @preconcurrency
    public func observeCommit(
        queue: OperationQueue? = nil, _ block: @escaping @Sendable () -> Void
    ) -> CoreDataCommitObserver {
        CoreDataCommitObserver(self, queue, block)
    }

    /// Calls a block after each commit of any context's updates that has reached the stores.
    ///
    /// - Parameters:
    ///   - queue: Where the block is called; the main queue when left out.
    ///   - block: Called once for each commit, until the observer is released.
    /// - Returns: The observer, to be kept as long as the block is to be called.
    @preconcurrency
    public static func observeCommit(
        queue: OperationQueue? = nil, _ block: @escaping @Sendable () -> Void
    ) -> CoreDataCommitObserver {
        CoreDataCommitObserver(nil, queue, block)
    }

    /// Takes what was saved into a context further up to the stores, each context on its queue, and tells the observers.
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

    private func announceCommit() {
        NotificationCenter.default.post(name: .coreDataMonkDidCommit, object: self)
    }
}
