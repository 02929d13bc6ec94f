public import OpenCoreDataKit

/// An attribute of which no two objects may have the same value. In a model it is called `UniqueField`.
///
/// With each assignment a fetch looks for another object that has the value. Objects that are not saved yet are found in
/// the same context and its parents; those of other contexts are not, so that a uniqueness constraint of the model is the
/// real guard. Nil is not compared.
public struct UniqueFieldInterface<Entity: DatabaseEntity, Value>: FieldInterfaceProtocol {
    /// The field.
    public let field: FieldInterface<Entity, Value>
}

// Disfavored, so that integers come as Int.
extension UniqueFieldInterface {
    /// A unique field of the attribute's own type.
    ///
    /// A value that another object has is refused with ``CoreDataCandyError/existingUnique(field:value:model:)``.
    /// Checking a value for an object without a context is an error of the program.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - validations: What values have to fulfil, in the order in which they are checked.
    @_disfavoredOverload
    public init(_ keyPath: ReferenceWritableKeyPath<Entity, Value>, validations: Validation<Value>...)
    where Value: DatabaseFieldValue {
        field = FieldInterface(RecordField(keyPath, unique: true, rules: .all(validations)))
    }

    /// A unique field of an attribute that may be nil. Validations are for values that are there.
    ///
    /// Any number of objects may have no value.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - validations: The rules for values, in the order in which they are checked.
    @_disfavoredOverload
    public init<Wrapped: DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Wrapped?>, validations: Validation<Wrapped>...
    ) where Value == Wrapped? {
        field = FieldInterface(RecordField(keyPath, unique: true, rules: .all(validations)))
    }

    /// A unique field that reads nil as a default value. Nothing is written until a value is assigned.
    ///
    /// The default value isn't compared as long as it is not assigned: any number of objects may have it by being
    /// `nil`.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - value: The value that is read instead of `nil`.
    ///   - validations: The rules for values, in the order in which they are checked.
    @_disfavoredOverload
    public init(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value?>, default value: Value, validations: Validation<Value>...
    ) where Value: DatabaseFieldValue {
        field = FieldInterface(RecordField(keyPath, default: value, unique: true, rules: .all(validations)))
    }
}

extension UniqueFieldInterface where Value == Int {
    /// A unique field of an integer attribute of any width as `Int`. A number that doesn't fit is refused.
    ///
    /// The other rules come before the fetch that looks for another object with the value.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - output: `Int.self`, which distinguishes this initializer where the compiler can't.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger & DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Stored>, output: Int.Type = Int.self,
        validations: Validation<Int>...
    ) {
        field = FieldInterface(RecordField(keyPath, unique: true, rules: .all(validations)))
    }
}

extension UniqueFieldInterface where Value == Int? {
    /// A unique field of an integer attribute of any width that may be nil, as `Int`.
    ///
    /// Any number of objects may have no value.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - output: `Int.self`, which distinguishes this initializer where the compiler can't.
    ///   - validations: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger & DatabaseFieldValue>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Stored?>, output: Int.Type = Int.self,
        validations: Validation<Int>...
    ) {
        field = FieldInterface(RecordField(keyPath, unique: true, rules: .all(validations)))
    }
}
