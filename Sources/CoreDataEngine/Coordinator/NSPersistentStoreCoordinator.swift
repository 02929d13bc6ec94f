public import Foundation
import Synchronization

/// Connects contexts with stores: it knows the model, the stores, and which store keeps which entities.
///
/// Safe to use from any thread. Its queue serializes the blocks of `perform` and `performAndWait`; adding and removing
/// stores need not happen there.
// @unchecked Sendable because the model is frozen and all that changes is behind `list`, `changes` or `settings`.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, _MadeFromType, @unchecked Sendable {
    /// The model, which can't be changed any longer.
    open var managedObjectModel: NSManagedObjectModel { model }
    private let model: NSManagedObjectModel
    /// The engine's layout of the model.
    package let layout: ModelLayout
    /// The contexts that sit directly on the coordinator.
    package let contexts = ObservingContexts()
    private final let handle = WeakHandle<NSPersistentStoreCoordinator>()
    final var weakHandle: WeakHandle<NSPersistentStoreCoordinator> { handle.bound(to: self) }
    /// The transactions that are going on.
    package final let transactions = ThreadTransactions()

    let queue = SerialQueue(label: "NSPersistentStoreCoordinator")
    /// Held while stores are added or removed. Recursive: a store's hooks may call back.
    let changes = NSRecursiveLock()

    /// Stores at `/dev/null`.
    let scratchStores = ScratchStores()

    /// Temporary identifiers that may have left their contexts; `nil` where they name objects of their contexts alone, as in
    /// Apple's framework. Set before the coordinator has contexts, and constant then.
    package final var handedOut: HandedOutIdentifiers?

    /// Gets what batch requests and statements of SQL have changed, of which no context tells. Set as ``handedOut``.
    package final var onUnreportedChanges: (@Sendable (StoreTransaction.Changes) -> Void)?

    /// Whether classes are compared with the model. Not where a migration uses a model that the program's classes are not made
    /// for.
    private let comparesClasses = Atomic<Bool>(true)

    /// Whether it announces stores that are added and removed. It doesn't if it is internal to the engine.
    private let notifiesOfStores = Atomic<Bool>(true)

    private let list: UnfairMutex<StoreList>
    private let nameStorage = Mutex<String?>(nil)
    private let userLock = NSRecursiveLock()

    /// Creates a coordinator without stores. The model can't be changed afterwards.
    ///
    /// The coordinator has no stores yet: add them before contexts fetch or save. Changing the model afterwards stops
    /// the program with a message; change a copy and create another coordinator instead.
    ///
    /// - Parameter model: The model of all stores that will be added.
    public init(managedObjectModel model: NSManagedObjectModel) {
        self.model = model
        layout = ModelLayout.layout(of: model)
        list = UnfairMutex(StoreList(entityCount: layout.entities.count))
        super.init()
    }

    deinit {
        handle.clear(self)
        for store in list.withLock({ $0.stores }) {
            layout.openStores.subtract(1, ordering: .relaxed)
            store.willRemove(from: self)
            (store as? any RowStore)?.close()
            scratchStores.discard(store)
        }
    }

    /// A name for messages.
    open var name: String? {
        get { nameStorage.withLock { $0 } }
        set { nameStorage.withLock { $0 = newValue } }
    }

    /// The stores in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { list.withLock { $0.stores } }

    // MARK: Locking

    /// Locks the coordinator for the calling thread. Use ``performAndWait(_:)`` instead.
    ///
    /// The lock is recursive, and each call needs one of ``unlock()`` on the same thread. The engine doesn't take this
    /// lock: fetches and saves go on.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func lock() { userLock.lock() }

    /// Undoes one call of ``lock()``.
    ///
    /// Call it on the thread that called ``lock()``.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func unlock() { userLock.unlock() }

    /// Locks the coordinator unless another thread has it.
    ///
    /// Returns `true` if the caller has the lock now, also if it had it before, and then needs a call of ``unlock()``.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func tryLock() -> Bool { userLock.try() }

    // MARK: For the engine

    /// Lets classes be other than the model says: for the models of a migration.
    package final func tolerateOtherClasses() { comparesClasses.store(false, ordering: .relaxed) }

    /// Keeps stores that come and go to itself.
    final func keepSilent() { notifiesOfStores.store(false, ordering: .relaxed) }

    /// Announces stores that come and go.
    final func post(_ name: Notification.Name, object: NSObject, userInfo: [AnyHashable: Any]? = nil) {
        guard notifiesOfStores.load(ordering: .relaxed) else { return }
        NotificationCenter.default.post(name: name, object: object, userInfo: userInfo)
    }

    /// Logs classes that list their properties and don't fit the model.
    final func logUnfittingClasses() {
        if comparesClasses.load(ordering: .relaxed) { layout.logUnfittingClasses() }
    }

    /// All stores that keep rows, in the order in which they were added.
    package var rowStores: [any RowStore] { list.withLock { $0.rowStores } }

    /// The stores that keep objects of an entity, in the order in which they were added.
    package func rowStores(for entity: EntityLayout) -> [any RowStore] {
        list.withLock { $0.stores(for: entity) }
    }

    /// The row stores that may be written and can take part in a transaction; `nil` if another one that may be written
    /// can't.
    package var transactionalStores: [any TransactionalStore]? {
        let (rowStores, stores) = list.withLock { ($0.rowStores, $0.transactionalStores) }
        if rowStores.count == 1, let only = stores.first { return only.isReadOnly ? [] : stores }
        let writable = stores.filter { !$0.isReadOnly }
        return writable.count == rowStores.count(where: { !$0.isReadOnly }) ? writable : nil
    }

    /// The store that gives new objects of an entity their numbers before they are saved; `nil` where that isn't known.
    func numberingStore(for entity: EntityLayout) -> (any RowStore)? {
        list.withLock { $0.numberingStore(for: entity) }
    }

    /// The store that a new object of an entity goes to, unless it was assigned to one: the first that may be written.
    ///
    /// - Throws: An error that says that no store keeps the entity, or that all of them are read-only.
    package func storeForNewObjects(of entity: EntityLayout) throws -> any RowStore {
        let candidates = rowStores(for: entity)
        if let store = candidates.first(where: { !$0.isReadOnly }) { return store }
        if let store = candidates.first {
            throw CoreDataError.make(
                NSFileWriteNoPermissionError,
                "New objects of the entity \(entity.name) can't be saved: the store \(store.shortName) is read-only.",
                path: store.url?.path, userInfo: [NSAffectedStoresErrorKey: [store]])
        }
        let reason = persistentStores.isEmpty ? "the coordinator has no stores" : "no store has the entity"
        throw CoreDataError.make(
            NSCoreDataError, "Objects of the entity \(entity.name) can't be saved or fetched: \(reason).")
    }

    func append(_ store: NSPersistentStore, keeping entities: [EntityLayout]) {
        list.withLock { $0.append(store, keeping: entities) }
        layout.openStores.add(1, ordering: .relaxed)
    }

    func withdraw(_ store: NSPersistentStore) {
        let count = list.withLock { list in
            let before = list.stores.count
            list.remove(store)
            return before - list.stores.count
        }
        layout.openStores.subtract(count, ordering: .relaxed)
    }

    func store(withIdentifier identifier: String) -> NSPersistentStore? {
        persistentStores.first { $0.identifier == identifier }
    }

    open override var description: String {
        "<NSPersistentStoreCoordinator \(name ?? "") stores: \(persistentStores.map(\.shortName).joined(separator: ", "))>"
    }

    // MARK: Queue

    /// Runs a block on the coordinator's queue and returns at once.
    ///
    /// Blocks run one after the other, in the order of the calls, on a queue that isn't the main queue. Fetches and
    /// saves of contexts don't wait for them.
    ///
    /// - Parameter block: The block.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block on the coordinator's queue and waits for it. Calls can be nested.
    ///
    /// On the coordinator's queue, the block runs in place. Fetches and saves of contexts don't wait for the block.
    ///
    /// - Parameter block: The block.
    open func performAndWait(_ block: () -> Void) { waitFor(block) }

    // MARK: Stores

    /// Adds the store that a description describes.
    ///
    /// Unlike ``NSPersistentContainer/loadPersistentStores(completionHandler:)``, it doesn't create the folder of the
    /// store. The store is added with all options of the description, which by default allow an automatic migration
    /// with an inferred mapping model.
    ///
    /// - Parameters:
    ///   - storeDescription: What to add.
    ///   - block: Called once, with the description and the error if there was one: before the call returns, or on a
    ///     background queue when the description says that the store is added asynchronously.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        addDescribed(with: storeDescription, completionHandler: block)
    }

    /// Opens a store, or makes it, and adds it.
    ///
    /// A store of another version of the model is migrated first if the options have
    /// `NSMigratePersistentStoresAutomaticallyOption`; otherwise it isn't compatible. Afterwards
    /// `NSPersistentStoreCoordinatorStoresDidChange` is posted. A file that the coordinator has already can't be added
    /// again, also not by another path to it.
    ///
    /// ```swift
    /// try coordinator.addPersistentStore(
    ///     ofType: NSSQLiteStoreType, configurationName: nil, at: url,
    ///     options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
    /// ```
    ///
    /// - Parameters:
    ///   - storeType: A registered type, such as `NSSQLiteStoreType`.
    ///   - configuration: The model configuration whose entities the store keeps; `nil` for all entities.
    ///   - storeURL: Where the store is; needed for every type but `NSInMemoryStoreType`.
    ///   - options: Options by key, such as `NSReadOnlyPersistentStoreOption`.
    /// - Throws: `NSPersistentStoreInvalidTypeError`, `NSPersistentStoreTypeMismatchError`,
    ///   `NSPersistentStoreIncompatibleVersionHashError`, `NSPersistentStoreOpenError`, or what opening the file gave;
    ///   `NSCoreDataError` when a generated class has a property that is not what the model says.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addStore(ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }

    /// Removes a store from the coordinator and closes it. Its file stays.
    ///
    /// Whether contexts still have objects of the store isn't checked, so reset them first.
    /// `NSPersistentStoreCoordinatorWillRemoveStore` is posted before and `NSPersistentStoreCoordinatorStoresDidChange`
    /// afterwards. An in-memory store loses its content.
    ///
    /// - Parameter store: A store of the coordinator.
    /// - Throws: `NSPersistentStoreOperationError` if the store isn't one of the coordinator's.
    open func remove(_ store: NSPersistentStore) throws { try removeStore(store) }

    /// Copies all objects of a store into a new one, which takes the store's place in the coordinator.
    ///
    /// The objects get new identifiers. The old store's files stay. A file appears at the new URL when it is whole, so
    /// that a process that dies leaves no part of a store there. Contexts that hold objects of the old store must be
    /// reset; `NSPersistentStoreCoordinatorStoresDidChange` has old and new identifiers, one pair after the other.
    ///
    /// - Parameters:
    ///   - store: A store of the coordinator.
    ///   - storeURL: Where the new store shall be; nothing may be there.
    ///   - options: Options of the new store.
    ///   - storeType: The type of the new store.
    /// - Returns: The new store.
    /// - Throws: An error that names the store; the coordinator is then as it was.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try migrateStore(store, to: storeURL, options: options, withType: storeType)
    }

    /// Destroys a store. If the coordinator has the store, it is removed first.
    ///
    /// A SQLite store becomes an empty database, because other processes may have it open. The files of other stores
    /// are deleted.
    ///
    /// - Parameters:
    ///   - url: The URL of the store.
    ///   - storeType: Its type.
    ///   - options: Options of the store. With `NSPersistentStoreForceDestroyOption` the files are deleted, whatever
    ///     they contain and even if they are in use.
    /// - Throws: An error that names the file, also if its folder doesn't exist. If the file doesn't exist, nothing is
    ///   done.
    open func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
        try destroyStore(at: url, ofType: storeType, options: options)
    }

    /// Replaces a store with a copy of another, or creates the copy if the store doesn't exist. The copy keeps the
    /// store's UUID.
    ///
    /// The store to replace must not be open elsewhere; if the coordinator has it, it is removed first. The source may
    /// be in use. The copy is complete before anything is replaced, so that a crash leaves either the old store or the
    /// copy.
    ///
    /// - Parameters:
    ///   - destinationURL: The store to replace.
    ///   - destinationOptions: Options of that store.
    ///   - sourceURL: The store to copy.
    ///   - sourceOptions: Options of that store.
    ///   - storeType: The type of both.
    /// - Throws: An error that names the file that can't be read or written; `NSPersistentStoreTimeoutError` while
    ///   other processes have the store open that is to be replaced.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        try replaceStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType)
    }

    /// Returns the URL of a store.
    ///
    /// A store without a URL has `/dev/null`, and an in-memory store that was added without one has a URL of its own
    /// with the scheme `memory`.
    ///
    /// - Parameter store: A store of the coordinator.
    open func url(for store: NSPersistentStore) -> URL { location(for: store) }

    /// Notifies a store that its file has moved. SQLite stores keep their file open and refuse.
    ///
    /// Nothing is moved. A store that the coordinator doesn't have refuses as well.
    ///
    /// - Parameters:
    ///   - url: The new URL.
    ///   - store: A store of the coordinator.
    /// - Returns: Whether the store accepted the URL.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { setLocation(url, for: store) }

    /// Returns the store that was added with a URL.
    ///
    /// Files are compared by their paths after symbolic links are resolved; other URLs have to be equal.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The store, or `nil` if the coordinator has none with this URL.
    open func persistentStore(for url: URL) -> NSPersistentStore? { storeAtURL(for: url) }

    // MARK: Metadata

    /// Returns the metadata of a store: its type, UUID and version hashes, and the application's own keys.
    ///
    /// They include what ``setMetadata(_:for:)`` has set and no save has written yet. To read them without opening the
    /// store, use `metadataForPersistentStore(ofType:at:options:)`.
    ///
    /// - Parameter store: A store of the coordinator.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { storeMetadata(for: store) }

    /// Sets the metadata of a store. The next save writes them to its file.
    ///
    /// Type, UUID and version hashes stay if the new metadata don't have them.
    ///
    /// - Parameters:
    ///   - metadata: The new metadata.
    ///   - store: A store of the coordinator.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        setStoreMetadata(metadata, for: store)
    }

    /// Reads the metadata of a store that need not be open.
    ///
    /// The store may be open, here or elsewhere. `NSPersistentStoreTypeMismatchError` is thrown if the store is of
    /// another type than `storeType`, and `NSPersistentStoreInvalidTypeError` if the type isn't registered or the file
    /// isn't a store. An empty file counts as a SQLite store.
    ///
    /// - Parameters:
    ///   - storeType: The store's type; `nil` to find it out from the file.
    ///   - url: Where the store is.
    ///   - options: Options that reading needs.
    /// - Throws: An error that names the file.
    open class func metadataForPersistentStore(
        ofType storeType: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try fileMetadata(ofType: storeType, at: url, options: options)
    }

    /// Writes the metadata of a store at once. A store object that is open doesn't notice.
    ///
    /// Other keys of the store that `metadata` doesn't have are removed. To change the metadata of an open store, use
    /// ``setMetadata(_:for:)`` and save.
    ///
    /// - Parameters:
    ///   - metadata: The metadata; type, UUID and version hashes stay when they are not in it.
    ///   - storeType: The store's type; `nil` to find it out from the file.
    ///   - url: Where the store is.
    ///   - options: Options that writing needs.
    /// - Throws: An error that names the file.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setFileMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: options)
    }

    /// Returns the model that a SQLite store keeps of itself, for stores whose model file is not at hand.
    ///
    /// Use it to open a store of a former version, or to find out what is in a file. The model isn't in use yet, so it
    /// can be changed.
    ///
    /// - Parameters:
    ///   - url: Where the store is.
    ///   - options: Options of the store.
    /// - Throws: An error that names the file; `NSMigrationMissingSourceModelError` when it keeps no model.
    open class func cachedModelForPersistentStore(at url: URL, options: [AnyHashable: Any]? = nil) throws
        -> NSManagedObjectModel
    {
        try keptModel(at: url, options: options)
    }

    // MARK: Store classes

    /// The store classes of the process by type; the values hold the classes.
    open class var registeredStoreTypes: [String: NSValue] { storeClassesByType }

    /// Makes a store class known under a type.
    ///
    /// Register the class before a store of the type is added. A class that was registered for the type before is
    /// replaced; stores that are open keep their class. A class that isn't a subclass of `NSPersistentStore` makes
    /// adding a store throw `NSPersistentStoreInvalidTypeError`. May be called on any thread.
    ///
    /// - Parameters:
    ///   - storeClass: A subclass of `NSPersistentStore`; `nil` to forget the type.
    ///   - storeType: The type, as `addPersistentStore(ofType:…)` names it.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        setStoreClass(storeClass, forStoreType: storeType)
    }

    // MARK: Requests

    /// Executes a request for a context. Call it on the context's queue.
    ///
    /// Use ``NSManagedObjectContext/execute(_:)`` unless the plain arrays are needed. A context of another coordinator
    /// is `NSCoreDataError`.
    ///
    /// - Parameters:
    ///   - request: A fetch request; a save request, which saves all changes of the context; a batch request; or any
    ///     other that ``NSManagedObjectContext/execute(_:)`` accepts.
    ///   - context: A context of this coordinator.
    /// - Returns: An array for a fetch, an empty array for a save, and for other requests their result object.
    /// - Throws: The request's error; `NSPersistentStoreUnsupportedRequestTypeError` for unknown requests.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try carryOut(request, with: context)
    }

    /// Returns the identifier that a URI represents, whether or not there is such an object.
    ///
    /// Nothing is read, so the row may be gone; ``NSManagedObjectContext/existingObject(with:)`` finds out. Use it for
    /// URIs that were kept elsewhere, such as in the state of a user interface. The store has to be added already.
    ///
    /// - Parameter url: What `NSManagedObjectID.uriRepresentation()` gave.
    /// - Returns: The identifier; `nil` when no store of the coordinator, and no entity of the model, is meant.
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        identifier(forURIRepresentation: url)
    }

    /// The present end of the history of some stores: what `fetchHistory(after:)` with it gives is yet to come.
    ///
    /// Keep the token to read later only what is saved from now on. Elements of `stores` that aren't stores are
    /// ignored.
    ///
    /// - Parameter stores: Stores of the coordinator; `nil` for all.
    /// - Returns: A token of the stores that record their history; `nil` when none does.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        newestHistoryToken(fromStores: stores)
    }
    // MARK: Migration

    /// Finishes what was left over of lightweight migrations by
    /// `NSPersistentStoreDeferredLightweightMigrationOptionKey`.
    ///
    /// There is nothing left over: a migration is done as a whole when the store is added, with or without that option.
    ///
    /// - Throws: Nothing at present.
    open func finishDeferredLightweightMigration() throws {}

    /// Does one part of what was left over of lightweight migrations.
    ///
    /// There is nothing left over: a migration is done as a whole when the store is added.
    ///
    /// - Throws: Nothing at present.
    open func finishDeferredLightweightMigrationTask() throws {}
}

extension NSPersistentStore {
    /// The store in a sentence: the name of its file, or its type.
    var shortName: String {
        guard let url, url.isFileURL else { return "of type \(type)" }
        return "'\(url.lastPathComponent)'"
    }
}
