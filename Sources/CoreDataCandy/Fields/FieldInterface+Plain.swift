public import OpenCoreDataKit

// MARK: Values of the attribute's type

// Disfavored, so that integers come as Int.
extension FieldInterface {
    /// A field of the attribute's own type.
    ///
    /// Integers of a fixed width are read as `Int` by another initializer, which the compiler prefers unless the type
    /// of the field is written out.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - validations: What values have to fulfil, in the order in which they are checked.
    @_disfavoredOverload
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, Value>, validations: Validation<Value>...)
    where Value: DatabaseFieldValue {
        self.init(RecordField(keyPath, rules: .all(validations)))
    }

    /// A field of an attribute that may be nil. Validations are for values that are there.
    ///
    /// Assigning `nil` is allowed unless `notNil` is among the validations.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - validations: The rules for values, in the order in which they are checked.
    @_disfavoredOverload
    public init<Wrapped: DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Wrapped?>, validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(RecordField(keyPath, rules: .all(validations)))
    }

    /// A field that reads nil as a default value. Nothing is written until a value is assigned.
    ///
    /// Requests don't know the default value: they find the `nil` that is stored.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - value: The value that is read instead of `nil`.
    ///   - validations: The rules for values, in the order in which they are checked.
    @_disfavoredOverload
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value?>, default value: Value, validations: Validation<Value>...
    ) where Value: DatabaseFieldValue {
        self.init(RecordField(keyPath, default: value, rules: .all(validations)))
    }
}

// MARK: Integers

extension FieldInterface where Value == Int {
    /// A field of an integer attribute of any width as `Int`. A number that doesn't fit is refused by a validation.
    ///
    /// That check comes before the validations of the field.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - output: `Int.self`, which distinguishes this initializer where the compiler can't.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger & DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Stored>, output: Int.Type = Int.self,
        validations: Validation<Int>...
    ) {
        self.init(RecordField(keyPath, rules: .all(validations)))
    }

    /// A field of an integer attribute of any width as `Int`, that reads nil as a default value.
    ///
    /// A number that doesn't fit the attribute is refused by a validation. The default value isn't written by reading
    /// it.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - output: `Int.self`, which distinguishes this initializer where the compiler can't.
    ///   - value: The value that is read instead of `nil`.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger & DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Stored?>, output: Int.Type = Int.self, default value: Int,
        validations: Validation<Int>...
    ) {
        self.init(RecordField(keyPath, default: value, rules: .all(validations)))
    }
}

extension FieldInterface where Value == Int? {
    /// A field of an integer attribute of any width that may be nil, as `Int`.
    ///
    /// A number that doesn't fit the attribute is refused by a validation. Validations are for numbers, not for `nil`.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - output: `Int.self`, which distinguishes this initializer where the compiler can't.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger & DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Stored?>, output: Int.Type = Int.self,
        validations: Validation<Int>...
    ) {
        self.init(RecordField(keyPath, rules: .all(validations)))
    }
}
