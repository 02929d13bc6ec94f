public import Dispatch
import OpenCoreDataKit

/// What an application needs of a container, so that its tests can give it another one: one that fails, or that is
/// slow.
public protocol PersistentContainerProtocol {
    /// The state of the container.
    var state: PersistentContainer.State { get }

    /// Loads the stores, and blocks the calling thread until they are loaded.
    ///
    /// The state is `loaded` or `failedToLoad` afterwards.
    ///
    /// - Returns: The provider of contexts.
    /// - Throws: The reason why stores can't be loaded, or that the container was started before.
    func start() throws -> PersistentContainer.ContextProvider

    /// Loads the stores in the background.
    ///
    /// Returns at once. The state changes before the completion is called.
    ///
    /// - Parameters:
    ///   - queue: Where to call back.
    ///   - completion: Called once, with what `start()` returns or throws.
    func start(
        queue: DispatchQueue,
        completion: sending @escaping (Result<PersistentContainer.ContextProvider, any Error>) -> Void)
}

extension PersistentContainerProtocol {
    /// Loads the stores in the background, and calls back on the main queue.
    ///
    /// The main queue has to be free for it: a program that blocks it never gets the call. Use
    /// ``start(queue:completion:)`` there.
    ///
    /// - Parameter completion: Called once, with what `start()` returns or throws.
    @preconcurrency
    public func start(
        completion: @escaping @MainActor @Sendable (Result<PersistentContainer.ContextProvider, any Error>) -> Void
    ) {
        start(queue: .main) { result in onMainActor { completion(result) } }
    }

    /// Loads the stores without blocking a thread.
    ///
    /// A migration may take long. Cancelling the task doesn't end the loading.
    ///
    /// - Returns: What gives contexts.
    /// - Throws: What the completion of ``start(queue:completion:)`` gets.
    @discardableResult
    public func start() async throws -> PersistentContainer.ContextProvider {
        let started = await withCheckedContinuation { continuation in
            start(queue: .global(qos: .userInitiated)) { continuation.resume(returning: $0) }
        }
        return try started.get()
    }
}
