public import Dispatch
public import Foundation
import OpenCoreDataKit
import Synchronization

/// A set-up of Core Data that hands out contexts only when its stores are loaded.
///
/// Making one loads the model; ``start()`` loads the stores and gives the ``ContextProvider``, which nothing else can
/// make. A container starts once. Safe to use from any thread.
// @unchecked Sendable because what changes is behind the lock of `current`, and the file manager is used under
// `deletion` alone.
open class PersistentContainer: PersistentContainerProtocol, @unchecked Sendable {
    /// What makes coordinator and contexts.
    let nsPersistentContainer: any NSPersistentContainerProtocol
    /// Whether one store in memory replaces all others.
    let inMemory: Bool
    let fileManager: any FileManagerProtocol
    /// Held while stores are deleted, and while a start begins. Who is notified that a store goes may come back here.
    let deletion = NSRecursiveLock()
    /// Why there is no model; starting throws it.
    private let modelError: Error?
    private let current = Mutex(State.reset)

    /// Creates a container without loading its stores.
    ///
    /// The model is looked for here, but a missing one is an error of the start. Nothing is created on the disk.
    ///
    /// ```swift
    /// let container = PersistentContainer(name: "Library")
    /// let contexts = try container.start()
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the file, in the user's folder for application support, and of the model.
    ///   - managedObjectModel: The model. By default the `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel` of that
    ///     name in the program's bundles and the folders of resources beside it. If it isn't found, starting throws
    ///     ``Error/modelNotFound(name:cause:)``.
    ///   - inMemory: Whether the data lives in memory, as long as the container. Files are neither read nor changed
    ///     then.
    ///   - fileManager: Deletes files.
    public convenience init(
        name: String, managedObjectModel: NSManagedObjectModel? = nil, inMemory: Bool = false,
        fileManager: any FileManagerProtocol = FileManager.default
    ) {
        let model = Result {
            if let managedObjectModel { return try UnusableModel.checked(managedObjectModel) }
            return try ModelSearch.model(.byName, databaseName: name)
        }
        .mapError { Error.modelNotFound(name: name, cause: $0) }
        self.init(
            nsPersistentContainer: KitContainer(
                name: name, managedObjectModel: (try? model.get()) ?? NSManagedObjectModel()),
            inMemory: inMemory, fileManager: fileManager, modelError: model.error)
    }

    /// Creates a container over something that behaves as Core Data's own.
    package init(
        nsPersistentContainer: any NSPersistentContainerProtocol, inMemory: Bool = false,
        fileManager: any FileManagerProtocol = FileManager.default, modelError: Error? = nil
    ) {
        self.nsPersistentContainer = nsPersistentContainer
        self.inMemory = inMemory
        self.fileManager = fileManager
        self.modelError = modelError
    }

    /// The state of the container.
    public var state: State { current.withLock { $0 } }

    // MARK: Starting

    /// Loads the stores, and blocks the calling thread until they are loaded.
    ///
    /// A migration may take long, so call it on the main thread only if nothing is displayed yet. Stores that were
    /// loaded before another one failed stay loaded, but no contexts are handed out. To try again, create another
    /// container.
    ///
    /// - Returns: The provider of contexts.
    /// - Throws: ``Error/failedToLoadPersistentStores(_:)`` after all stores were tried,
    ///   ``Error/modelNotFound(name:cause:)``, or ``Error/invalidStateToCallStartFrom(_:)`` if the container was
    ///   started before, successfully or not.
    @discardableResult
    open func start() throws -> ContextProvider {
        let load = try begin(asynchronously: false)
        load.wait()
        return try finish(load).get()
    }

    /// Loads the stores in the background. Without a queue the main queue is called back.
    ///
    /// A container that was started before isn't started again: the completion receives
    /// ``Error/invalidStateToCallStartFrom(_:)``, on the queue as well.
    ///
    /// - Parameters:
    ///   - queue: Where to call back.
    ///   - completion: Called once, after the state has changed, with what ``start()`` returns or throws. The container
    ///     lives until then.
    open func start(
        queue: DispatchQueue, completion: sending @escaping (Result<ContextProvider, any Swift.Error>) -> Void
    ) {
        let completion = SendableBox(completion)
        do {
            let load = try begin(asynchronously: true)
            load.notify(queue) { completion.value(self.finish(load)) }
        } catch {
            queue.async { completion.value(.failure(error)) }
        }
    }

    private func begin(asynchronously: Bool) throws -> StoreLoad {
        try deletion.withLock {
            try current.withLock { state in
                guard case .reset = state else { throw Error.invalidStateToCallStartFrom(state) }
                state = .loading
            }
        }
        guard modelError == nil else { return StoreLoad() }
        if inMemory { nsPersistentContainer.replacePersistentStoreDescriptionsWithSingleInMemoryDescription() }
        return StoreLoad(of: nsPersistentContainer, asynchronously: asynchronously)
    }

    private func finish(_ load: StoreLoad) -> Result<ContextProvider, any Swift.Error> {
        if let error = modelError ?? load.error {
            current.withLock { $0 = .failedToLoad(error) }
            return .failure(error)
        }
        let provider = ContextProvider(nsPersistentContainer: nsPersistentContainer)
        current.withLock { $0 = .loaded(provider) }
        return .success(provider)
    }

    // MARK: Errors that no caller awaits

    private static let unhandledErrors = UnawaitedErrors(label: "Sticky", "A block of perform failed")

    /// A handler for errors of `perform` blocks that no caller awaits, called on the context's queue. By default they
    /// are logged.
    public static var onUnhandledError: (@Sendable (any Swift.Error) -> Void)? {
        get { unhandledErrors.handler }
        set { unhandledErrors.handler = newValue }
    }

    /// Reports an error that no caller awaits.
    static func report(_ error: any Swift.Error) { unhandledErrors.report(error) }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
