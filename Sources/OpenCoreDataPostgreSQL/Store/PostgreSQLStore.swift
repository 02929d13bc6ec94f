#if PostgreSQL
import CPostgreSQL
public import Foundation
public import OpenCoreData

// @unchecked Sendable because what can change is behind `state`'s lock; everything else is the superclass's, which promises
// the same.

/// A store whose objects are rows of a PostgreSQL schema, shared by many machines.
///
/// Its URL is `postgresql://user@host:port/database?schema=name`. Without `schema`, the schema is `public`.
///
/// Coordinators and containers create it, once its type is registered:
/// `NSPersistentStoreDescription.postgreSQL(url:options:)` and the first use of `PostgreSQLStore.type` do that. Safe to use
/// from any thread.
public final class PostgreSQLStore: NSPersistentStore, RowStore, @unchecked Sendable {
    private struct State {
        var runtime: PostgreSQLRuntime?
        var isClosed = false
        /// How often `metadata` was set, and how often it had been when it was written last.
        var metadataGeneration = 0
        var writtenGeneration = 0
    }

    private let state = UnfairMutex(State())
    /// Follows other writers, for a store that announces changes.
    let feed = StoreFeed()

    /// The type that coordinators know such stores by. Its first use makes it known to them.
    public static let type: String = {
        NSPersistentStoreCoordinator.registerStoreClass(PostgreSQLStore.self, forStoreType: typeName)
        return typeName
    }()
    private static let typeName = "PostgreSQL"

    /// Makes the type known to all coordinators of the process. May be called again and again.
    ///
    /// Needed before a coordinator adds a store by the type's name, or reads the metadata of one, and nothing of this
    /// module was used before.
    public static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(PostgreSQLStore.self, forStoreType: type)
        JSONTransformer.register()
    }

    /// The type of the store.
    public override var type: String { Self.type }

    // MARK: Opening and closing

    /// Opens the store, or makes it in its schema, and reads the metadata. Called by coordinators.
    ///
    /// It connects to the server and waits for it. A missing schema is created with the store.
    ///
    /// - Throws: A `CocoaError`. If the server is the cause, its underlying error is a ``PostgreSQLError``.
    public override func loadMetadata() throws {
        let (metadata, runtime) = try translatingErrors(NSPersistentStoreOpenError) { try open() }
        super.metadata = metadata
        state.withLock { $0.runtime = runtime }
    }

    /// The metadata of the store at a URL, which need not be open.
    ///
    /// It connects to the server for it, with the options of the URL and the environment.
    ///
    /// - Parameter url: The URL of the store.
    /// - Returns: The metadata.
    /// - Throws: An error if the server can't be reached or has no store there.
    public override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try StoreLocation(url, options: nil).withConnection { connection, location in
            guard let found = try StoreMetadata.read(location.schema, connection, location: location.displayName)
            else {
                throw location.missing
            }
            return found.values
        }
    }

    /// Replaces the metadata of the store at a URL.
    ///
    /// A store that is open at the URL doesn't notice until it is opened again.
    ///
    /// - Parameters:
    ///   - metadata: The metadata; `nil` for none.
    ///   - url: The URL of the store.
    /// - Throws: An error if the server can't be reached or has no store there.
    public override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try StoreLocation(url, options: nil).withConnection { connection, location in
            guard try StoreMetadata.exists(location.schema, connection) else { throw location.missing }
            let statement = try StoreMetadata.statement(
                metadata ?? [:], schema: location.schema, location: location.displayName)
            _ = try connection.pipeline([statement])
        }
    }

    /// Begins to follow what others save. Called by coordinators.
    ///
    /// Options that the store doesn't know are reported in the log.
    ///
    /// - Parameter coordinator: The coordinator.
    public override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        super.didAdd(to: coordinator)
        IgnoredOptions.warn(about: options, store: displayName)
        startFeed()
    }

    package func close() {
        feed.end()
        let runtime = state.withLock { state in
            defer { state.runtime = nil }
            state.isClosed = true
            return state.runtime
        }
        runtime?.connections.close()
    }

    /// Called before the store is removed.
    ///
    /// It closes the connections. A store that was removed can't be used any longer.
    ///
    /// - Parameter coordinator: The coordinator.
    public override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        super.willRemove(from: coordinator)
        close()
    }

    deinit { close() }

    /// What the open store works with.
    func runtime() throws -> PostgreSQLRuntime {
        let (runtime, isClosed) = state.withLock { ($0.runtime, $0.isClosed) }
        if let runtime { return runtime }
        guard isClosed || metadata?.isEmpty ?? true else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleVersionHashError,
                "The model used to open the store \(displayName) is incompatible with the one used to create it.")
        }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store \(displayName) \(isClosed ? "was removed and is closed" : "is not open yet").")
    }

    /// The same, for a store that may be written.
    func writableRuntime() throws -> PostgreSQLRuntime {
        let runtime = try runtime()
        guard !isReadOnly else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteNoPermission.rawValue,
                "The store \(displayName) can't be saved to: \(readOnlyReason).")
        }
        return runtime
    }

    /// The location for messages, without a password.
    var displayName: String { url?.displayName ?? "without a location" }

    /// Where the model's entities stand in the store, for tests and tools.
    package func mapping() throws -> StoreMapping { try runtime().mapping }

    // MARK: Metadata

    /// The metadata of the store. A change reaches the server with the next save.
    public override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            state.withLock { $0.metadataGeneration += 1 }
        }
    }

    /// The metadata to write with the next save; `nil` when the server has it.
    func pendingMetadata() -> (generation: Int, values: [String: Any])? {
        let generation = state.withLock {
            $0.metadataGeneration > $0.writtenGeneration ? $0.metadataGeneration : nil
        }
        return generation.map { ($0, metadata ?? [:]) }
    }

    func didWrite(metadata generation: Int) {
        state.withLock { $0.writtenGeneration = max($0.writtenGeneration, generation) }
    }

    package func saveMetadata() throws { _ = try execute(SavePlan()) }
}

