import CoreDataEngine

/// What holds the values of one model: itself, until the model is inserted, then an object of the engine.
public final class ModelStorage {
    let type: any PersistentModel.Type
    /// The object that has the values; nil for a model that is in no context.
    var object: BackedObject?
    private(set) var context: ModelContext?
    /// The values by names, while no object has them.
    var values: [String: Any] = [:]
    /// Whether the model was in a store and is no longer.
    private(set) var isGone = false
    /// The model that shows the values.
    weak var model: (any PersistentModel)?
    /// The members of to-manys as arrays, by the names of the properties.
    var lists: [String: AnyObject] = [:]
    /// How many members the arrays had that are being changed, by the names of the properties.
    var countsBeforeChange: [String: Int] = [:]
    private var registrar: ObservationRegistrar?
    /// Whether an accessor of the model changes a property, which it says itself.
    private var isMutating = false
    /// What the model was called before it had an object.
    private lazy var looseIdentifier = PersistentIdentifier(looseOf: Schema.entityName(ofType: type))
    private var lastIdentifier: PersistentIdentifier?
    /// The number by which the model is hashed: that of its row where it had one at the first time.
    private(set) lazy var hashNumber = identifier.number

    init(of type: any PersistentModel.Type) { self.type = type }

    var identifier: PersistentIdentifier {
        if let object { return PersistentIdentifier(object.objectID) }
        return lastIdentifier ?? looseIdentifier
    }

    // MARK: Life

    func attach(_ object: BackedObject, in context: ModelContext) {
        self.object = object
        self.context = context
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
        lastIdentifier = PersistentIdentifier(object.objectID)
    }

    /// Leaves the context with the values that `keepValues` took.
    ///
    /// - Parameter isGone: Whether the row is deleted; otherwise the model is as one that was never inserted.
    func detach(isGone: Bool) {
        object?.storage = nil
        object?.changeObserver = nil
        object = nil
        lists = [:]
        context = nil
        self.isGone = isGone
        if !isGone { lastIdentifier = nil }
    }

    // MARK: Observation

    /// Notes that a property is read.
    public func _access<Model: PersistentModel, Value>(_ model: Model, _ keyPath: KeyPath<Model, Value>) {
        if context?.observesModels == false { return }
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
}
