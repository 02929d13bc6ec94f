public import Foundation
import Synchronization

/// Where objects are kept: in a file, or in memory.
///
/// Stores are made by `NSPersistentStoreCoordinator.addPersistentStore`. Safe to use from any thread.
// @unchecked Sendable because mutable state is behind `state`'s lock, and subclasses promise the same.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    private struct State {
        var coordinator: WeakHandle<NSPersistentStoreCoordinator>?
        var url: URL?
        var metadata: [String: Any] = [:]
        var readOnlyReason: String?
    }

    private let state: Mutex<State>
    private final let handle = WeakHandle<NSPersistentStore>()
    final var weakHandle: WeakHandle<NSPersistentStore> { handle.bound(to: self) }
    /// Outside of the lock, as each save of each thread asks.
    private let refusesSaves: Atomic<Bool>
    /// The newest rows in memory, shared by all contexts.
    final let sharedRows = RowCache()
    /// Those of threads that are in a transaction.
    final let separateRows = SeparateRows()
    /// The newest rows in memory that the calling thread may use.
    package final var rowCache: RowCache {
        @inline(__always) get { separateRows.ofThread ?? sharedRows }
    }
    /// What identifiers know of the store.
    package let storeIdentity: StoreIdentity

    /// The name of the model configuration whose entities the store keeps; `PF_DEFAULT_CONFIGURATION_NAME` for all.
    open var configurationName: String { configuration }
    private let configuration: String
    /// The options that the store was added with.
    open var options: [AnyHashable: Any]? { givenOptions }
    private let givenOptions: [AnyHashable: Any]?

    /// Creates a store object. It isn't usable before a coordinator has called `loadMetadata()`.
    ///
    /// The coordinator creates the store when it is added, on the thread that adds it. The store has a new UUID until
    /// its metadata is loaded.
    ///
    /// - Parameters:
    ///   - root: The coordinator that adds the store.
    ///   - name: The configuration of the model; `nil` for all entities.
    ///   - url: The URL of the store.
    ///   - options: The options that the store is added with.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        configuration = name ?? NSPersistentStore.defaultConfigurationName
        givenOptions = options
        state = Mutex(State(coordinator: root?.weakHandle, url: url))
        refusesSaves = Atomic(NSPersistentStore.flag(options?[NSReadOnlyPersistentStoreOption]) ?? false)
        storeIdentity = StoreIdentity(identifier: UUID().uuidString, model: root?.managedObjectModel)
        super.init()
        storeIdentity.store = self
    }

    deinit { handle.clear(self) }

    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// The type that `addPersistentStore` knows the store by.
    open var type: String { "" }

    /// The coordinator that the store was added to.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { state.withLock { $0.coordinator }?.object }

    /// Where the store is.
    open var url: URL? {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    /// The store's UUID, the host of its objects' URIs.
    open var identifier: String! {
        get { storeIdentity.identifier }
        set {
            guard let newValue else { return }
            storeIdentity.identifier = newValue
        }
    }

    /// Whether saving to the store is refused.
    open var isReadOnly: Bool {
        get { refusesSaves.load(ordering: .acquiring) }
        set { refusesSaves.store(newValue, ordering: .releasing) }
    }

    /// Why the store can't be saved to, for messages.
    package var readOnlyReason: String {
        state.withLock { $0.readOnlyReason } ?? "it was opened for reading only"
    }

    /// Refuses saves from now on.
    package func refuseSaves(because reason: String) {
        state.withLock { $0.readOnlyReason = reason }
        refusesSaves.store(true, ordering: .releasing)
    }

    /// What the store says of itself: type, UUID, version hashes, and the application's own keys.
    ///
    /// A change reaches the file with the next save.
    open var metadata: [String: Any]! {
        get { state.withLock { state in SendableBox(state.metadata) }.value }
        set {
            let box = SendableBox(newValue ?? [:])
            state.withLock { $0.metadata = box.value }
            if let identifier = box.value[NSStoreUUIDKey] as? String { storeIdentity.identifier = identifier }
        }
    }

    /// Reads the metadata, or makes it for a new store. Called once, before anything else.
    ///
    /// A subclass sets ``metadata`` with at least `NSStoreUUIDKey` and `NSStoreTypeKey`. This class does nothing.
    open func loadMetadata() throws {}

    /// Called after the store was added.
    ///
    /// Call `super` in an override. The coordinator's list of stores doesn't have the store yet.
    ///
    /// - Parameter coordinator: The coordinator.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        state.withLock { $0.coordinator = coordinator.weakHandle }
    }

    /// Called before the store is removed.
    ///
    /// Call `super` in an override. It is also called when the coordinator is released, for each of its stores.
    ///
    /// - Parameter coordinator: The coordinator.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        state.withLock { $0.coordinator = nil }
    }

    /// Returns the metadata of the store at a URL. Subclasses override it.
    ///
    /// The coordinator calls it for a store that isn't open. This class throws `NSPersistentStoreOperationError`.
    ///
    /// - Parameter url: The URL of the store.
    /// - Throws: An error that names the file if it can't be read.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "\(self) can't read the metadata of \(url.path).", path: url.path)
    }

    /// Writes the metadata of the store at a URL. Subclasses override it.
    ///
    /// The coordinator calls it for a store that isn't open, with metadata that has the type and the UUID. This class
    /// throws `NSPersistentStoreOperationError`.
    ///
    /// - Parameters:
    ///   - metadata: The new metadata.
    ///   - url: The URL of the store.
    /// - Throws: An error that names the file if it can't be written.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "\(self) can't write the metadata of \(url.path).", path: url.path)
    }

    /// The class that migrates stores of this kind: `NSMigrationManager`, or a subclass of it.
    ///
    /// Override it for a store that needs a manager of its own, which conforms to ``StoreMigrationManager``.
    open class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }

    /// Reads an option that is a boolean in any of its spellings.
    package static func flag(_ value: Any?) -> Bool? {
        switch value {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let string as String: ["1", "YES", "TRUE"].contains(string.uppercased())
        default: nil
        }
    }
}

extension NSPersistentStore {
    /// A type of store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The name, as in `NSStoreTypeKey`.
        public var rawValue: String

        /// Names a type.
        ///
        /// Whether the type is registered isn't checked before a store of it is added.
        ///
        /// - Parameter rawValue: The name, as in `NSStoreTypeKey`.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A SQLite database.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// Memory only.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        /// One binary file, read and written whole.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// One XML file, read and written whole.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }
}
