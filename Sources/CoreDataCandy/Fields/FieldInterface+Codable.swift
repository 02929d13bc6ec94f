public import OpenCoreDataKit

// MARK: Codable values

extension FieldInterface {
    /// A field of a codable value that is stored as JSON; `nil` if there is no data, or it can't be decoded.
    ///
    /// Validations are for values other than `nil`. Assigning `nil` removes the data.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Wrapped: Codable>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Wrapped.Type, validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)))
    }

    /// A field of a codable value that is stored as JSON. The default value is used if there is no data, or it can't be
    /// decoded.
    ///
    /// The default value isn't written by reading it.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - value: The default value.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Data?>, as type: Value.Type, default value: Value,
        validations: Validation<Value>...
    ) where Value: Codable {
        self.init(RecordField(keyPath, as: type, default: value, rules: .all(validations)), fallback: value)
    }

    /// A field of a codable value that is stored as JSON. The fallback is used if there is no data, or it can't be
    /// decoded.
    ///
    /// The data that can't be decoded stays until another value is assigned.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value in place of one that can't be read.
    ///   - validations: The rules for values, in the order in which they are checked.
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
    /// A raw value that is unknown reads as the first case. A type that is not `CaseIterable` should be given a
    /// fallback: without one, such a value stops the program.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value.RawValue>, as type: Value.Type,
        validations: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)))
    }

    /// A field of a value that is stored by its raw value, and of another for a raw value that is unknown.
    ///
    /// The unknown raw value stays in the store until another value is assigned, so an older version of a program
    /// doesn't destroy the values of a newer one.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value in place of an unknown one.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value.RawValue>, as type: Value.Type, fallback: Value,
        validations: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)), fallback: fallback)
    }

    /// A field of a value that is stored by its raw value, in an attribute that may be nil.
    ///
    /// A raw value that is unknown reads as nil.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - validations: The rules for values other than `nil`, in the order in which they are checked.
    public init<Wrapped: RawRepresentable>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Wrapped.RawValue?>, as type: Wrapped.Type,
        validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(RecordField(keyPath, as: type, rules: .all(validations)))
    }

    /// A field of a value that is stored as its raw value. The fallback is used if the raw value is missing or unknown.
    ///
    /// A missing raw value isn't reported as a ``ConversionError``; an unknown one is. The fallback isn't written by
    /// reading it.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - type: The type of the value.
    ///   - fallback: The value in place of a missing or unknown one.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value.RawValue?>, as type: Value.Type, fallback: Value,
        validations: Validation<Value>...
    ) where Value: RawRepresentable {
        self.init(
            RecordField<Entity, Value?, DatabaseError>(keyPath, as: type), fallback: fallback,
            rules: Validation.all(validations).check, output: { $0 ?? fallback }, input: { $0 })
    }
}
