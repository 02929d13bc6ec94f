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
    // Each of these owns one part of the context's state; the properties below read and change it through them.
    // Exclusivity is not checked at run time where `@exclusivity(unchecked)` stands: no access to these calls back into
    // the context while it lasts.
    @exclusivity(unchecked) private final var settings = ContextSettings()
    @exclusivity(unchecked) final var options = ContextOptions()
    /// Set only while the context is made.
    @exclusivity(unchecked) private(set) final var contextQueue: ContextQueue
    @exclusivity(unchecked) final var source = ContextSource()
    @exclusivity(unchecked) final var registry = ObjectRegistry(model: nil)
    @exclusivity(unchecked) final var retained = RetainedObjects()
    @exclusivity(unchecked) final var objectClasses = ObjectClasses()
    @exclusivity(unchecked) final var changeTracker = ChangeTracker()
    @exclusivity(unchecked) final var failures = ContextFailures()
    @exclusivity(unchecked) final var activity = ContextActivity()
    /// Temporary identities that have become, or will become, permanent ones.
    @exclusivity(unchecked) final var identities = PermanentIdentities()
    final let identityChanges = IdentityChanges()
    final let observers = ContextObservers()
    private final let handle = WeakHandle<NSManagedObjectContext>()
    final var weakHandle: WeakHandle<NSManagedObjectContext> { handle.bound(to: self) }
    /// What records changes for the undo manager; `nil` without one.
    final var undoRecorder: UndoRecorder? {
        didSet { connectRegistry() }
    }

    /// Which kind of queue the context has.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { kind }
    /// A name for messages.
    open var name: String? {
        get { settings.name }
        set { settings.name = newValue }
    }
    /// Who saves, for the history of a store.
    open var transactionAuthor: String? {
        get { settings.transactionAuthor }
        set { settings.transactionAuthor = newValue }
    }
    /// Whatever the application wants to keep here.
    open var userInfo: NSMutableDictionary { settings.userInfo }
    /// What to do about conflicts: an `NSMergePolicy`. Fails the save by default.
    open var mergePolicy: Any {
        get { settings.mergePolicy }
        set { settings.mergePolicy = newValue }
    }
    /// Whether to take over what the coordinator's other contexts, or the parent, save.
    ///
    /// May be read and set on any thread: other contexts read it when they save.
    open var automaticallyMergesChangesFromParent: Bool {
        get { observers.automaticMerging.isOn.load(ordering: .relaxed) }
        set { observers.automaticMerging.isOn.store(newValue, ordering: .relaxed) }
    }
    /// Whether delete rules are applied when changes are processed; otherwise with the save.
    open var propagatesDeletesAtEndOfEvent: Bool {
        get { settings.propagatesDeletesAtEndOfEvent }
        set { settings.propagatesDeletesAtEndOfEvent = newValue }
    }
    /// Whether an object whose row is found to be gone becomes one that is deleted: its values are nil or 0, it is
    /// among `deletedObjects`, is not validated, and leaves the context with the next save. Otherwise the next fetch or
    /// save throws Core Data error 133000, which names it.
    open var shouldDeleteInaccessibleFaults: Bool {
        get { settings.shouldDeleteInaccessibleFaults }
        set { settings.shouldDeleteInaccessibleFaults = newValue }
    }
    /// How old, in seconds, values in memory may be when a fault fires. Negative: any age.
    open var stalenessInterval: TimeInterval {
        get { settings.stalenessInterval }
        set {
            settings.stalenessInterval = newValue
            registry.watchesAge = newValue >= 0
        }
    }
    /// Whether registered objects stay alive without other references.
    open var retainsRegisteredObjects: Bool {
        get { retained.isOn }
        set { if newValue { retained.start(with: registry.objects()) } else { retained.stop() } }
    }

    /// Creates a context without a coordinator or parent. Set one of them before you use it.
    ///
    /// The kind can't be changed later. A context without a coordinator or parent has no model: entities aren't found
    /// by name, and a fetch throws `NSCoreDataError`.
    ///
    /// - Parameter concurrencyType: The kind of queue that the context has.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        contextQueue = ContextQueue(concurrencyType)
        super.init()
        connectRegistry()
    }

    /// Creates a context, without a coordinator or parent, that has the queue of another one: their blocks run one after
    /// the other, and a thread that runs one needn't be woken up for the next.
    package convenience init(sharingQueueOf other: NSManagedObjectContext) {
        self.init(concurrencyType: other.kind)
        contextQueue = ContextQueue(other.kind, sharing: other.queue)
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
        source.coordinator?.contexts.remove(self)
        source.parent?.observers.children.remove(self)
    }

    /// Lets go of all objects as the context's end does, on its queue, so that it can serve for another block.
    package final func endBlock() {
        // What has no object can serve the next block too.
        if !registry.isEmpty {
            for object in registry.objects() { object.releaseDestinations() }
            registry.disconnect()
            registry = ObjectRegistry(model: coordinator?.managedObjectModel, layout: layout)
            connectRegistry()
        }
        undoRecorder?.manager.removeAllActions(withTarget: self)
        undoRecorder = nil
        changeTracker.reset()
        changeTracker = ChangeTracker()
        retained.removeAll()
        observers.forgetNotes()
        source.cohorts.removeAll()
        failures.reset()
        identities = PermanentIdentities()
        activity.savedTransactions = [:]
    }

    /// Makes a context whose block has ended, and that only the caller has, as it was when it was made.
    ///
    /// - Returns: Whether it could: not where the block has given it other stores.
    package final func renew(for owner: NSPersistentStoreCoordinator) -> Bool {
        guard coordinator === owner, source.parent == nil, registry.isEmpty, !observers.hasTrackers else {
            return false
        }
        source.pin = .none
        observers.onFetch = nil
        settings.reset()
        registry.watchesAge = false
        options.faultsFireForCohort = true
        if automaticallyMergesChangesFromParent { automaticallyMergesChangesFromParent = false }
        if retained.isOn { retained.stop() }
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
        get { coordinator ?? source.parent?.persistentStoreCoordinator }
        set {
            programmerError(
                unless:
                    source.parent == nil || newValue == nil, "A context with a parent has the parent's coordinator.")
            source.coordinator?.contexts.remove(self)
            source.coordinator = newValue
            adoptModel(newValue)
            newValue?.contexts.add(self)
        }
    }

    /// The context that this one fetches from and saves into.
    open var parent: NSManagedObjectContext? {
        get { source.parent }
        set {
            programmerError(
                unless:
                    newValue?.kind != .confinementConcurrencyType, "A parent context needs a queue of its own.")
            programmerError(
                unless: coordinator == nil || newValue == nil, "A context has either a coordinator or a parent.")
            source.parent?.observers.children.remove(self)
            source.parent = newValue
            adoptModel(newValue?.persistentStoreCoordinator)
            newValue?.observers.children.add(self)
        }
    }

    /// Gives the registry what its objects need to know of the context.
    private func connectRegistry() {
        registry.context = self
        registry.watchesAge = stalenessInterval >= 0
        registry.seesEachChange = contextQueue.stopsMisuse || undoRecorder != nil
    }

    private func adoptModel(_ coordinator: NSPersistentStoreCoordinator?) {
        registry.disconnect()
        registry = ObjectRegistry(model: coordinator?.managedObjectModel, layout: coordinator?.layout)
        connectRegistry()
        objectClasses.adopt(coordinator?.layout)
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

// The parts that most of the engine uses, by short names.
extension NSManagedObjectContext {
    final var kind: NSManagedObjectContextConcurrencyType { contextQueue.kind }
    package final var queue: SerialQueue { contextQueue.queue }
    package final var coordinator: NSPersistentStoreCoordinator? { source.coordinator }
    package final var layout: ModelLayout? { objectClasses.layout }
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
