import Dispatch
public import OpenCoreDataKit
import Synchronization

/// A store with three tiers of contexts: a private-queue context on the store, which only saves; on top of it the context
/// of the main queue; and workers, each a child of the main context. Saves go up to the store by themselves.
///
/// Made by ``constructSQLiteStack(modelName:in:at:persistentStoreOptions:on:callback:)`` and its like. Safe to use from any
/// thread; contexts and objects have their own rules.
public final class CoreDataStack: Sendable {
    let bubbleErrors = UnawaitedErrors(label: "BNRCoreDataStack", "A save on its way to the store failed")
    /// Whose turn it is to open, empty or replace the store.
    let turns = TurnQueue()
    private let state: Mutex<State>

    private struct State {
        var store: StackStore
        var session: StackSession
    }

    /// Opens a store.
    init(_ store: StackStore) throws {
        state = Mutex(State(store: store, session: try StackSession(store.open(), bubbleErrors)))
    }

    // MARK: Contexts

    /// The context on the store. It saves on a queue of its own what its children hand it.
    ///
    /// Meant for saving, and for requests that go to the store itself. Another one after a reset.
    public var privateQueueContext: NSManagedObjectContext { session.persisting }

    /// The context of the main queue, for the user interface and for small edits. Its saves go on to the store.
    ///
    /// Another one after a reset.
    public var mainQueueContext: NSManagedObjectContext { session.main }

    /// A new private-queue child of ``mainQueueContext``, for work that takes longer. Its saves go on to the store.
    ///
    /// Use it in its `perform(_:)` and save it at the end. Each call returns another context, which doesn't see later
    /// changes of the main context in objects that it has loaded.
    ///
    /// ```swift
    /// let worker = stack.newBackgroundWorkerMOC()
    /// worker.perform {
    ///     let book = Book(context: worker)
    ///     book.title = "Momo"
    ///     worker.saveContext()
    /// }
    /// ```
    ///
    /// - Returns: The context.
    public func newBackgroundWorkerMOC() -> NSManagedObjectContext {
        newChildContext(name: "Background Worker Context")
    }

    /// A new child of ``mainQueueContext``, whose saves go on to the store.
    ///
    /// Conflicts are resolved property by property, and what the parent has wins. After a reset, children of the
    /// earlier main context can't be saved any longer.
    ///
    /// - Parameters:
    ///   - type: Its queue. A main-queue child has to be created on the main queue; otherwise the program stops.
    ///   - name: A name for messages.
    /// - Returns: The context.
    public func newChildContext(
        type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType,
        name: String? = "Main Queue Context Child"
    ) -> NSManagedObjectContext {
        programmerError(
            unless:
                type == .privateQueueConcurrencyType || MainQueue.isCurrent,
            "newChildContext has to be called on the main queue if the new context belongs to the main queue.")
        return session.makeChild(type, name)
    }

    // MARK: Errors

    /// A handler for errors of saves that no caller awaits on their way to the store. It is called where the error
    /// occurred; the changes stay in the context that couldn't be saved. By default the errors are logged.
    public var onBubbleError: (@Sendable (any Swift.Error) -> Void)? {
        get { bubbleErrors.handler }
        set { bubbleErrors.handler = newValue }
    }

    // MARK: For the library

    /// The store and the contexts of now.
    var session: StackSession { state.withLock { $0.session } }

    /// Where the data is kept.
    var store: StackStore { state.withLock { $0.store } }

    func adopt(_ store: StackStore, _ session: StackSession) {
        state.exchange(State(store: store, session: session))
    }

    /// Where stores are opened, and where callbacks come without a queue.
    static var background: DispatchQueue { .global(qos: .userInitiated) }
}
