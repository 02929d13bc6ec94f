import Dispatch
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// An open database: a model, its stores, and contexts that are ready to use.
///
/// A `Database` is always open: `open` either returns one or throws. It is safe to use from any thread; contexts and
/// objects have rules of their own.
public final class Database: Sendable {
    /// The configuration.
    public let configuration: Configuration
    /// The model, which can't be changed while the database is open.
    public let model: NSManagedObjectModel
    let core: DatabaseCore
    private let current: Mutex<DatabaseSession>

    private init(_ configuration: Configuration) throws {
        try configuration.layout.validate()
        self.configuration = configuration
        model = try ModelSearch.model(configuration.model, databaseName: configuration.name)
        core = DatabaseCore(configuration)
        let session = try DatabaseSession(configuration, model: model, core: core)
        current = Mutex(session)
        core.adopt(session)
    }

    deinit { core.hub.finish() }

    // MARK: Opening

    /// Opens a database. Creates missing files, and migrates files of an older version of the model, which may take a
    /// while.
    ///
    /// What is guaranteed: ``write(conflicts:locking:_:)`` is one transaction. Everything that its block changes, saves and
    /// does by batch requests is in the stores when it returns, or nothing is. Blocks that change the stores run one
    /// after the other, including those of other databases and processes on the same stores. A row that was changed or
    /// deleted since it was read is never overwritten silently: the block runs again, or an error has both versions. A
    /// duplicate of a unique key is an error, too. ``read(_:)`` sees a single state of the stores and can't change it.
    /// Unsaved edits of ``main`` are saved only by saving ``main``, and no block waits for the main thread.
    ///
    /// - Parameter configuration: The name, the model, the stores and their settings.
    /// - Returns: The database, which is open until ``close()``.
    /// - Throws: ``DatabaseError`` if the model is missing, the layout is impossible, or a store can't be opened or
    ///   doesn't match the model. Nothing stays open then.
    public static func open(_ configuration: Configuration) async throws -> Database {
        try await CalledBack.value { callBack in
            DispatchQueue.global(qos: .userInitiated).async {
                callBack(Result { try openBlocking(configuration) })
            }
        }
    }

    /// Opens a database, and blocks the calling thread until it is open.
    ///
    /// For `main.swift`, tests and setup code that can't await. Don't call it on the main thread of a program with a
    /// user interface, or in asynchronous code: a migration may take long. Use ``open(_:)`` there.
    ///
    /// - Parameter configuration: The model, the stores and their options.
    /// - Returns: The database, which is open until ``close()``.
    /// - Throws: The errors of ``open(_:)``.
    public static func openBlocking(_ configuration: Configuration) throws -> Database {
        try Database(configuration)
    }

    // MARK: Contexts

    /// The name of the database.
    public var name: String { configuration.name }

    /// The context for the user interface, on the main queue. ``erase()`` replaces it.
    @MainActor public var main: Context { session.tree.main }

    /// Returns a new background context directly on the stores. It doesn't see unsaved changes of other contexts, and
    /// only the contexts that the layout names merge its saves.
    ///
    /// The caller saves it, with `save()` or `saveToStore()`. A conflict is resolved by the layout's merge policy for
    /// drafts, which is an error by default. After ``erase()`` or ``close()``, the context can neither fetch nor save.
    ///
    /// ```swift
    /// let context = database.context()
    /// let titles = try await context.perform { try context.all(Book.self).map(\.title) }
    /// ```
    ///
    /// - Returns: A context with a queue of its own.
    public func context() -> Context { session.tree.makeBackground() }

    /// Returns a new draft, which is saved directly to the stores when it is committed.
    ///
    /// Each draft has a context of its own, which reads the stores when its blocks run. Releasing the draft drops its
    /// changes. Use ``layoutDraft()`` if commits have to go through the contexts of the layout.
    ///
    /// - Returns: An empty draft.
    public func draft() -> Draft { Draft(session.makeDraftContext()) }

    /// Returns a new draft whose commit goes through the contexts of the layout, for example the main context.
    ///
    /// It isn't compared with the stores until it gets there, and saves pending changes of the contexts on its way.
    public func layoutDraft() -> Draft { Draft(session.tree.makeDraft()) }

    /// A new stream of all commits from now on, including those of the kit's batch requests. It ends when the database
    /// is closed.
    public var changes: AsyncStream<Commit> { core.hub.stream() }

    /// The same as ``changes``.
    public var commits: AsyncStream<Commit> { changes }

    // MARK: For the kit

    /// The stores and contexts of now.
    var session: DatabaseSession { current.withLock { $0 } }

    func adopt(_ session: DatabaseSession) {
        core.adopt(session)
        current.exchange(session)
    }

    /// The contexts of now, for libraries on the kit.
    package var tree: ContextTree { session.tree }
}
