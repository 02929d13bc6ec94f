public import Foundation
import Synchronization

/// A workspace: objects, and the changes to them that aren't saved yet.
///
/// A context has a queue, and the context and its objects may only be used there: inside of `perform` or
/// `performAndWait`, or on the main queue for a main-queue context. Use on another queue is logged, or stops the
/// program with `OPENCOREDATA_CONCURRENCY_DEBUG=1`.
///
/// ```swift
/// let context = container.newBackgroundContext()
/// try context.performAndWait {
///     let book = Book(context: context)
///     book.title = "Solaris"
///     try context.save()
/// }
/// ```
///
/// A context saves to the stores of its ``persistentStoreCoordinator``, or into its ``parent``.
// @unchecked Sendable because everything below is used on the context's queue alone, which `checkQueue` looks at;
// `queue`, `concurrencyType` and the perform methods are safe anywhere.
open class NSManagedObjectContext: NSObject, NSCoding, _MadeFromType, @unchecked Sendable {
    /// Which kind of queue the context has.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { kind }
    final let kind: NSManagedObjectContextConcurrencyType
    /// Set only while the context is made.
    @exclusivity(unchecked) package private(set) final var queue: SerialQueue
    /// A name for messages.
    open var name: String?
    /// Who saves, for the history of a store.
    open var transactionAuthor: String?
    /// Whatever the application wants to keep here.
    open var userInfo: NSMutableDictionary { userValues }
    private let userValues = NSMutableDictionary()
    /// What to do about conflicts: an `NSMergePolicy`. Fails the save by default.
    open var mergePolicy: Any = NSErrorMergePolicy
    /// Whether to take over what the coordinator's other contexts, or the parent, save.
    ///
    /// May be read and set on any thread: other contexts read it when they save.
    open var automaticallyMergesChangesFromParent: Bool {
        get { automaticMerging.isOn.load(ordering: .relaxed) }
        set { automaticMerging.isOn.store(newValue, ordering: .relaxed) }
    }
    final let automaticMerging = AutomaticMerging()
    private final let handle = WeakHandle<NSManagedObjectContext>()
    final var weakHandle: WeakHandle<NSManagedObjectContext> { handle.bound(to: self) }
    /// Whether delete rules are applied when changes are processed; otherwise with the save.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether an object whose row is found to be gone becomes one that is deleted: its values are nil or 0, it is
    /// among `deletedObjects`, is not validated, and leaves the context with the next save. Otherwise the next fetch or
    /// save throws Core Data error 133000, which names it.
    open var shouldDeleteInaccessibleFaults = true
    /// How old, in seconds, values in memory may be when a fault fires. Negative: any age.
    open var stalenessInterval: TimeInterval = -1 {
        didSet { registry.watchesAge = stalenessInterval >= 0 }
    }
    /// Whether registered objects stay alive without other references.
    open var retainsRegisteredObjects = false {
        didSet {
            keepsObjects = retainsRegisteredObjects
            retained = keepsObjects ? registry.objects() : []
        }
    }
    /// Whether firing the fault of one object gets the rows of those that were fetched with it.
    package var faultsFireForCohort = true

