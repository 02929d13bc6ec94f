public import OpenCoreDataKit

// MARK: Codable values

extension FieldInterface {
    /// A field of a codable value that is stored as JSON; `nil` if there is no data, or it can't be decoded.
    public init<Wrapped: Codable>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Wrapped.Type, validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)))
    }

    /// A field of a codable value that is stored as JSON. The default value is used if there is no data, or it can't be
    /// decoded.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Value.Type, default value: Value,
        validations: Validation<Value>...
    ) where Value: Codable {
        self.init(RecordField(keyPath, as: type, default: value, rules: .all(validations)), fallback: value)
    }

    /// A field of a codable value that is stored as JSON. The fallback is used if there is no data, or it can't be
    /// decoded.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Value.Type, fallback: Value,
        validations: Validation<Value>...
    ) where Value: Codable {
        self.init(RecordField(keyPath, as: type, default: fallback, rules: .all(validations)), fallback: fallback)
    }
}

// MARK: Raw values

extension FieldInterface {
    /// A field of a value that is stored by its raw value.
    ///
    /// A raw value that stands for nothing reads as the first case. A type that is not `CaseIterable` should be given a
    /// fallback: without one, such a value stops the program.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value.RawValue>, as type: Value.Type,
        validations: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)))
    }

    /// A field of a value that is stored by its raw value, and of another for a raw value that stands for nothing.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value.RawValue>, as type: Value.Type, fallback: Value,
        validations: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)), fallback: fallback)
    }

    /// A field of a value that is stored by its raw value, in an attribute that may be nil.
    ///
    /// A raw value that stands for nothing reads as nil.
    public init<Wrapped: RawRepresentable>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Wrapped.RawValue?>, as type: Wrapped.Type,
        validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)))
    }

    /// A field of a value that is stored as its raw value. The fallback is used if the raw value is missing or unknown.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value.RawValue?>, as type: Value.Type, fallback: Value,
        validations: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(
            RecordField<Entity, Value?, DatabaseError>(keyPath, as: type), fallback: fallback,
            rules: Validation.all(validations).check, output: { $0 ?? fallback }, input: { $0 })
    }
}
