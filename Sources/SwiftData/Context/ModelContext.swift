import CoreDataEngine

/// Where models are fetched, made, changed and deleted, until the changes are saved together.
///
/// A context belongs to one actor or thread, and so do its models.
public final class ModelContext: Equatable, SendableMetatype {
    /// Where the models are kept.
    public var container: ModelContainer { heldContainer ?? stack.container }
    /// What the context works with of its container.
    let stack: ModelStack
    /// Nil in the main context, which the container keeps: the two would keep each other.
    private let heldContainer: ModelContainer?
    let engine: NSManagedObjectContext
    let observesModels: Bool
    /// Finds out whether reads are being noted; nil where that has to be assumed.
    let probe: ObservationProbe?
    private let isMain: Bool
    /// Whether the main context saves changes at the end of the main queue's turn.
    ///
    /// Unsaved changes are saved as well when it is set. An automatic save that fails leaves its changes in the context,
    /// and is tried again after the next change. Other contexts belong to no queue: they save with ``save()`` alone,
    /// whatever the value is.
    public var autosaveEnabled: Bool {
        didSet { if autosaveEnabled, engine.hasChanges { noteChange() } }
    }
    private var isSaveDue = false
    /// What is wrong with values that were set; the next save throws it.
    private var refusals: [Refusal] = []
    /// Models of new objects that are deleted.
    private var withdrawn: [ModelStorage] = []
    /// Follow what the undo manager does.
    private var undoSubscriptions: [Subscription] = []
    /// What keeps arrays of models that may have arrays themselves: one at a time, or models would keep each other.
    private weak var listOwner: ModelStorage?

    /// Creates a context that doesn't save automatically.
    ///
    /// Use it where it was created. The container's main context is the one of the main actor.
    ///
    /// - Parameter container: The stores.
    public convenience init(_ container: ModelContainer) { self.init(container.stack, container) }

    /// The main context of a container.
    convenience init(mainOf stack: ModelStack) { self.init(stack, nil) }

    private init(_ stack: ModelStack, _ container: ModelContainer?) {
        self.stack = stack
        heldContainer = container
        isMain = container == nil
        autosaveEnabled = isMain
        observesModels = stack.observesModels
        probe = observesModels && ObservationProbe.works ? ObservationProbe() : nil
        engine = NSManagedObjectContext(
            concurrencyType: isMain ? .mainQueueConcurrencyType : .confinementConcurrencyType)
        engine.persistentStoreCoordinator = stack.coordinator
        engine.mergePolicy = ModelMergePolicy(mergesDuplicates: stack.mergesDuplicates)
        engine.keepsTransientValues = true
    }

    /// Whether reads are being noted on this thread, or may be.
    var isTracking: Bool { probe?.isTracking ?? true }

