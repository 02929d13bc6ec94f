import CoreDataEngine

/// What holds the values of one model: itself, until the model is inserted, then an object of the engine.
public final class ModelStorage {
    /// What is known of the model's class; it is kept for good.
    unowned(unsafe) let descriptor: ModelDescriptor
    // Both are retained here by hand: accessors read them without counting references.
    @exclusivity(unchecked) private var heldObject: Unmanaged<BackedObject>?
    @exclusivity(unchecked) private var heldContext: Unmanaged<ModelContext>?
    /// Whether those who read a property are noted.
    @exclusivity(unchecked)
    public private(set) final var _isObserved = true
    /// Whether the model was in a store and is no longer.
    private(set) var isGone = false
    /// Whether an accessor of the model changes a property, which it says itself.
    private var isMutating = false
    /// Where the model stands among those that keep others alive.
    var keeping = KeepingState()
    @exclusivity(unchecked) private var rest: Rest?

    /// What most models of a store never need.
    private final class Rest {
        /// The model, where no object refers to it.
        @exclusivity(unchecked) var looseModel = MemoryReference()
        @exclusivity(unchecked) var registrar: Registrar?
        var values: [String: Any] = [:]
        var lists: [String: AnyObject] = [:]
        var toOnes: [String: any PersistentModel] = [:]
        var standIns: [String: any PersistentModel] = [:]
        var countsBeforeChange: [String: Int] = [:]
        var looseIdentifier: PersistentIdentifier?
        var lastIdentifier: PersistentIdentifier?
        var hashNumber: Int64?
        var joinedContext: ModelContext?
    }

    private func madeRest() -> Rest {
        if let rest { return rest }
        let made = Rest()
        if heldObject == nil { made.values.reserveCapacity(descriptor.slots.count) }
        rest = made
        return made
    }

    private var registrar: Registrar? { rest?.registrar }

    convenience init(of type: any PersistentModel.Type) { self.init(ModelDescriptor.of(type)) }

    init(_ descriptor: ModelDescriptor) { self.descriptor = descriptor }

    /// The storage of a model that is about to be made for an object.
    init(_ descriptor: ModelDescriptor, _ object: BackedObject, in context: ModelContext) {
        self.descriptor = descriptor
        heldObject = .passRetained(object)
        heldContext = .passRetained(context)
        _isObserved = context.observesModels
    }

    deinit {
        heldObject?.release()
        heldContext?.release()
    }

    var type: any PersistentModel.Type { descriptor.type }

    /// The object that has the values; nil for a model that is in no context.
    var object: BackedObject? { heldObject?.takeUnretainedValue() }
    var context: ModelContext? { heldContext?.takeUnretainedValue() }

    /// The model that shows the values.
    var model: (any PersistentModel)? {
        let found = if let object { object.model.object } else { rest?.looseModel.object }
        return found.flatMap(descriptor.model)
    }

    /// Notes which model shows the values; its object has none yet.
    ///
    /// - Parameter model: The model.
    public func _show(_ model: AnyObject) {
        if let heldObject {
            heldObject._withUnsafeGuaranteedRef { $0.model.set(model) }
        } else {
            madeRest().looseModel.set(model)
        }
    }

    /// The values by names, while no object has them.
    var values: [String: Any] {
        get { rest?.values ?? [:] }
        _modify { yield &madeRest().values }
    }

    /// The members of to-manys as arrays, by the names of the properties.
    var lists: [String: AnyObject] {
        get { rest?.lists ?? [:] }
        _modify { yield &madeRest().lists }
    }

    /// The models that to-ones lead to, where nothing else may keep them, by the names of the properties.
    var toOnes: [String: any PersistentModel] {
        get { rest?.toOnes ?? [:] }
        _modify { yield &madeRest().toOnes }
    }

    /// The context of a model that the initializer assigned before that of the superclass.
    var joinedContext: ModelContext? {
        get { rest?.joinedContext }
        set { if newValue != nil || rest != nil { madeRest().joinedContext = newValue } }
    }