    package private(set) var coordinator: NSPersistentStoreCoordinator?
    private var parentContext: NSManagedObjectContext?
    /// The children that merge what this context saves or is given.
    let children = ObservingContexts()
    /// `ConcurrencyDebug.isEnabled`, near at hand. A context without a queue may be used wherever its maker is.
    final let checksQueue: Bool
    /// `ConcurrencyDebug.stops`, near at hand: each call asks.
    final let stopsOffQueue: Bool
    // Exclusivity is not checked at run time where `@exclusivity(unchecked)` stands: no access to these calls back into
    // the context while it lasts.
    @exclusivity(unchecked) final var registry = ObjectRegistry(model: nil)
    @exclusivity(unchecked) package final var layout: ModelLayout?
    /// How many objects of an import are handled between saves; 0 for contexts that are saved by their users alone.
    @exclusivity(unchecked) package final var importBatchSize = 0
    /// Why the context takes no changes, for one that only reads.
    @exclusivity(unchecked) package final var refusal: (any Error)?
    /// Whether the code that made the context reports its saves.
    @exclusivity(unchecked) package final var isSilent = false
    /// Called with each save, before anything is done; what it throws, the save throws.
    @exclusivity(unchecked) package final var checkBeforeSave: ((NSManagedObjectContext) throws -> Void)?
    /// Called with each request that is executed here, for those that record what is read; with `nil` for a statement of SQL.
    @exclusivity(unchecked) package final var onFetch: ((NSFetchRequestBase?) -> Void)?
    /// Whether new objects get permanent identifiers when they are made, where a store can give them.
    @exclusivity(unchecked) package final var givesPermanentIDsAtOnce = false
    /// Whether objects that a fetch refreshes keep the values of transient attributes.
    @exclusivity(unchecked) package final var keepsTransientValues = false
    /// Whether a deletion of a row that others have deleted is a conflict, and saves wait for transactions on other machines.
    @exclusivity(unchecked) package final var isStrict = false
    @exclusivity(unchecked) final var materializers = Materializers()
    @exclusivity(unchecked) final var classes: [NSManagedObject.Type?] = []
    /// What `ManagedObjectClass.generation` was when classes were not found.
    @exclusivity(unchecked) private final var classGeneration = -1
    @exclusivity(unchecked) final var entitiesByClass: [ObjectIdentifier: EntityLayout] = [:]
    @exclusivity(unchecked) final var entityListsByClass: [ObjectIdentifier: [EntityLayout]] = [:]
    @exclusivity(unchecked) final var cohorts = CohortCache()
    @exclusivity(unchecked) final var retained: [NSManagedObject] = []
    /// `retainsRegisteredObjects`, without the way over what subclasses may have made of it.
    @exclusivity(unchecked) private(set) final var keepsObjects = false

    // Objects with unsaved changes. An object that left a list keeps its place until the list is compacted; its state
    // bits are the truth.
    @exclusivity(unchecked) final var insertedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var updatedList: ContiguousArray<NSManagedObject> = []
    @exclusivity(unchecked) final var deletedList: ContiguousArray<NSManagedObject> = []
    /// Whether `deletedList` may have objects that others deleted.
    @exclusivity(unchecked) final var hasMergedDeletions = false
    // The same for changes that were not announced yet.
    @exclusivity(unchecked) final var event = PendingEvent()
    /// The fetched results controllers that follow this context, and what is recorded for them until the next event.
    final var resultTrackers = ResultTrackers()
    final var trackerNotes = TrackerNotes()
    /// Stores that `assign(_:to:)` chose, by temporary reference.
    final var assignedStores: [Int64: NSPersistentStore] = [:]
    /// What could not be read, for callers that can't throw; the next save or fetch of this context reports it.
    @exclusivity(unchecked) final var failedReads = FailedReads()
    /// What the program did wrong in a method that can't throw; the next save does.
    final var mistake: (any Error)?
    /// Values in files of their own that could not be read.
    @exclusivity(unchecked) final var unreadable = UnreadableExternalValues()
    /// Temporary identities that have become, or will become, permanent ones.
    @exclusivity(unchecked) final var identities = PermanentIdentities()
    /// How many permanent identities this context gave; children compare, on their own queues.
    final let identityChanges = Atomic<Int>(0)
    /// Up to which of the parent's `identityChanges` this context has asked; `Int.max` when it has nothing to ask for.
    final let askedIdentityChanges = Atomic<Int>(.max)
    /// What records changes for the undo manager; `nil` without one.
    final var undoRecorder: UndoRecorder? {
        didSet { connectRegistry() }
    }
    /// The numbers of the transactions that the running save wrote, by the UUIDs of stores that record their history.
    final var savedTransactions: [String: Int64] = [:]
    /// What the running save has put in the place of new objects, whose identifiers are noted.
    @exclusivity(unchecked) final var replacements: [(id: NSManagedObjectID, object: NSManagedObject)] = []
    final var generationPin = GenerationPin.none
    @exclusivity(unchecked) final var isSaving = false
    /// Whether a subclass's own `fetch(_:)` runs.
    @exclusivity(unchecked) final var isInOverriddenFetch = false
    /// What the save that is going on has announced.
    @exclusivity(unchecked) final var announced = AnnouncedSets()
    /// Set for the contexts of a migration: objects are of no class but `NSManagedObject`, whose code is made for one
    /// of the models only, and saving does not validate, because objects are saved before they have their
    /// relationships.
    @exclusivity(unchecked) final var isMigrating = false
    @exclusivity(unchecked) final var isProcessing = false
    @exclusivity(unchecked) final var isPassScheduled = false

