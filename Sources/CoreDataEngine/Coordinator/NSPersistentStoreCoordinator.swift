public import Foundation
import Synchronization

/// Connects contexts with stores: it knows the model, the stores, and which store keeps which entities.
///
/// Safe to use from any thread. Its queue serialises the blocks of `perform` and `performAndWait`; adding and removing
/// stores need not happen there.
// @unchecked Sendable because the model is frozen and all that changes is behind `list`, `changes` or `settings`.
open class NSPersistentStoreCoordinator: NSObject, NSLocking, _MadeFromType, @unchecked Sendable {
    /// The model, which can't be changed any more.
    public let managedObjectModel: NSManagedObjectModel
    /// The engine's layout of the model.
    package let layout: ModelLayout
    /// The contexts that sit directly on the coordinator.
    package let contexts = WeakContexts()

    let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")
    static let queueKey = DispatchSpecificKey<ObjectIdentifier>()
    /// Held while stores are added or removed. Recursive: a store's hooks may call back.
    let changes = NSRecursiveLock()

    /// Stores at `/dev/null`.
    let scratchStores = ScratchStores()

    /// Whether classes must fit the model. Not where a migration uses a model that the program's classes are not made for.
    private let comparesClasses = Atomic<Bool>(true)

    private let list: Mutex<StoreList>
    private let nameStorage = Mutex<String?>(nil)
    private let userLock = NSRecursiveLock()

    /// Makes a coordinator without stores. The model can't be changed afterwards.
    ///
    /// - Parameter model: The model of all stores that will be added.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        layout = ModelLayout.layout(of: model)
        list = Mutex(StoreList(entityCount: layout.entities.count))
        super.init()
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
    }

    deinit {
        for store in list.withLock({ $0.stores }) {
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
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func lock() { userLock.lock() }

    /// Undoes one call of ``lock()``.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func unlock() { userLock.unlock() }

    /// Locks the coordinator unless another thread has it.
    @available(*, deprecated, message: "Use perform or performAndWait.")
    open func tryLock() -> Bool { userLock.try() }

    // MARK: For the engine

    /// Lets classes be other than the model says: for the models of a migration.
    final func tolerateOtherClasses() { comparesClasses.store(false, ordering: .relaxed) }

    /// Throws when a class that lists its properties doesn't fit the model.
    final func requireFittingClasses() throws {
        if comparesClasses.load(ordering: .relaxed) { try layout.requireFittingClasses() }
    }

    /// All stores that keep rows, in the order in which they were added.
    package var rowStores: [any RowStore] { list.withLock { $0.rowStores } }

    /// The stores that keep objects of an entity, in the order in which they were added.
    package func rowStores(for entity: EntityLayout) -> [any RowStore] {
        list.withLock { $0.stores(for: entity) }
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
    }

    func withdraw(_ store: NSPersistentStore) {
        list.withLock { $0.remove(store) }
    }

    func store(withIdentifier identifier: String) -> NSPersistentStore? {
        persistentStores.first { $0.identifier == identifier }
    }

    open override var description: String {
        "<NSPersistentStoreCoordinator \(name ?? "") stores: \(persistentStores.map(\.shortName).joined(separator: ", "))>"
    }
}

extension NSPersistentStore {
    /// The store in a sentence: the name of its file, or its type.
    var shortName: String {
        guard let url, url.isFileURL else { return "of type \(type)" }
        return "'\(url.lastPathComponent)'"
    }
}
