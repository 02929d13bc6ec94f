/// The values that an initializer set before that of the superclass, when the model has no storage.
public struct _BegunValues {
    private var values: [String: Any] = [:]

    /// No values.
    public init() {}

    /// Keeps the value of a property.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The name of the property.
    public mutating func set<Value>(_ value: Value, _ name: String) { values[name] = value }

    /// Gives the values to the model's storage.
    ///
    /// - Parameter storage: The storage.
    public mutating func move(to storage: ModelStorage) {
        for (name, value) in values {
            storage.values[name] = value
            if storage.joinedContext != nil { continue }
            let slot = storage.descriptor.slots.first { $0.name == name }
            storage.joinedContext = slot?.joinedContext(value)
        }
        values = [:]
    }
}

/// Takes no memory; tells the compiler that a property is set.
public struct _SetMark {
    /// That a property is set.
    public init() {}
}