extension PostgreSQLStore {
    /// Option: a `@Sendable (String) -> Void` that is called with each statement before it is sent.
    package static let statementRecorderOption = "OpenCoreDataStatementRecorder"
    /// Option: how connections behave, as a `PostgreSQLOptionsBox`.
    package static let optionsOption = "OpenCoreDataPostgreSQLOptions"
}

/// The options of a PostgreSQL store as one of the options of a store.
final class PostgreSQLOptionsBox: NSObject {
    let options: PostgreSQLOptions

    init(_ options: PostgreSQLOptions) { self.options = options }

    override func isEqual(_ object: Any?) -> Bool { (object as? PostgreSQLOptionsBox)?.options == options }

    override var hash: Int { options.hashValue }
}

extension NSPersistentStoreDescription {
    /// Returns a description of a store in a PostgreSQL database, and registers the type of such stores.
    ///
    /// Nothing is connected before the description's store is loaded. What the URL says wins over the options.
    ///
    /// ```swift
    /// let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    /// container.persistentStoreDescriptions = [.postgreSQL(url: url)]
    /// ```
    ///
    /// - Parameters:
    ///   - url: `postgresql://user@host:port/database?schema=name`. The schema is `public` by default, and is
    ///     created with the
    ///     store if it doesn't exist. What the URL doesn't say comes from libpq's variables, such as `PGPASSWORD`.
    ///   - options: Options of the connections.
    /// - Returns: The description.
    public static func postgreSQL(
        url: URL, options: PostgreSQLOptions = PostgreSQLOptions()
    ) -> NSPersistentStoreDescription {
        PostgreSQLStore.register()
        let description = NSPersistentStoreDescription(url: url)
        description.type = PostgreSQLStore.type
        description.setOption(PostgreSQLOptionsBox(options), forKey: PostgreSQLStore.optionsOption)
        return description
    }
}
#endif
