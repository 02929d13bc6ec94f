/// A class whose objects are kept in a store. `@Model` makes one.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
    /// The class at the root of the inheritance.
    associatedtype Root: PersistentModel = Self

    /// Creates a model that shows what is in the backing data.
    ///
    /// `@Model` writes it. Contexts call it for models that a fetch finds.
    ///
    /// - Parameter backingData: The backing data.
    init(backingData: any BackingData<Root>)
    /// What holds the values.
    var persistentBackingData: any BackingData<Root> { get set }
    /// The persisted properties.
    static var schemaMetadata: [Schema.PropertyMetadata] { get }

    /// What holds the values; `nil` before the first use.
    var _$modelStorage: ModelStorage? { get set }
    /// The same without a reference to count, for the accessors.
    var _$pointer: Unmanaged<ModelStorage>? { get }
    /// Gives a new model the initial values of its properties.
    static func _$initialize(_ storage: ModelStorage)
    /// Gives a new model the values that its initializer set before that of the superclass.
    ///
    /// - Parameter storage: The model's storage.
    func _$begin(_ storage: ModelStorage)
}

extension PersistentModel {
    /// What a model has whose accessors are written by hand.
    public var _$pointer: Unmanaged<ModelStorage>? { _$modelStorage.map { .passUnretained($0) } }

    /// Nothing is set early where accessors are written by hand.
    ///
    /// - Parameter storage: The model's storage.
    public func _$begin(_ storage: ModelStorage) {}

    /// The context that the model is in.
    public var modelContext: ModelContext? { _$modelStorage?.context }

    /// What identifies the model. A model that was not saved has a temporary one.
    public var persistentModelID: PersistentIdentifier { _storage(of: self).identifier }

    /// What identifies the model.
    public var id: PersistentIdentifier { persistentModelID }

    /// Whether there are changes that were not saved.
    public var hasChanges: Bool { _$modelStorage?.object?.hasChanges ?? false }

    /// Whether the model is deleted with the next save.
    public var isDeleted: Bool { _$modelStorage?.object?.isDeleted ?? false }

    /// Whether two models are the same object of one store.
    ///
    /// So models of two contexts are equal if they represent the same row. Values don't count.
    ///
    /// - Parameters:
    ///   - lhs: A model.
    ///   - rhs: Another model.
    /// - Returns: Whether they are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool { _isEqual(lhs, rhs) }

    /// Hashes a number that saving does not change, so that sets of models stay as they are.
    ///
    /// Values don't count.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(_storage(of: self).hashNumber) }

    /// What holds the values of a new model.
    ///
    /// For model classes that are written without `@Model`. The properties have their initial values.
    ///
    /// - Returns: The backing data.
    public static func createBackingData<P>() -> some BackingData<P> where P: PersistentModel {
        ModelBackingData<P>(for: P.self)
    }
}

/// Whether two models are the same object of one store.
///
/// - Parameters:
///   - lhs: A model.
///   - rhs: Another model.
/// - Returns: Whether they are equal.
public func _isEqual<Model: PersistentModel>(_ lhs: Model, _ rhs: Model) -> Bool {
    lhs === rhs || lhs.persistentModelID == rhs.persistentModelID
}

/// What holds the values of a model; made at first use.
///
/// - Parameter model: The model.
/// - Returns: The storage.
public func _storage<Model: PersistentModel>(of model: Model) -> ModelStorage {
    if let storage = model._$modelStorage { return storage }
    let storage = ModelStorage(of: type(of: model))
    storage._show(model)
    model._$modelStorage = storage
    type(of: model)._$initialize(storage)
    model._$begin(storage)
    if let context = storage.joinedContext {
        storage.joinedContext = nil
        context.insertAny(model)
    }
    return storage
}

/// The initial value of a property, with the type that the property gives it.
///
/// - Parameters:
///   - keyPath: The property, which says the type.
///   - value: The initial value.
/// - Returns: The value.
public func _initial<Root, Value>(_ keyPath: KeyPath<Root, Value>, _ value: Value) -> Any { value }

/// The storage of backing data that a model is made with.
///
/// - Parameter backingData: The backing data.
/// - Returns: The storage.
@inlinable
public func _adopt<Model>(_ backingData: any BackingData<Model>) -> ModelStorage { backingData._storage }

/// Reads a persisted property.
///
/// - Parameters:
///   - model: The model.
///   - slot: The property's slot.
///   - keyPath: The property.
/// - Returns: The value.
@inlinable
public func _read<Model: PersistentModel, Value>(
    _ model: Model, _ slot: ModelSlot<Value>, _ keyPath: @autoclosure () -> KeyPath<Model, Value>
) -> Value {
    guard let pointer = model._$pointer else { return _readNoted(model, slot, keyPath()) }
    return pointer._withUnsafeGuaranteedRef { storage in
        if storage._isObserved, storage._isTracked() { storage._access(model, keyPath()) }
        return slot._read(storage)
    }
}

/// Reads a persisted property, and notes that it was read.
///
/// - Parameters:
///   - model: The model.
///   - slot: The property's slot.
///   - keyPath: The property.
/// - Returns: The value.
public func _readNoted<Model: PersistentModel, Value>(
    _ model: Model, _ slot: ModelSlot<Value>, _ keyPath: KeyPath<Model, Value>
) -> Value {
    let storage = _storage(of: model)
    storage._access(model, keyPath)
    return slot._read(storage)
}

/// Writes a persisted property.
///
/// - Parameters:
///   - value: The value.
///   - model: The model.
///   - slot: The property's slot.
///   - keyPath: The property.
public func _write<Model: PersistentModel, Value>(
    _ value: Value, _ model: Model, _ slot: ModelSlot<Value>, _ keyPath: KeyPath<Model, Value>
) {
    let storage = _storage(of: model)
    storage._withMutation(model, keyPath) { slot.write(value, storage) }
    storage.context?.noteChange()
}

/// Gives away the array of a property, to be changed in place.
///
/// - Parameters:
///   - model: The model.
///   - slot: The property's slot.
///   - keyPath: The property.
/// - Returns: The array.
public func _take<Model: PersistentModel, Value>(
    _ model: Model, _ slot: ModelSlot<Value>, _ keyPath: KeyPath<Model, Value>
) -> Value {
    let storage = _storage(of: model)
    storage._access(model, keyPath)
    storage.willMutate(model, keyPath)
    return slot.take(storage)
}

/// Takes over the array of a property after it was changed in place.
///
/// - Parameters:
///   - value: The array.
///   - model: The model.
///   - slot: The property's slot.
///   - keyPath: The property.
public func _put<Model: PersistentModel, Value>(
    _ value: Value, _ model: Model, _ slot: ModelSlot<Value>, _ keyPath: KeyPath<Model, Value>
) {
    let storage = _storage(of: model)
    storage.didMutate(model, keyPath) { slot.put(value, storage) }
    storage.context?.noteChange()
}
