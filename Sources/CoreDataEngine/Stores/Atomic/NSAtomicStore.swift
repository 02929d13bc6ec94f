public import Foundation

/// The superclass of stores that are read and written as a whole.
///
/// A subclass overrides ``load()`` and ``save()``, usually ``newReferenceObject(for:)`` and
/// ``updateCacheNode(_:from:)``, and is registered with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. Predicates and sorting are evaluated in memory.
/// One save or load runs at a time; reads may run at the same time.
// @unchecked Sendable because `state` is used under `lock` only, and subclasses promise the same.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var state: AtomicState
    /// Held during a save. Recursive: the store's hooks may call back.
    final let saving = NSRecursiveLock()

    /// Creates a store object. It isn't usable before a coordinator has called ``load()``.
    ///
    /// The coordinator creates the store when it is added, on the thread that adds it. A subclass that overrides it
    /// calls `super`.
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
        state = AtomicState(layout: root?.layout)
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    /// The type in the metadata, else the one that the class is registered with, unless a subclass says otherwise.
    open override var type: String {
        metadata?[NSStoreTypeKey] as? String ?? NSPersistentStoreCoordinator.typeOfStores(Swift.type(of: self)) ?? ""
    }

    /// Where the next save writes.
    open override var url: URL? {
        get { super.url }
        set {
            super.url = newValue
            withState { $0.needsSave = true }
        }
    }

    /// What the store says of itself. A change reaches the file with the next save.
    open override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            withState { $0.needsSave = true }
        }
    }

    /// Sets the metadata, unless a subclass has done so: those of the file, or new ones.
    ///
    /// It is called once, before ``load()``. A UUID and a type are added if they are missing; a file that can't be read
    /// counts as a new store here.
    open override func loadMetadata() throws {
        var values: [String: Any] = metadata ?? [:]
        if values[NSStoreUUIDKey] == nil, let url, url.isFileURL, FileManager.default.fileExists(atPath: url.path),
            let found = try? Swift.type(of: self).metadataForPersistentStore(with: url)
        {
            values.merge(found) { _, new in new }
        }
        if values[NSStoreUUIDKey] == nil { values[NSStoreUUIDKey] = identifier ?? UUID().uuidString }
        if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = type }
        metadata = values
    }

    // MARK: For subclasses to override

    /// Reads the file and hands its objects to ``addCacheNodes(_:)``. Called once, when the store is added; there may
    /// be no file yet.
    ///
    /// It is called after ``loadMetadata()``, on the thread that adds the store. A class that doesn't override it
    /// throws `NSPersistentStoreOperationError`.
    ///
    /// - Throws: Why the file can't be read; `addPersistentStore` throws it on.
    open func load() throws {
        throw mustOverride("load()")
    }

    /// Writes all of ``cacheNodes()`` and the metadata to the file.
    ///
    /// A save of a context calls it after the nodes were changed, and so does a save without changes if the metadata or
    /// the URL was set. One call runs at a time.
    ///
    /// - Throws: Why that is not possible. Nothing is lost then: the changes stay in the context, and the nodes become
    ///   again what they were.
    open func save() throws {
        throw mustOverride("save()")
    }

    /// Returns the node of a new object, during a save.
    ///
    /// Unless overridden, the node is an `NSAtomicStoreCacheNode` with what ``updateCacheNode(_:from:)`` writes into
    /// it.
    ///
    /// - Parameter managedObject: The new object.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Updates the node of a changed object, during a save.
    ///
    /// Unless overridden, writes all values, with related objects as nodes.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - managedObject: The changed object.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        CacheNodeWriter(store: self).write(managedObject, into: node)
    }

    /// Makes a reference object for a new object: a value that identifies it among those of its entity, in this file
    /// for ever.
    ///
    /// Unless overridden, the text of a new UUID.
    ///
    /// - Parameter managedObject: The new object.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    /// Called before nodes of deleted objects are removed. Does nothing unless overridden.
    ///
    /// It is called during a save, before ``save()``.
    ///
    /// - Parameter cacheNodes: The nodes.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    // MARK: For subclasses to call

    /// Adds nodes that were read from the file. Related nodes may be added by another call.
    ///
    /// Call it in ``load()``. A node replaces one that has the same object ID.
    ///
    /// - Parameter cacheNodes: The nodes.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        let nodes = SendableBox(cacheNodes)
        withState { state in
            for node in nodes.value {
                state.nodes[node.objectID.reference] = node
                state.waiting.append(node)
            }
        }
    }

    /// All nodes of the store.
    ///
    /// During a save, the nodes have the values that are being saved.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { withState { Set($0.nodes.values) } }

    /// Returns the node of an object.
    ///
    /// A temporary ID has no node.
    ///
    /// - Parameter objectID: The object's identifier.
    /// - Returns: The node, or `nil` if the object isn't in the store.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        withState { $0.nodes[objectID.reference] }
    }

    /// The identifier of the object that a reference object represents.
    ///
    /// Calls with equal reference objects, such as strings or numbers, return equal IDs. The ID is known before the
    /// object has a node.
    ///
    /// - Parameters:
    ///   - entity: The entity of the object itself, not one of its parents.
    ///   - data: The reference object.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        references.objectID(for: entity, referenceObject: data, in: self)
    }

    /// The reference object that ``objectID(for:withReferenceObject:)`` made an identifier of.
    ///
    /// Use it in ``save()`` to write what identifies an object.
    ///
    /// - Parameter objectID: The identifier.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.object(for: objectID, in: self)
    }

    // MARK: For the engine

    /// Reads or changes the state.
    final func withState<Result>(_ body: (inout AtomicState) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    /// The numbers of the reference objects.
    final var references: ReferenceTable {
        let identifier = self.identifier ?? ""
        return withState { state in
            if let known = state.references { return known }
            let table = ReferenceTable.table(forStore: identifier)
            state.references = table
            return table
        }
    }

    private func mustOverride(_ method: String) -> CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store class \(Swift.type(of: self)) doesn't override \(method).",
            path: url?.path)
    }

    /// Whether the store's objects are nodes. Stores of the engine's own read and write rows, without nodes.
    var keepsNodes: Bool { true }

    /// Permanent numbers for new objects.
    package func references(for objects: [NSManagedObject]) throws -> [Int64] {
        try objects.map { object in
            let reference = objectID(for: object.entity, withReferenceObject: newReferenceObject(for: object)).reference
            let isTaken = withState { $0.contents.record(reference, root: object.layout.root) != nil }
            guard !isTaken else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The store \(shortName) gave a new object of \(object.layout.name) the reference object of another.",
                    path: url?.path)
            }
            return reference
        }
    }

    /// Row numbers, for stores that have no reference objects.
    package func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The store \(shortName) saves objects of a context, and no rows.",
            path: url?.path)
    }

    /// The last part of an object's URI.
    package func uriComponent(for id: NSManagedObjectID) -> String? {
        references.entry(id.reference).map { ReferenceTable.uriComponent(for: $0.object) }
    }

    /// The number for the last part of a URI.
    package func reference(forURIComponent component: String, entity: EntityLayout) -> Int64? {
        references.number(forURIComponent: component, entity: entity.name)
    }
}

extension NSAtomicStore: ReferenceNaming {}
