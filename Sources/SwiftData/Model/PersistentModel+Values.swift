/// Values by key path, for accessors that are written by hand.
extension PersistentModel {
    private func read<Value>(_ keyPath: KeyPath<Self, Value>) -> Value {
        let storage = _storage(of: self)
        return _read(self, storage.descriptor.slot(of: keyPath), keyPath)
    }

    private func write<Value>(_ keyPath: KeyPath<Self, Value>, _ value: Value) {
        let storage = _storage(of: self)
        _write(value, self, storage.descriptor.slot(of: keyPath), keyPath)
    }

    /// Reads an attribute.
    ///
    /// The read is noted for observation, as the property's own getter does.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The value.
    public func getValue<Value: Decodable>(forKey keyPath: KeyPath<Self, Value>) -> Value { read(keyPath) }

    /// Reads a to-one.
    ///
    /// The read is noted for observation.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The model at the other end.
    public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>) -> Value { read(keyPath) }

    /// Reads an optional to-one.
    ///
    /// The read is noted for observation.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The model at the other end, or `nil`.
    public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>) -> Value? { read(keyPath) }

    /// Reads a to-many.
    ///
    /// The read is noted for observation.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The models at the other end.
    public func getValue<Value: RelationshipCollection, OtherModel>(forKey keyPath: KeyPath<Self, Value>) -> Value
    where OtherModel == Value.PersistentElement { read(keyPath) }

    /// Reads a to-many of a model that is `Decodable`.
    ///
    /// The read is noted for observation.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The models at the other end.
    public func getValue<Value: Decodable & RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Self, Value>
    ) -> Value where OtherModel == Value.PersistentElement { read(keyPath) }

    /// Reads a transformable attribute.
    ///
    /// The read is noted for observation.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The value.
    public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value { read(keyPath) }

    /// Sets an attribute.
    ///
    /// Observers are notified, as by the property's own setter.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The value.
    public func setValue<Value: Encodable>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        write(keyPath, newValue)
    }

    /// Sets a to-one.
    ///
    /// If this model is in a context, a model that is in none is inserted into it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The model at the other end.
    public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        write(keyPath, newValue)
    }

    /// Sets an optional to-one.
    ///
    /// If this model is in a context, a model that is in none is inserted into it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The model at the other end, or `nil`.
    public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>, to newValue: Value?) {
        write(keyPath, newValue)
    }

    /// Sets a to-many.
    ///
    /// If this model is in a context, models that are in none are inserted into it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The models at the other end.
    public func setValue<Value: RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Self, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement { write(keyPath, newValue) }

    /// Sets a to-many of a model that is `Encodable`.
    ///
    /// If this model is in a context, models that are in none are inserted into it.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The models at the other end.
    public func setValue<Value: Encodable & RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Self, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement { write(keyPath, newValue) }

    /// Sets a transformable attribute.
    ///
    /// Observers are notified.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - newValue: The value.
    public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        write(keyPath, newValue)
    }
}