    /// Creates a context without a coordinator or parent. Set one of them before you use it.
    ///
    /// The kind can't be changed later. A context without a coordinator or parent has no model: entities aren't found
    /// by name, and a fetch throws `NSCoreDataError`.
    ///
    /// - Parameter concurrencyType: The kind of queue that the context has.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        kind = concurrencyType
        let hasQueue = concurrencyType != .confinementConcurrencyType
        checksQueue = hasQueue && ConcurrencyDebug.isEnabled
        stopsOffQueue = hasQueue && ConcurrencyDebug.stops
        queue =
            concurrencyType == .mainQueueConcurrencyType
            ? .main : SerialQueue(label: "NSManagedObjectContext")
        super.init()
        connectRegistry()
    }

    /// Creates a context, without a coordinator or parent, that has the queue of another one: their blocks run one after
    /// the other, and a thread that runs one needn't be woken up for the next.
    package convenience init(sharingQueueOf other: NSManagedObjectContext) {
        self.init(concurrencyType: other.kind)
        queue = other.queue
    }

    /// Creates a context without a coordinator or parent. Set one of them before you use it.
    ///
    /// This is `init(concurrencyType:)` in Swift's spelling: `.privateQueue` for work in the background, `.mainQueue`
    /// for the user interface.
    ///
    /// - Parameter type: The kind of queue that the context has.
    public convenience init(_ type: ConcurrencyType) {
        self.init(concurrencyType: type.rawValue)
    }

    /// Creates a context of the archived kind, without a coordinator, a parent or objects.
    ///
    /// Apple keeps this for old archives; save what is to last in a store.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        let kind = UInt(exactly: coder.decodeInteger(forKey: Self.kindKey)) ?? 0
        self.init(
            concurrencyType: NSManagedObjectContextConcurrencyType(rawValue: kind) ?? .privateQueueConcurrencyType)
        name = coder.decodeObject(forKey: Self.nameKey) as? String
    }

    /// Archives the context's kind of queue and its name. Objects and unsaved changes aren't archived.
    ///
    /// The coordinator, the parent and the merge policy aren't archived either, so a context that is read from an
    /// archive has to be set up again.
    ///
    /// - Parameter coder: The archive.
    open func encode(with coder: NSCoder) {
        coder.encode(Int(kind.rawValue), forKey: Self.kindKey)
        coder.encode(name, forKey: Self.nameKey)
    }

    private static let kindKey = "NSConcurrencyType"
    private static let nameKey = "NSName"

    deinit {
        handle.clear(self)
        // Objects that are related both ways would keep each other alive for good.
        for object in registry.objects() { object.releaseDestinations() }
        registry.disconnect()
        undoRecorder?.manager.removeAllActions(withTarget: self)
        coordinator?.contexts.remove(self)
        parentContext?.children.remove(self)
    }

    /// Lets go of all objects as the context's end does, on its queue, so that it can serve for another block.
    package final func endBlock() {
        if !registry.isUnused {
            for object in registry.objects() { object.releaseDestinations() }
            registry.disconnect()
            registry = ObjectRegistry(model: coordinator?.managedObjectModel, layout: layout)
            connectRegistry()
        }
        undoRecorder?.manager.removeAllActions(withTarget: self)
        undoRecorder = nil
        insertedList = []
        updatedList = []
        deletedList = []
        retained = []
        event = PendingEvent()
        trackerNotes = TrackerNotes()
        cohorts.removeAll()
        assignedStores = [:]
        failedReads = FailedReads()
        mistake = nil
        unreadable.removeAll()
        identities = PermanentIdentities()
        savedTransactions = [:]
    }

    /// Makes a context whose block has ended, and that only the caller has, as it was when it was made.
    ///
    /// - Returns: Whether it could: not where the block has given it other stores.
    package final func renew(for owner: NSPersistentStoreCoordinator) -> Bool {
        guard coordinator === owner, parentContext == nil, registry.objects().isEmpty, resultTrackers.isEmpty else {
            return false
        }
        generationPin = .none
        onFetch = nil
        transactionAuthor = nil
        if userValues.count > 0 { userValues.removeAllObjects() }
        if automaticallyMergesChangesFromParent { automaticallyMergesChangesFromParent = false }
        propagatesDeletesAtEndOfEvent = true
        shouldDeleteInaccessibleFaults = true
        faultsFireForCohort = true
        if stalenessInterval != -1 { stalenessInterval = -1 }
        if keepsObjects { retainsRegisteredObjects = false }
        return true
    }

    /// What takes changes of the context's objects back; `nil`, the default, to be spared the cost.
    ///
    /// Changes are registered event by event, when they are processed. A rollback and a reset forget them.
    open var undoManager: UndoManager? {
        get { undoRecorder?.manager }
        set { undoRecorder = newValue.map { UndoRecorder(manager: $0, context: self) } }
    }

    /// Where the context fetches and saves; that of the topmost parent.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator ?? parentContext?.persistentStoreCoordinator }
        set {
            programmerError(
                unless:
                    parentContext == nil || newValue == nil, "A context with a parent has the parent's coordinator.")
            coordinator?.contexts.remove(self)
            coordinator = newValue
            adoptModel(newValue)
            newValue?.contexts.add(self)
        }
    }

    /// The context that this one fetches from and saves into.
    open var parent: NSManagedObjectContext? {
        get { parentContext }
        set {
            programmerError(
                unless:
                    newValue?.kind != .confinementConcurrencyType, "A parent context needs a queue of its own.")
            programmerError(
                unless: coordinator == nil || newValue == nil, "A context has either a coordinator or a parent.")
            parentContext?.children.remove(self)
            parentContext = newValue
            adoptModel(newValue?.persistentStoreCoordinator)
            newValue?.children.add(self)
        }
    }

    /// Gives the registry what its objects need to know of the context.
    private func connectRegistry() {
        registry.context = self
        registry.watchesAge = stalenessInterval >= 0
        registry.seesEachChange = stopsOffQueue || undoRecorder != nil
    }

    private func adoptModel(_ coordinator: NSPersistentStoreCoordinator?) {
        registry.disconnect()
        registry = ObjectRegistry(model: coordinator?.managedObjectModel, layout: coordinator?.layout)
        connectRegistry()
        layout = coordinator?.layout
        classes = Array(repeating: nil, count: layout?.entities.count ?? 0)
        entitiesByClass = [:]
        entityListsByClass = [:]
    }

    /// Looks an entity up by class, for `init(context:)`.
    final func entity(for type: NSManagedObject.Type) -> NSEntityDescription? {
        if let known = entitiesByClass[ObjectIdentifier(type)] { return known.entity }
        ManagedObjectClass.noticed(type)
        let entities = layout?.entities ?? []
        let name = String(describing: type)
        let found =
            entities.first { ManagedObjectClass.of($0) == type }
            ?? entities.first { $0.name == name }
        entitiesByClass[ObjectIdentifier(type)] = found
        return found?.entity
    }

    /// The class of an entity's objects in this program.
    final func objectClass(of layout: EntityLayout) -> NSManagedObject.Type {
        if isMigrating { return NSManagedObject.self }
        if layout.index < classes.count, let known = classes[layout.index],
            known != NSManagedObject.self
                || classGeneration == ManagedObjectClass.generation.load(ordering: .relaxed)
        {
            return known
        }
        return findClass(of: layout)
    }

    /// Looks for the class of an entity. A negative result is valid until another class or image is loaded.
    @inline(never)
    private func findClass(of layout: EntityLayout) -> NSManagedObject.Type {
        let generation = ManagedObjectClass.generation.load(ordering: .acquiring)
        if classGeneration != generation {
            classGeneration = generation
            for index in classes.indices where classes[index] == NSManagedObject.self { classes[index] = nil }
        }
        let found = ManagedObjectClass.forObjects(of: layout)
        if layout.index < classes.count { classes[layout.index] = found }
        return found
    }

    /// Called when the row of a fault is gone. By default says what `shouldDeleteInaccessibleFaults` says.
    ///
    /// Override it to decide for each object. An object that becomes a deleted one has `nil` or 0 for every value, is
    /// in ``deletedObjects``, and leaves the context with the next save.
    ///
    /// - Parameters:
    ///   - fault: The object without a row.
    ///   - oid: Its identifier.
    ///   - property: The property whose value was asked for, where that is known.
    /// - Returns: Whether the object becomes a deleted one; otherwise the next fetch or save throws that it is missing.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    // MARK: Objects

    /// Inserts an object that was created without a context. The next save writes it.
    ///
    /// An object that is already in this context stays unchanged, except that an unsaved deletion is canceled. An object
    /// in another context stops the program with a message.
    ///
    /// - Parameter object: The object.
    open func insert(_ object: NSManagedObject) { insertObject(object) }

    /// Marks an object to be deleted with the next save. Delete rules are applied when changes are processed.
    ///
    /// `prepareForDeletion()` of the object is called at once, also if the object is marked already. The row stays in
    /// the store until ``save()``; ``rollback()`` cancels the deletion. A new object that was never saved leaves the
    /// context with the next save, and no store is asked. Nothing happens to an object that belongs to no context.
    ///
    /// ```swift
    /// context.delete(book)
    /// try context.save()
    /// ```
    ///
    /// - Parameter object: An object of this context. For an object of another context, the next save throws.
    open func delete(_ object: NSManagedObject) { deleteObject(object) }

    /// Returns the registered object with an identifier, without asking the store.
    ///
    /// The object may be a fault, and it may be marked as deleted. An ID that comes from another coordinator finds the
    /// object if this coordinator has a store with the same UUID. Use ``object(with:)`` to get a fault instead of
    /// `nil`, and ``existingObject(with:)`` to ask the store.
    ///
    /// - Parameter objectID: The identifier.
    /// - Returns: The object, or `nil` if the context has none with this identifier.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(for: objectID) }

    /// Returns the registered object with an identifier, or a fault, whether or not the store has a row for it.
    ///
    /// Use ``existingObject(with:)`` if the row may be gone.
    ///
    /// - Parameter objectID: The identifier.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { anyObject(with: objectID) }

    /// Returns the object with an identifier, with its values.
    ///
    /// A registered object that isn't a fault is returned without asking the store, even if its row was deleted in the
    /// meantime. Otherwise the row is read, and the object is realized. Use ``object(with:)`` to get a fault without
    /// reading.
    ///
    /// - Parameter objectID: The identifier.
    /// - Throws: Core Data error 133000 if the store has no such row, or the error of reading it.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try realizedObject(with: objectID)
    }

    /// Gives new objects their permanent identifiers before they are saved.
    ///
    /// Use it if IDs are needed elsewhere before the save, for example in a file. Objects of other contexts are
    /// skipped. A child context asks its parent, up to the context that has the coordinator. The objects stay unsaved,
    /// and ``NSManagedObject/objectID`` returns the permanent ID from now on.
    ///
    /// - Parameter objects: Objects of this context. Those that have a permanent identifier keep it.
    /// - Throws: An error of the store that assigns the identifiers.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try givePermanentIDs(for: objects) }

    /// Sets the store in which a new object is saved. Otherwise it is saved where the objects are that it's related to,
    /// or in the first store that has its entity.
    ///
    /// Nothing happens for an object that has a permanent ID already, and for a value that isn't a managed object.
    /// ``reset()`` forgets the choice.
    ///
    /// - Parameters:
    ///   - object: A new object of this context.
    ///   - store: A store of the context's coordinator.
    open func assign(_ object: Any, to store: NSPersistentStore) { assignObject(object, to: store) }

    /// All objects that the context knows and that are alive.
    open var registeredObjects: Set<NSManagedObject> { allRegistered }

    /// The objects that are new since the last save.
    open var insertedObjects: Set<NSManagedObject> { allInserted }

    /// The objects that changed since the last save.
    open var updatedObjects: Set<NSManagedObject> { allUpdated }

    /// The objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> { allDeleted }

    /// Whether there is anything to save.
    open var hasChanges: Bool { hasUnsavedChanges }

    // MARK: Requests

    /// Returns what a request finds, in its order. Subclasses override this method; typed requests are passed to it as
    /// well.
    ///
    /// The elements are managed objects, object IDs, dictionaries or one number, as the request's
    /// ``NSFetchRequestBase/resultType`` says. Unsaved changes of this context count, unless
    /// ``NSFetchRequestBase/includesPendingChanges`` is `false` or the request returns dictionaries. A context without
    /// a coordinator throws.
    ///
    /// - Parameter request: The request.
    /// - Throws: An error that names the entity, key, predicate or file that made the fetch fail.
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { try results(of: request) }

    /// Returns the number of objects that a request finds. Subclasses override this method; typed requests are passed
    /// to it as well.
    ///
    /// The limit and the offset of the request count, and so do unsaved changes, unless
    /// ``NSFetchRequestBase/includesPendingChanges`` is `false`. Objects are only created if the context has unsaved
    /// changes of the entity, or a parent.
    ///
    /// - Parameter request: The request.
    /// - Throws: An error that names the entity, key, predicate or file that made the count fail.
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try resultCount(of: request)
    }

    /// Executes a request: a fetch, a save, a batch request, an asynchronous fetch, or any other the engine has.
    ///
    /// Batch requests work on the stores and leave the objects of all contexts as they are; hand their identifiers to
    /// ``mergeChanges(fromRemoteContextSave:into:)`` to let contexts know. Call this on the context's queue.
    ///
    /// - Parameter request: The request.
    /// - Returns: The result; its class goes with the request's. A fetch request gives an
    ///   ``NSAsynchronousFetchResult`` that is complete, a save request a plain result.
    /// - Throws: The request's error; `NSPersistentStoreUnsupportedRequestTypeError` (134091) for a class of request
    ///   that the engine, or one of the stores, doesn't know.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try executeRequest(request)
    }

    // MARK: Changes

    /// Writes all changes, or none.
    ///
    /// First the pending changes are processed, `willSave()` of each changed object is called, and the objects are
    /// validated. A child context saves into its parent only, and the parent has to be saved in turn. Without changes,
    /// metadata that was set is still written, and the notification of the save is posted. A call from within a save
    /// does nothing.
    ///
    /// If the coordinator has several stores and one of them fails after another was written, the error is
    /// `NSPersistentStoreIncompleteSaveError`. A method that can't throw, such as ``delete(_:)`` of another context's
    /// object, records its mistake, and the next save throws it once.
    ///
    /// - Throws: Validation errors (1550 to 1690), merge conflicts (133020, 133021), the file's errors, and the error
    ///   of a value or relationship that was requested and could not be read. The changes stay in the context, so that
    ///   it can be saved again once the reason is gone.
    open func save() throws { try saveChanges() }

    /// Applies delete rules and posts one notification for everything that changed since the last time.
    ///
    /// The notification is `NSManagedObjectContextObjectsDidChange`. A context of the main queue calls this at the end
    /// of the turn, ``perform(_:)`` at the end of its block, and ``save()`` before it saves. Call it yourself to have
    /// the notification, or the effects of delete rules, at once. Delete rules wait for the save if
    /// ``propagatesDeletesAtEndOfEvent`` is `false`. A call by an observer of the notification does nothing.
    open func processPendingChanges() { processChanges() }

    /// Drops all unsaved changes: new objects leave, changed and deleted ones get their saved values back.
    ///
    /// The saved values are those that the context read last; no store is asked. Use ``refreshAllObjects()`` for newer
    /// ones. Objects that get their values back are notified by `awake(fromSnapshotEvents:)`. The actions of the
    /// ``undoManager`` are removed, and errors that were kept for the next save are dropped.
    open func rollback() { rollBackChanges() }

    /// Forgets all objects. Objects that are still held become faults without a context.
    ///
    /// Unsaved changes are lost, and the actions of the ``undoManager`` are removed. One
    /// `NSManagedObjectContextObjectsDidChange` notification has the IDs of all objects under
    /// `NSInvalidatedAllObjectsKey`. The context keeps its coordinator, its parent and its settings, and can be used
    /// again at once.
    open func reset() { forgetAll() }

    /// Turns an object into a fault, or puts the newest values under its unsaved changes.
    ///
    /// An object without unsaved changes becomes a fault in both cases. A new object that was never saved keeps its
    /// values if `flag` is `true`, because there is no row to read. Nothing happens for an object of another context.
    /// The next notification has the object under `NSRefreshedObjectsKey`.
    ///
    /// - Parameters:
    ///   - object: An object of this context.
    ///   - flag: Whether to keep unsaved changes. Otherwise they are lost, and the object becomes a fault.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) { refreshObject(object, mergeChanges: flag) }

    /// Refreshes all registered objects, keeping unsaved changes.
    ///
    /// Objects without unsaved changes become faults, whose values are read again when they are used. The
    /// `NSManagedObjectContextObjectsDidChange` notification is posted before the call returns.
    open func refreshAllObjects() { refreshRegistered() }

    /// Lets the next save check whether an object's row was changed elsewhere, even if the object has no changes. If it
    /// was, the save has a conflict.
    ///
    /// The object counts as updated from then on, so the context has something to save. Nothing happens for an object
    /// with a temporary ID, and for an object of another context. A rollback cancels the request.
    ///
    /// - Parameter object: An object of this context.
    open func detectConflicts(for object: NSManagedObject) { expectConflict(for: object) }

    /// Takes over the changes of another context's save. Unsaved changes of this context are kept.
    ///
    /// Call it on this context's queue. Registered objects get the newest values; faults stay faults. Inserted objects
    /// are registered as faults, and deleted ones are marked as deleted. The changes are announced before the call
    /// returns, by `NSManagedObjectContextObjectsDidChange` and `NSManagedObjectContextDidMergeChangesObjectIDs`. A
    /// context that is pinned to a query generation moves on to the current one.
    ///
    /// ``automaticallyMergesChangesFromParent`` does this without an observer.
    ///
    /// - Parameter notification: The other context's `NSManagedObjectContextDidSave` or
    ///   `NSManagedObjectContextDidSaveObjectIDs` notification.
    open func mergeChanges(fromContextDidSave notification: Notification) {
        mergeSaved(fromContextDidSave: notification)
    }

    /// Takes over changes that a batch request, or another process, made.
    ///
    /// May be called on any thread: each context is used on its queue, one after the other, and the call waits for
    /// them. URIs become IDs of the first context's coordinator that has one. Elements that are neither objects, IDs
    /// nor URIs are ignored. Values that the coordinators keep of changed and deleted rows are dropped, so the objects
    /// show what the stores have now.
    ///
    /// ```swift
    /// let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Book>(entityName: "Book"))
    /// request.resultType = .resultTypeObjectIDs
    /// let result = try context.execute(request) as? NSBatchDeleteResult
    /// let ids = result?.result as? [NSManagedObjectID] ?? []
    /// NSManagedObjectContext.mergeChanges(
    ///     fromRemoteContextSave: [NSDeletedObjectIDsKey: ids], into: [container.viewContext])
    /// ```
    ///
    /// - Parameters:
    ///   - changeNotificationData: Identifiers, or their URIs, under the inserted, updated and deleted keys.
    ///   - contexts: The contexts that are to know.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        mergeRemote(fromRemoteContextSave: changeNotificationData, into: contexts)
    }

    /// Takes back what the last group of the ``undoManager`` did. Does nothing without a manager.
    ///
    /// The changes that it makes are unsaved like any others, and ``redo()`` makes them again. After a ``rollback()``
    /// or ``reset()`` there is nothing to undo.
    open func undo() { undoLast() }

    /// Brings back what the last ``undo()`` took back. Does nothing without a manager.
    ///
    /// Nothing happens if the last change wasn't an undo.
    open func redo() { redoLast() }

    // MARK: Queues

    /// Runs a block on the context's queue and returns at once. Pending changes are processed at the block's end.
    ///
    /// Blocks run one after the other, in the order of the calls. The context stays alive until the block has run. Use
    /// `performAndWait(_:)` if the caller needs the result, and the asynchronous `perform(schedule:_:)` in concurrent
    /// code.
    ///
    /// - Parameter block: The block. It may use the context and its objects.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it. Calls can be nested, in blocks of the same context and of
    /// others.
    ///
    /// On the context's queue, the block runs in place, and so does the block of a main-queue context on the main
    /// thread. Unlike ``perform(_:)``, pending changes aren't processed at the end of the block.
    ///
    /// - Parameter block: The block. It may use the context and its objects.
    open func performAndWait(_ block: () -> Void) { waitFor(block) }

    // MARK: Query generations

    /// The generation that the context reads: `nil` when it is not pinned, `NSQueryGenerationToken.current` when it
    /// will be with its next read. Always `nil` for a context with a parent, which reads what the parent reads.
    open var queryGenerationToken: NSQueryGenerationToken? { pinnedGeneration }

    /// Pins what the context reads to a generation.
    ///
    /// Objects that have their values already keep them; `refreshAllObjects()` makes them show the generation's.
    /// Saving, merging and `reset()` move a pinned context on to the generation that is current then. Stores that have
    /// no generations (in-memory stores, SQLite stores without a write-ahead log or opened for reading only) are read
    /// unpinned; when the coordinator has no others, the context stays unpinned. Call it on the context's queue.
    ///
    /// - Parameter generation: `NSQueryGenerationToken.current`, another context's ``queryGenerationToken``, or `nil`
    ///   to read the newest content again.
    /// - Throws: An error when the context has a parent, or when none of its stores can be read in the generation.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { try pinGeneration(generation) }
}

/// The kinds of queue a context can have.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: the context may be used on the thread that made it. Deprecated by Apple.
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The kinds of queue that a context can have.
    public struct ConcurrencyType: RawRepresentable, Hashable, Sendable {
        /// The type in Objective-C's spelling.
        public var rawValue: NSManagedObjectContextConcurrencyType

        /// Creates the kind that Objective-C's spelling names.
        ///
        /// - Parameter rawValue: The kind in Objective-C's spelling.
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
        /// A queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
    }
}