    /// A model in no context that is read where a to-one without optional has none: the same each time.
    func standIn<Model: PersistentModel>(for name: String) -> Model {
        if let known = rest?.standIns[name] as? Model { return known }
        let storage = ModelStorage(of: Model.self)
        // Its values are those that stand for missing ones.
        storage.isGone = true
        let model = Model(backingData: ModelBackingData<Model.Root>(storage))
        storage._show(model)
        madeRest().standIns[name] = model
        return model
    }

    /// How many members the arrays had that are being changed, by the names of the properties.
    var countsBeforeChange: [String: Int] {
        get { rest?.countsBeforeChange ?? [:] }
        _modify { yield &madeRest().countsBeforeChange }
    }

    var identifier: PersistentIdentifier {
        if let object { return PersistentIdentifier(object.objectID) }
        return rest?.lastIdentifier ?? looseIdentifier
    }

    /// What the model was called before it had an object.
    private var looseIdentifier: PersistentIdentifier {
        let rest = madeRest()
        if let known = rest.looseIdentifier { return known }
        let made = PersistentIdentifier(looseOf: descriptor.entityName)
        rest.looseIdentifier = made
        return made
    }

    /// The number by which the model is hashed: that of its row where it had one at the first time.
    var hashNumber: Int64 {
        let rest = madeRest()
        if let known = rest.hashNumber { return known }
        let number = identifier.number
        rest.hashNumber = number
        return number
    }

    /// Forgets the values that an object has now.
    func dropValues() { rest?.values = [:] }

    /// Forgets the members of to-manys.
    func dropLists() { rest?.lists = [:] }

    /// Forgets the models that are kept alive.
    func dropKept() {
        rest?.lists = [:]
        rest?.toOnes = [:]
    }

    /// Reads something of the object, if there is one.
    @inline(__always)
    func withObject<Result>(_ body: (BackedObject) -> Result?) -> Result? {
        guard let heldObject else { return nil }
        return heldObject._withUnsafeGuaranteedRef(body)
    }

    // MARK: Life

    func attach(_ object: BackedObject, in context: ModelContext, for model: any PersistentModel) {
        object.model.set(model)
        hold(object, context)
        rest?.looseModel.set(nil)
        _isObserved = context.observesModels
        isGone = false
        if registrar != nil { object.changeObserver = makeObserver() }
    }

    private func hold(_ object: BackedObject?, _ context: ModelContext?) {
        let former = (heldObject, heldContext)
        heldObject = object.map { .passRetained($0) }
        heldContext = context.map { .passRetained($0) }
        former.0?.release()
        former.1?.release()
    }

    /// Takes the values out of the object, which is about to go.
    ///
    /// - Parameter withFiles: Whether values that may be in files of their own are read as well.
    func keepValues(withFiles: Bool = true) {
        guard let object else { return }
        for slot in descriptor.slots {
            if !withFiles, object.entity.attributesByName[slot.name]?.allowsExternalBinaryDataStorage == true {
                continue
            }
            if let value = slot.loadAny(object, self) { values[slot.name] = value }
        }
        madeRest().lastIdentifier = PersistentIdentifier(object.objectID)
    }

    /// Leaves the context with the values that `keepValues` took.
    ///
    /// - Parameter isGone: Whether the row is deleted; otherwise the model is as one that was never inserted.
    func detach(isGone: Bool) {
        madeRest().looseModel.set(model)
        object?.model.set(nil)
        object?.changeObserver = nil
        dropKept()
        hold(nil, nil)
        _isObserved = true
        self.isGone = isGone
        if !isGone { rest?.lastIdentifier = nil }
    }

    // MARK: Observation

    /// Whether a read has to be noted: the model is observed, or may be now.
    public func _isTracked() -> Bool {
        if registrar != nil { return true }
        guard let heldContext else { return true }
        return heldContext._withUnsafeGuaranteedRef { $0.isTracking }
    }

