import CoreDataEngine

/// What holds the values of one model: itself, until the model is inserted, then an object of the engine.
public final class ModelStorage {
    let type: any PersistentModel.Type
    /// The object that has the values; nil for a model that is in no context.
    private(set) var object: BackedObject? { didSet { pointer = object.map { .passUnretained($0) } } }
    /// The object without a reference to count.
    @exclusivity(unchecked)
    private var pointer: Unmanaged<BackedObject>?
    private(set) var context: ModelContext?
    /// Whether those who read a property are noted.
    @exclusivity(unchecked)
    public private(set) final var _isObserved = true
    /// Whether the model was in a store and is no longer.
    private(set) var isGone = false
    /// Whether an accessor of the model changes a property, which it says itself.
    private var isMutating = false
    /// The model that shows the values.
    weak var model: (any PersistentModel)?
    private var registrar: ObservationRegistrar?
    private var rest: Rest?

    /// What most models of a store never need.
    private final class Rest {
        var values: [String: Any] = [:]
        var lists: [String: AnyObject] = [:]
        var countsBeforeChange: [String: Int] = [:]
        var looseIdentifier: PersistentIdentifier?
        var lastIdentifier: PersistentIdentifier?
        var hashNumber: Int64?
    }

    private func madeRest() -> Rest {
        if let rest { return rest }
        let made = Rest()
        rest = made
        return made
    }

    init(of type: any PersistentModel.Type) { self.type = type }

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
        let made = PersistentIdentifier(looseOf: Schema.entityName(ofType: type))
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

    /// Reads something of the object, if there is one.
    @inline(__always)
    func withObject<Result>(_ body: (BackedObject) -> Result?) -> Result? {
        guard let pointer else { return nil }
        return pointer._withUnsafeGuaranteedRef(body)
    }

    // MARK: Life

    func attach(_ object: BackedObject, in context: ModelContext) {
        self.object = object
        self.context = context
        _isObserved = context.observesModels
        object.storage = self
        isGone = false
        if registrar != nil { object.changeObserver = makeObserver() }
    }

    /// Takes the values out of the object, which is about to go.
    func keepValues() {
        guard let object else { return }
        for slot in ModelDescriptor.of(type).slots {
            if let value = slot.loadAny(object, self) { values[slot.name] = value }
        }
        madeRest().lastIdentifier = PersistentIdentifier(object.objectID)
    }

    /// Leaves the context with the values that `keepValues` took.
    ///
    /// - Parameter isGone: Whether the row is deleted; otherwise the model is as one that was never inserted.
    func detach(isGone: Bool) {
        object?.storage = nil
        object?.changeObserver = nil
        object = nil
        dropLists()
        context = nil
        _isObserved = true
        self.isGone = isGone
        if !isGone { rest?.lastIdentifier = nil }
    }

    // MARK: Observation

    /// Notes that a property is read.
    public func _access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
        guard _isObserved else { return }
        let registrar = self.registrar ?? makeRegistrar()
        registrar.access(model, keyPath: keyPath)
    }

    private func makeRegistrar() -> ObservationRegistrar {
        let made = ObservationRegistrar()
        registrar = made
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
        return try registrar.withMutation(of: model, keyPath: keyPath, mutation)
    }

    /// Says that a property that is an array is about to be changed in place.
    func willMutate<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
        registrar?.willSet(model, keyPath: keyPath)
    }

    /// Takes over an array that was changed in place.
    func didMutate<Model: PersistentModel, Value>(
        _ model: Model, _ keyPath: KeyPath<Model, Value>, _ store: () -> Void
    ) {
        let was = isMutating
        isMutating = true
        store()
        isMutating = was
        registrar?.didSet(model, keyPath: keyPath)
    }

    /// Says that a property, or any if the name is `nil`, is changed by other means than its accessor.
    private func objectWillChange(_ name: String?) {
        guard !isMutating, registrar != nil, let model else { return }
        notify(model, name)
    }

    private func notify<Model: PersistentModel>(_ model: Model, _ name: String?) {
        let keyPaths = ModelDescriptor.of(type).keyPaths
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
                registrar?.willSet(model, keyPath: keyPath)
                registrar?.didSet(model, keyPath: keyPath)
            }
            _openExistential(Swift.type(of: keyPath).valueType, do: open)
        }
        if let root = Swift.type(of: keyPath).rootType as? any PersistentModel.Type { open(root) }
    }
}

/// The engine's object of a model.
final class BackedObject: NSManagedObject {
    /// What the model of the object keeps; nil while the object has none.
    weak var storage: ModelStorage?

    /// An object of a context of models.
    @inline(__always)
    static func of(_ object: NSManagedObject) -> BackedObject? {
        // No class is below this one, so that there is nothing to look up.
        type(of: object) == BackedObject.self ? unsafeDowncast(object, to: BackedObject.self) : nil
    }
}
