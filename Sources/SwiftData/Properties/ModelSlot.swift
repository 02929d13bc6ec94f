import CoreDataEngine

// @unchecked Sendable because nothing in it changes; subclasses have constants only.
/// The part of a slot that does not depend on the type of the value.
public class AnyModelSlot: @unchecked Sendable {
    let name: String

    init(_ name: String) { self.name = name }

    /// An object's value, or nil if it has none.
    func loadAny(_ object: BackedObject, _ storage: ModelStorage) -> Any? { nil }

    /// Whether the values are models.
    var isRelationship: Bool { false }

    /// Whether the values are arrays of models.
    var isToMany: Bool { false }

    /// Gives a new object the value of a model that was in no context.
    ///
    /// The other end of a relationship may have given the object models already, which stay.
    func transfer(_ value: Any, to object: BackedObject, _ storage: ModelStorage) {}

    /// The value that refers to models; nil for what isn't a relationship.
    func anyValue(of models: [any PersistentModel]) -> Any? { nil }

    /// The models that a value refers to.
    func models(in value: Any) -> [any PersistentModel] { [] }

    /// The context of a model that a loose one is assigned.
    final func joinedContext(_ value: Any) -> ModelContext? {
        for model in models(in: value) {
            if let context = model._$modelStorage?.context { return context }
        }
        return nil
    }
}

/// How a persisted property is read and written.
public class ModelSlot<Value>: AnyModelSlot, @unchecked Sendable {
    /// The value of an object; nil where the row has none that the type can show.
    func load(_ object: BackedObject, _ storage: ModelStorage) -> Value? { nil }

    func store(_ value: Value, _ object: BackedObject, _ storage: ModelStorage) {}

    /// Takes the value away, of a property whose type is optional.
    func clear(_ object: BackedObject) {}

    override func anyValue(of models: [any PersistentModel]) -> Any? { value(of: models) }

    override func loadAny(_ object: BackedObject, _ storage: ModelStorage) -> Any? { load(object, storage) }

    override func transfer(_ value: Any, to object: BackedObject, _ storage: ModelStorage) {
        if let value = value as? Value { store(value, object, storage) }
    }

    /// Reads the value. Subclasses have shorter ways for values that are there.
    public func _read(_ storage: ModelStorage) -> Value {
        if let object = storage.object {
            if let value = load(object, storage) { return value }
            return object._absent(substitute(storage), name)
        }
        if let value = kept(storage) { return value }
        if storage.isGone { return substitute(storage) }
        if KeyPathRecorder.record(name) { return substitute(storage) }
        programmerError("\(storage.descriptor.entityName).\(name) is read before it has a value.")
    }

    /// The value of a model that is in no context, if it has one.
    final func kept(_ storage: ModelStorage) -> Value? {
        guard let kept = storage.values[name] else { return nil }
        if let value = kept as? Value { return value }
        return (kept as? KeptTogether.Loosened).flatMap { value(of: $0.models) }
    }

    /// The value that refers to models.
    func value(of models: [any PersistentModel]) -> Value? { nil }

    final func write(_ value: Value, _ storage: ModelStorage) {
        guard let object = storage.object else {
            if let context = joinedContext(value), let model = storage.model {
                storage.values[name] = value
                context.insertAny(model)
                return
            }
            storage.values[name] = value
            return
        }
        store(value, object, storage)
    }

    /// The value, which a program is about to change in place.
    func take(_ storage: ModelStorage) -> Value { _read(storage) }

    /// The value of a model that is in a context; one that is kept is given away if it is to be changed.
    func load(of storage: ModelStorage, forChange: Bool) -> Value? { storage.object.flatMap { load($0, storage) } }

    /// Takes over a value that `take` gave, after it was changed.
    func put(_ value: Value, _ storage: ModelStorage) { write(value, storage) }

    /// What is read where a row has no value: the initial value, or else one that stands for it.
    ///
    /// The object keeps its `nil`, so that reading changes nothing in the store.
    @inline(never)
    private func substitute(_ storage: ModelStorage) -> Value {
        if let initial = storage.descriptor.initialValues[name] as? Value { return initial }
        if let value = StandInValues.make(Value.self) { return value }
        let row = storage.identifier.uri?.absoluteString ?? "a new model"
        programmerError(
            "\(storage.descriptor.entityName).\(name) of \(row) has no value, and none can be made of the type "
                + "\(Value.self). Give the property an initial value, which is read then, or make it optional.")
    }

    /// The slot of a property whose type is the optional of this one's.
    func optional() -> AnyModelSlot { OptionalSlot(self) }

    /// Gives a new model the initial value.
    public final func _begin(_ value: Value, in storage: ModelStorage) { storage.values[name] = value }
}

/// The slot of a property that has a value in a store as it is, or as one of its type's parts.
public func _slot<Root: PersistentModel, Value: Codable>(
    _ name: String, _ keyPath: KeyPath<Root, Value>
) -> ModelSlot<Value> { SlotFactory.slot(name, Root.self) }

/// The slot of a to-one.
@_disfavoredOverload
public func _slot<Root: PersistentModel, Value: PersistentModel>(
    _ name: String, _ keyPath: KeyPath<Root, Value>
) -> ModelSlot<Value> { SlotFactory.slot(name, Root.self) }

/// The slot of a to-one that may be missing.
@_disfavoredOverload
public func _slot<Root: PersistentModel, Value: PersistentModel>(
    _ name: String, _ keyPath: KeyPath<Root, Value?>
) -> ModelSlot<Value?> { SlotFactory.slot(name, Root.self) }

/// The slot of a to-many.
@_disfavoredOverload
public func _slot<Root: PersistentModel, Value: RelationshipCollection>(
    _ name: String, _ keyPath: KeyPath<Root, Value>
) -> ModelSlot<Value> { SlotFactory.slot(name, Root.self) }

/// What a property whose type can't be kept gets: a sentence of the compiler at its accessors.
@available(
    *, unavailable,
    message: "The type of a persisted property must be Codable, a model or an array of models; mark others @Transient."
)
@_disfavoredOverload
public func _slot<Root: PersistentModel, Value>(_ name: String, _ keyPath: KeyPath<Root, Value>) -> ModelSlot<Value> {
    SlotFactory.slot(name, Root.self)
}

/// The slot of a transformable attribute.
public func _transformableSlot<Root: PersistentModel, Value>(
    _ name: String, _ keyPath: KeyPath<Root, Value>
) -> ModelSlot<Value> { SlotFactory.transformable(name, Value.self) }

/// The slot of an attribute that is kept as what its own coding makes of it.
public func _codableSlot<Root: PersistentModel, Value: Codable>(
    _ name: String, _ keyPath: KeyPath<Root, Value>
) -> ModelSlot<Value> { SlotFactory.codable(name, Value.self) }

/// The slot of an attribute that isn't saved.
public func _ephemeralSlot<Root: PersistentModel, Value>(
    _ name: String, _ keyPath: KeyPath<Root, Value>
) -> ModelSlot<Value> { SlotFactory.ephemeral(name, Value.self) }
