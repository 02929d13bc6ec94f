/// What holds the values of a model.
public protocol BackingData<Model> {
    /// The class of the model.
    associatedtype Model: PersistentModel

    /// Makes backing data for a new model.
    ///
    /// The model is in no context yet.
    ///
    /// - Parameter modelType: The class.
    init(for modelType: Model.Type)
    /// What identifies the model.
    var persistentModelID: PersistentIdentifier? { get set }
    /// What belongs to the model besides its values.
    var metadata: Any { get }
    /// What holds the values in this module.
    var _storage: ModelStorage { get }
}

/// The backing data of this module.
public struct ModelBackingData<Model: PersistentModel>: BackingData {
    /// What holds the values.
    public let _storage: ModelStorage

    /// Creates the data of a model.
    ///
    /// Used by this module when a context makes the model of an object.
    ///
    /// - Parameter storage: Where the model's values are.
    @inlinable
    public init(_ storage: ModelStorage) { _storage = storage }

    /// Makes backing data for a new model, with the initial values of its properties.
    ///
    /// The model is in no context until it is inserted.
    ///
    /// - Parameter modelType: The class.
    public init(for modelType: Model.Type) {
        _storage = ModelStorage(of: modelType)
        modelType._$initialize(_storage)
    }

    /// What identifies the model.
    public var persistentModelID: PersistentIdentifier? {
        get { _storage.identifier }
        set {}
    }

    /// The entity of the model.
    public var metadata: Any { Schema.entityName(for: Model.self) }
}

extension BackingData {
    private func slot<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelSlot<Value> {
        _storage.descriptor.slot(of: keyPath)
    }

    /// Reads an attribute.
    ///
    /// The property has to be one of the model's persisted properties.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The value.
    public func getValue<Value: Decodable>(forKey keyPath: KeyPath<Model, Value>) -> Value {
        slot(keyPath)._read(_storage)
    }

    /// Reads a to-one.
    ///
    /// A missing model is a programmer error.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The model at the other end.
    public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value>) -> Value {
        slot(keyPath)._read(_storage)
    }

    /// Reads a to-one that may be missing.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The model at the other end, or `nil`.
    public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value?>) -> Value? {
        slot(keyPath)._read(_storage)
    }

    /// Reads a to-many.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The models at the other end.
    public func getValue<Value: RelationshipCollection, OtherModel>(forKey keyPath: KeyPath<Model, Value>) -> Value
    where OtherModel == Value.PersistentElement {
        slot(keyPath)._read(_storage)
    }

    /// Reads a to-many of a model that is `Decodable`.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The models at the other end.
    public func getValue<Value: Decodable & RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Model, Value>
    ) -> Value where OtherModel == Value.PersistentElement {
        slot(keyPath)._read(_storage)
    }

    /// Reads a transformable attribute.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The value.
    public func getTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value {
        slot(keyPath)._read(_storage)
    }

    /// Sets an attribute.
    ///
    /// Observers of the model aren't notified; the property's own setter does that.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The value.
    public func setValue<Value: Encodable>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
        slot(keyPath).write(newValue, _storage)
    }

    /// Sets a to-one.
    ///
    /// Observers of the model aren't notified.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The model at the other end.
    public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
        slot(keyPath).write(newValue, _storage)
    }

    /// Sets a to-one that may be missing.
    ///
    /// Observers of the model aren't notified.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The model at the other end, or `nil`.
    public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value?>, to newValue: Value?) {
        slot(keyPath).write(newValue, _storage)
    }

    /// Sets a to-many.
    ///
    /// Observers of the model aren't notified.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The models at the other end.
    public func setValue<Value: RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement {
        slot(keyPath).write(newValue, _storage)
    }

    /// Sets a to-many of a model that is `Encodable`.
    ///
    /// Observers of the model aren't notified.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The models at the other end.
    public func setValue<Value: Encodable & RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Model, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement {
        slot(keyPath).write(newValue, _storage)
    }

    /// Sets a transformable attribute.
    ///
    /// Observers of the model aren't notified.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The value.
    public func setTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
        slot(keyPath).write(newValue, _storage)
    }
}

/// A collection that a to-many can have.
public protocol RelationshipCollection {
    /// The class of the members.
    associatedtype PersistentElement: PersistentModel
}

extension Array: RelationshipCollection where Element: PersistentModel {
    /// The class of the members.
    public typealias PersistentElement = Element
}

extension Optional: RelationshipCollection where Wrapped: Sequence, Wrapped.Element: PersistentModel {
    /// The class of the members.
    public typealias PersistentElement = Wrapped.Element
}
