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
    private let policy: ModelMergePolicy
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
    private var refusals = Refusals()
    /// Models of new objects that are deleted.
    private var withdrawn: [ModelStorage] = []
    /// Models whose rows other models show as well.
    private(set) var twins = TwinTable()
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
        policy = ModelMergePolicy(mergesDuplicates: stack.mergesDuplicates)
        engine.mergePolicy = policy
        engine.keepsTransientValues = true
        policy.willLoseRow = { [unowned self] object in
            object.storage?.keepValues()
            for twin in twins.storages(of: CollectionOfOne(object)) { twin.keepValues() }
        }
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
        KeptTogether(held: gone).loosen()
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
        let updated = engine.updatedObjects
        // They may keep new models that the program doesn't hold.
        for object in updated { BackedObject.of(object)?.storage?.dropKept() }
        var leaving = keepValues(of: engine.insertedObjects, withFilesOfOthers: true)
        engine.rollback()
        // New models that a cascade has deleted are no longer among the inserted ones.
        let known = Set(leaving.all.map(ObjectIdentifier.init))
        leaving.held += withdrawn.filter { storage in
            !known.contains(ObjectIdentifier(storage)) && storage.object.map { $0.managedObjectContext == nil } ?? false
        }
        leaving.leave(isGone: false)
        refusals = Refusals()
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

    /// Notes what is wrong with a value; the next save throws it, unless the property gets another value before.
    func refuse(_ error: any Error, _ object: BackedObject? = nil, _ property: String? = nil) {
        refusals.append(error, object, property)
    }

    /// Notes that a property got a value that can be saved.
    func accept(_ object: BackedObject, _ property: String) { refusals.remove(object, property) }

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
        let refused = refusals.first
        refusals = Refusals()
        if let refused { throw refused }
        try write()
    }

    private func write() throws {
        guard engine.hasChanges else { return }
        NotificationCenter.default.post(name: Self.willSave, object: self)
        processPendingChanges()
        var deleted = engine.deletedObjects
        let leaving = keepValues(of: deleted, withFilesOfOthers: false)
        var inserted = engine.insertedObjects
        var updated = engine.updatedObjects
        do {
            try engine.save()
        } catch {
            _ = joinDuplicates()
            throw error
        }
        let joined = joinDuplicates()
        deleted.formUnion(joined.gone)
        inserted.subtract(joined.joining)
        updated.formUnion(joined.kept.subtracting(inserted))
        updated.subtract(joined.gone)
        leaving.leave(isGone: true)
        NotificationCenter.default.post(
            name: Self.didSave, object: self,
            userInfo: [
                NotificationKey.insertedIdentifiers.rawValue: Self.identifiers(inserted),
                NotificationKey.updatedIdentifiers.rawValue: Self.identifiers(updated),
                NotificationKey.deletedIdentifiers.rawValue: Self.identifiers(deleted),
            ])
    }

    /// What a save made of objects with the same unique values.
    private struct Joined {
        /// Those that have the rows.
        var kept: Set<NSManagedObject> = []
        /// Those that are new, and whose models show the rows of others or took these over.
        var joining: Set<NSManagedObject> = []
        /// Those whose rows are gone.
        var gone: Set<NSManagedObject> = []
    }

    /// Has the models of new objects show the rows that they became part of, and those of rows that went to others leave.
    private func joinDuplicates() -> Joined {
        var joined = Joined()
        var followers: Set<ObjectIdentifier> = []
        for objects in policy.takeDuplicates() {
            for object in objects where object.managedObjectContext != nil { object.storage?.dropValues() }
            guard let kept = objects.first(where: { $0.managedObjectContext != nil && !$0.objectID.isTemporaryID })
            else { continue }
            joined.kept.insert(kept)
            for object in objects where object.managedObjectContext == nil {
                if object.objectID.isTemporaryID {
                    joined.joining.insert(object)
                    guard let storage = object.storage else { continue }
                    followers.insert(ObjectIdentifier(storage))
                    storage.follow(kept, twins.group(of: kept), in: self)
                } else if object.objectID == kept.objectID {
                    // The row was there, and the new object has taken it over.
                    joined.joining.insert(kept)
                } else {
                    joined.gone.insert(object)
                }
            }
        }
        if !followers.isEmpty { withdrawn.removeAll { followers.contains(ObjectIdentifier($0)) } }
        let lost = joined.gone.compactMap { BackedObject.of($0)?.storage }
        Leaving(held: lost + others(of: joined.gone, besides: lost)).leave(isGone: true)
        return joined
    }

    /// Models that are about to leave the context.
    private struct Leaving {
        /// Those that the program may hold.
        var held: [ModelStorage] = []
        /// Those that were made because the others refer to them.
        var others: [ModelStorage] = []

        var all: [ModelStorage] { held + others }

        /// Has the models leave with the values that they kept.
        func leave(isGone: Bool) {
            KeptTogether(held: held, others: others).loosen()
            for storage in all { storage.detach(isGone: isGone) }
        }
    }

    /// The models of the same rows.
    private func others(of objects: Set<NSManagedObject>, besides known: [ModelStorage]) -> [ModelStorage] {
        let others = twins.storages(of: objects)
        if others.isEmpty { return [] }
        let known = Set(known.map(ObjectIdentifier.init))
        return others.filter { !known.contains(ObjectIdentifier($0)) }
    }

    /// Has the models of objects that are about to go keep their values.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - withFilesOfOthers: Whether values that may be in files are read of models, too, that the program doesn't hold.
    private func keepValues(of objects: Set<NSManagedObject>, withFilesOfOthers: Bool) -> Leaving {
        // Otherwise it isn't known which models the program holds.
        for object in objects { BackedObject.of(object)?.storage?.dropKept() }
        var queue = objects.compactMap { BackedObject.of($0)?.storage }
        queue += others(of: objects, besides: queue)
        let heldCount = queue.count
        var known = Set(queue.map(ObjectIdentifier.init))
        var index = 0
        while index < queue.count {
            let storage = queue[index]
            // What no program has held yet isn't worth reading its files for.
            storage.keepValues(withFiles: index < heldCount || withFilesOfOthers)
            // Values are models, too: reading them makes the models of other objects that go.
            for other in storage.keptModels where !known.contains(ObjectIdentifier(other)) {
                guard let object = other.object, objects.contains(object) else { continue }
                known.insert(ObjectIdentifier(other))
                queue.append(other)
            }
            index += 1
        }
        return Leaving(held: Array(queue[..<heldCount]), others: Array(queue[heldCount...]))
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