    /// Notes that a property is read.
    public func _access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
        guard _isObserved, _isTracked() else { return }
        (registrar ?? makeRegistrar()).value.access(model, keyPath: keyPath)
    }

    private func makeRegistrar() -> Registrar {
        let made = context?.probe?.takeRegistrar() ?? Registrar()
        madeRest().registrar = made
        object?.changeObserver = makeObserver()
        return made
    }

    private func makeObserver() -> ObjectChangeObserver {
        ObjectChangeObserver { [weak self] property in self?.objectWillChange(property) }
    }

    /// Changes a property, and says so to those who read it.
    public func _withMutation<Model: PersistentModel, Value, Result>(
        _ model: Model, _ keyPath: KeyPath<Model, Value>, _ mutation: () throws -> Result
    ) rethrows -> Result {
        guard let registrar else { return try mutation() }
        let was = isMutating
        isMutating = true
        defer { isMutating = was }
        return try registrar.value.withMutation(of: model, keyPath: keyPath, mutation)
    }

    /// Says that a property that is an array is about to be changed in place.
    func willMutate<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
        registrar?.value.willSet(model, keyPath: keyPath)
    }

    /// Takes over an array that was changed in place.
    func didMutate<Model: PersistentModel, Value>(
        _ model: Model, _ keyPath: KeyPath<Model, Value>, _ store: () -> Void
    ) {
        let was = isMutating
        isMutating = true
        store()
        isMutating = was
        registrar?.value.didSet(model, keyPath: keyPath)
    }

    /// Says that a property, or any if the name is `nil`, is changed by other means than its accessor.
    private func objectWillChange(_ name: String?) {
        guard !isMutating, registrar != nil, let model else { return }
        notify(model, name)
    }

    private func notify<Model: PersistentModel>(_ model: Model, _ name: String?) {
        let keyPaths = descriptor.keyPaths
        guard let name else {
            for keyPath in keyPaths.values { notify(model, keyPath) }
            return
        }
        if let keyPath = keyPaths[name] { notify(model, keyPath) }
    }

    private func notify<Model: PersistentModel>(_ model: Model, _ keyPath: AnyKeyPath) {
        // Those of a superclass have it as their root.
        func open<Root: PersistentModel>(_ root: Root.Type) {
            func open<Value>(_: Value.Type) {
                guard let keyPath = keyPath as? KeyPath<Root, Value>, let model = model as? Root else { return }
                registrar?.value.willSet(model, keyPath: keyPath)
                registrar?.value.didSet(model, keyPath: keyPath)
            }
            _openExistential(Swift.type(of: keyPath).valueType, do: open)
        }
        if let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type { open(root) }
    }
}

/// The engine's object of a model.
final class BackedObject: NSManagedObject {
    /// The model that shows the object; none while nothing holds one.
    @exclusivity(unchecked) var model = MemoryReference()

    override func prepareForDeletion() {
        if objectID.isTemporaryID, let storage { storage.context?.willWithdraw(storage) }
    }

    /// What the model of the object keeps; nil while the object has none.
    var storage: ModelStorage? { (model.object as? any PersistentModel)?._$modelStorage }

    /// An object of a context of models.
    @inline(__always)
    static func of(_ object: NSManagedObject) -> BackedObject? {
        // No class is below this one, so that there is nothing to look up.
        type(of: object) == BackedObject.self ? unsafeDowncast(object, to: BackedObject.self) : nil
    }

    /// The model, if there is one and it is of a class.
    @inline(__always)
    func liveModel<Model: PersistentModel>(as type: Model.Type) -> Model? {
        guard let found = model.object else { return nil }
        if ObjectIdentifier(Swift.type(of: found)) == ObjectIdentifier(type) {
            return unsafeDowncast(found, to: type)
        }
        return found as? Model
    }
}