    /// Whether two contexts are the same object.
    ///
    /// - Parameters:
    ///   - lhs: A context.
    ///   - rhs: Another context.
    public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }

    /// The author that the history records for saves of this context.
    public var author: String? {
        get { engine.transactionAuthor }
        set { engine.transactionAuthor = newValue }
    }

    /// The undo manager that records the changes, or `nil`, the default, if they can't be undone.
    public var undoManager: UndoManager? {
        get { engine.undoManager }
        set {
            engine.undoManager = newValue
            followUndo()
        }
    }

    /// Has the main context save what is undone and redone, which no accessor says.
    private func followUndo() {
        guard isMain, let manager = engine.undoManager else {
            undoSubscriptions = []
            return
        }
        let reference = ObserverReference(self)
        let names: [Notification.Name] = [.NSUndoManagerDidUndoChange, .NSUndoManagerDidRedoChange]
        undoSubscriptions = names.map { name in
            let subscription = Subscription()
            subscription.start(name, manager) { _ in reference.observer?.noteChange() }
            return subscription
        }
    }

    // MARK: Changes

    /// Whether there are changes that were not saved.
    public var hasChanges: Bool { engine.hasChanges }

    /// The models that are new with the next save.
    public var insertedModelsArray: [any PersistentModel] { models(of: engine.insertedObjects) }
    /// The models that are changed with the next save.
    public var changedModelsArray: [any PersistentModel] { models(of: engine.updatedObjects) }
    /// The models that are deleted with the next save.
    public var deletedModelsArray: [any PersistentModel] { models(of: engine.deletedObjects) }

    private func models(of objects: Set<NSManagedObject>) -> [any PersistentModel] {
        objects.sorted { $0.objectID.reference < $1.objectID.reference }
            .compactMap { ($0 as? BackedObject).flatMap(model(of:)) }
    }

    /// Adds a model, and the models that it refers to.
    ///
    /// The next save writes it, or throws if the model is in another context or its class isn't in the schema.
    ///
    /// - Parameter model: The model.
    public func insert<T: PersistentModel>(_ model: T) { insertAny(model) }

    func insertAny(_ model: any PersistentModel) {
        let storage = _storage(of: model)
        if storage.context === self { return takeBackDeletion(of: storage) }
        guard storage.object == nil else {
            refuse(
                SwiftDataError(
                    .missingModelContext,
                    "A \(storage.identifier.entityName) that is in one context is inserted into another one."))
            return
        }
        let name = storage.descriptor.entityName
        guard let entity = stack.model.entitiesByName[name] else {
            refuse(SwiftDataError(.unknownSchema, "The container's schema has no entity \(name)."))
            return
        }
        let object = BackedObject(entity: entity, insertInto: engine)
        let values = storage.values
        storage.attach(object, in: self, for: model)
        storage.dropValues()
        for slot in storage.descriptor.slots {
            guard let kept = values[slot.name] else { continue }
            let models = (kept as? KeptTogether.Loosened)?.models
            let value: Any? = if let models { slot.anyValue(of: models) } else { kept }
            if let value { slot.transfer(value, to: object, storage) }
        }
        noteChange()
    }

    private func takeBackDeletion(of storage: ModelStorage) {
        guard let object = storage.object, object.isDeleted else { return }
        engine.insert(object)
        noteChange()
    }

    /// Deletes a model with the next save. Its values stay readable.
    ///
    /// Nothing happens if the model isn't in this context.
    ///
    /// - Parameter model: The model.
    public func delete<T: PersistentModel>(_ model: T) {
        guard let storage = model._$modelStorage, storage.context === self, let object = storage.object else { return }
        delete(object)
        noteChange()
    }

    private func delete(_ object: NSManagedObject) {
        engine.delete(object)
        guard object.objectID.isTemporaryID else { return }
        // What goes with it finds its model as long as that is in the context.
        engine.processPendingChanges()
        detachWithdrawn()
    }

    /// Has the model of a new object keep its values: the object is about to be deleted, and no save will say so.
    func willWithdraw(_ storage: ModelStorage) {
        storage.keepValues()
        withdrawn.append(storage)
    }

    private func detachWithdrawn() {
        if withdrawn.isEmpty { return }
        // An undone deletion leaves the model where it is.
        let gone = withdrawn.filter { $0.object.map { $0.isDeleted || $0.managedObjectContext == nil } ?? false }
        withdrawn = []
        KeptTogether(gone).loosen()
        for storage in gone { storage.detach(isGone: true) }
    }

    /// Deletes the models that match a predicate with the next save.
    ///
    /// The models are fetched for it, and unsaved ones count. With a `nil` predicate, all models of the class are
    /// deleted.
    ///
    /// ```swift
    /// try context.delete(model: Book.self, where: #Predicate { $0.pages == 0 })
    /// try context.save()
    /// ```
    ///
    /// - Parameters:
    ///   - model: The class.
    ///   - predicate: The condition, or `nil` for all models of the class.
    ///   - includeSubclasses: Whether models of subclasses are deleted as well.
    /// - Throws: What fetching the models throws.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        let request = try request(for: FetchDescriptor<T>(predicate: predicate))
        request.request.includesSubentities = includeSubclasses
        for object in try objects(request) { delete(object) }
        noteChange()
    }

    /// Takes back all changes since the last save. Models that were inserted are as before.
    ///
    /// Models that were inserted are in no context afterwards, and keep their values. An error that the next save would
    /// have thrown for a value is forgotten.
    public func rollback() {
        let inserted = engine.insertedObjects.compactMap { ($0 as? BackedObject)?.storage }
        let updated = engine.updatedObjects
        for storage in inserted { storage.keepValues() }
        engine.rollback()
        for storage in inserted { storage.detach(isGone: false) }
        // New models that a cascade has deleted are no longer among the inserted ones.
        for storage in withdrawn where storage.object.map({ $0.managedObjectContext == nil }) ?? false {
            storage.detach(isGone: false)
        }
        refusals = []
        withdrawn = []
        NotificationCenter.default.post(
            name: Self.didRollBack, object: self,
            userInfo: [NotificationKey.updatedIdentifiers.rawValue: Self.identifiers(updated)])
    }

    /// Does what is left to do after changes, such as the other ends of relationships.
    ///
    /// A save does it by itself. Call it to have changes of relationships, and observers of the context, up to date
    /// before that.
    public func processPendingChanges() {
        engine.processPendingChanges()
        detachWithdrawn()
    }

    /// Runs a block and saves, or takes the changes back if the block throws.
    ///
    /// Changes that were made before the block are saved, or taken back, as well. If saving fails, the changes stay in
    /// the context.
    ///
    /// ```swift
    /// try context.transaction {
    ///     context.insert(Book(title: "Momo"))
    /// }
    /// ```
    ///
    /// - Parameter block: The changes.
    /// - Throws: What the block or the save throws.
    public func transaction(block: () throws -> Void) throws {
        do {
            try block()
        } catch {
            rollback()
            throw error
        }
        try save()
    }

    /// Notes that a model is going to keep the members of a to-many as an array.
    func willKeepList<Model: PersistentModel>(of type: Model.Type, _ storage: ModelStorage) {
        guard listOwner !== storage,
            stack.entitiesWithToManys.contains(ModelDescriptor.of(type).entityName)
        else { return }
        listOwner?.dropLists()
        listOwner = storage
        storage.keeping.endMembership()
    }

    /// What can't be saved, with the property that has no value because of it.
    private struct Refusal {
        let error: any Error
        let object: BackedObject?
        let property: String?

        /// Whether the object is to be saved.
        var holds: Bool { object.map { $0.managedObjectContext != nil && !$0.isDeleted } ?? true }
    }

    /// Notes what is wrong with a value; the next save throws it, unless the property gets another value before.
    func refuse(_ error: any Error, _ object: BackedObject? = nil, _ property: String? = nil) {
        refusals.append(Refusal(error: error, object: object, property: property))
    }

    /// Notes that a property got a value that can be saved.
    func accept(_ object: BackedObject, _ property: String) {
        if refusals.isEmpty { return }
        refusals.removeAll { $0.object === object && $0.property == property }
    }

    // MARK: Saving

    /// Saves all changes.
    ///
    /// Without changes nothing happens, and no notification is posted. ``willSave`` is posted before and ``didSave``
    /// after the save. Changes of this context win over those of others, property by property, but not over a deletion.
    /// What an automatic save couldn't write is still a change, and the next call throws what is wrong with it.
    ///
    /// - Throws: What is wrong with a value, or why the store can't be written. Nothing is saved then. The error about
    ///   a value is thrown once.
    public func save() throws {
        let refused = refusals.first(where: \.holds)
        refusals = []
        if let refused { throw refused.error }
        try write()
    }

    private func write() throws {
        guard engine.hasChanges else { return }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        processPendingChanges()
        let deleted = engine.deletedObjects
        let leaving = keepValues(of: deleted)
        let saved = SavedIdentifiers(of: engine)
        try engine.save()
        KeptTogether(leaving).loosen()
        for storage in leaving { storage.detach(isGone: true) }
        NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: saved.posted)
    }

    /// Has the models of objects that are about to go keep their values.
    private func keepValues(of objects: Set<NSManagedObject>) -> [ModelStorage] {
        var leaving: [ObjectIdentifier: ModelStorage] = [:]
        // Values are models, too: reading them makes the models of other objects that go.
        var isFirst = true
        while true {
            let new = objects.compactMap { BackedObject.of($0)?.storage }.filter {
                leaving[ObjectIdentifier($0)] == nil
            }
            if new.isEmpty { return Array(leaving.values) }
            for storage in new { leaving[ObjectIdentifier(storage)] = storage }
            // What no program has held yet isn't worth reading its files for.
            for storage in new { storage.keepValues(withFiles: isFirst) }
            isFirst = false
        }
    }

    private static func identifiers(_ objects: Set<NSManagedObject>) -> [PersistentIdentifier] {
        objects.map { PersistentIdentifier($0.objectID) }.sorted()
    }

    /// Posted before a save, with the context as object.
    public static let willSave = Notification.Name("NSManagedObjectContextWillSaveModels")
    /// Posted after a save, with the context as object and identifiers of models under the keys of `NotificationKey`.
    public static let didSave = Notification.Name("NSManagedObjectContextDidSaveModels")

    /// Posted after changes were taken back, for observers.
    static let didRollBack = Notification.Name("NSManagedObjectContextDidRollBackModels")

    /// The keys of what the notifications say.
    public enum NotificationKey: String {
        case queryGeneration, invalidatedAllIdentifiers, insertedIdentifiers, updatedIdentifiers, deletedIdentifiers
    }

    /// Notes a change that is to be saved at the end of the turn.
    func noteChange() {
        guard autosaveEnabled, isMain, !isSaveDue else { return }
        isSaveDue = true
        // The main context is used on the main queue only.
        nonisolated(unsafe) let context = self
        DispatchQueue.main.async { context.autosave() }
    }

    private func autosave() {
        isSaveDue = false
        guard autosaveEnabled else { return }
        // What fails is still a change, and save() throws what is wrong with it.
        try? write()
    }
}

/// Changes here win over changes elsewhere, but not over a deletion.
// @unchecked Sendable because its state is a constant.
final class ModelMergePolicy: NSMergePolicy, @unchecked Sendable {
    private let mergesDuplicates: Bool

    init(mergesDuplicates: Bool) {
        self.mergesDuplicates = mergesDuplicates
        super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        if !mergesDuplicates { return try NSMergePolicy.error.resolve(constraintConflicts: list) }
        try super.resolve(constraintConflicts: list)
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let (deleted, changed) = (list.filter { $0.newVersionNumber == 0 }, list.filter { $0.newVersionNumber != 0 })
        if !deleted.isEmpty { try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: deleted) }
        if !changed.isEmpty { try super.resolve(optimisticLockingConflicts: changed) }
    }
}
