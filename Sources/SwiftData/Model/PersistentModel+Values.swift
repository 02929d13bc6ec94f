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
    public func getValue<Value: Decodable>(forKey keyPath: KeyPath<Self, Value>) -> Value { read(keyPath) }

    /// Reads a to-one.
    public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>) -> Value { read(keyPath) }

    /// Reads an optional to-one.
    public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>) -> Value? { read(keyPath) }

    /// Reads a to-many.
    public func getValue<Value: RelationshipCollection, OtherModel>(forKey keyPath: KeyPath<Self, Value>) -> Value
    where OtherModel == Value.PersistentElement { read(keyPath) }

    /// Reads a to-many of a model that is `Decodable`.
    public func getValue<Value: Decodable & RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Self, Value>
    ) -> Value where OtherModel == Value.PersistentElement { read(keyPath) }

    /// Reads a transformable attribute.
    public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value { read(keyPath) }

    /// Sets an attribute.
    public func setValue<Value: Encodable>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        write(keyPath, newValue)
    }

    /// Sets a to-one.
    public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        write(keyPath, newValue)
    }

    /// Sets an optional to-one.
    public func setValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>, to newValue: Value?) {
        write(keyPath, newValue)
    }

    /// Sets a to-many.
    public func setValue<Value: RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Self, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement { write(keyPath, newValue) }

    /// Sets a to-many of a model that is `Encodable`.
    public func setValue<Value: Encodable & RelationshipCollection, OtherModel>(
        forKey keyPath: KeyPath<Self, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement { write(keyPath, newValue) }

    /// Sets a transformable attribute.
    public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        write(keyPath, newValue)
    }
}
