public import CoreDataPlatform
import Foundation

/// An attribute of a record's object: how its value is read, which rules apply to it, and how it is written.
///
/// In a ``Record``, the type is called `Field`. `Failure` is the error that reading may throw: none for values that are
/// stored as they are, ``DatabaseError`` for those that have to be decoded, unless there is a fallback.
public struct RecordField<Object: NSManagedObject, Value, Failure: Error> {
    /// The attribute's name in the model; `nil` if the key path isn't an attribute.
    public let name: String?
    /// Whether no other object of the entity may have the value.
    public let isUnique: Bool
    // A result and not a typed throw: the compiler (6.3) can't convert stored functions of those.
    package let read: (Object) -> Result<Value, Failure>
    package let write: (Object, Value) throws -> Void
    package let rules: (Value) throws -> Void
    /// The value as it is stored, to find others that have it; `nil` for none.
    let stored: (Value) throws -> Any?

    init(
        _ keyPath: PartialKeyPath<Object>, unique: Bool, rules: @escaping (Value) throws -> Void,
        read: @escaping (Object) -> Result<Value, Failure>, write: @escaping (Object, Value) throws -> Void,
        stored: @escaping (Value) throws -> Any?
    ) {
        name = KeyPathNames.name(of: keyPath)
        isUnique = unique
        self.read = read
        self.write = write
        self.rules = rules
        self.stored = stored
    }

    /// The attribute's name, for strings.
    var label: String { name ?? "an attribute" }
}

extension Sequence {
    /// Checks a value by each rule in turn.
    func check<Value>(_ value: Value?) throws where Element == Validation<Value> {
        for rule in self { try rule.check(value) }
    }
}

// MARK: Values as they are stored

extension RecordField where Failure == Never {
    // Disfavored, as the next one is, so that integers of a fixed width are read as `Int`.

    /// A field of an attribute's own type.
    ///
    /// Reading and writing go through the property of the class, without a conversion. Integers of a fixed width are
    /// read as `Int` unless the type of the field is written out.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: What values have to fulfil, in the order in which they are checked.
    @_disfavoredOverload
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Value>, unique: Bool = false, rules: Validation<Value>...
    ) {
        self.init(
            keyPath, unique: unique, rules: rules.check, read: { .success($0[keyPath: keyPath]) },
            write: { $0[keyPath: keyPath] = $1 }, stored: { $0 })
    }

    /// Declares a field of an attribute that can be nil.
    ///
    /// A `nil` passes all rules except ``Validation/notNil``, and is never a duplicate of a unique field.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: Rules for values that aren't nil.
    @_disfavoredOverload
    public init<Wrapped>(
        _ keyPath: ReferenceWritableKeyPath<Object, Wrapped?>, unique: Bool = false, rules: Validation<Wrapped>...
    ) where Value == Wrapped? {
        self.init(
            keyPath, unique: unique, rules: rules.check, read: { .success($0[keyPath: keyPath]) },
            write: { $0[keyPath: keyPath] = $1 }, stored: { $0 })
    }

    /// A field of an optional attribute that is read with a default value. Nothing is written until a value is set.
    ///
    /// Conditions of queries don't know the default value: they find the `nil` that is stored. Rules are checked for
    /// values that are set, not for the default value.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - value: The value that is returned instead of `nil`.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init(
        _ keyPath: ReferenceWritableKeyPath<Object, Value?>, default value: Value, unique: Bool = false,
        rules: Validation<Value>...
    ) {
        self.init(
            keyPath, unique: unique, rules: rules.check, read: { .success($0[keyPath: keyPath] ?? value) },
            write: { $0[keyPath: keyPath] = $1 }, stored: { $0 })
    }
}

// MARK: Integers of a fixed width

extension RecordField where Failure == Never, Value == Int {
    /// A field of an integer attribute of any width, as `Int`. A number that doesn't fit is refused.
    ///
    /// A number that doesn't fit the attribute is refused with ``DatabaseError/validation(_:)`` before any other rule
    /// is checked.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger>(
        _ keyPath: ReferenceWritableKeyPath<Object, Stored>, unique: Bool = false, rules: Validation<Int>...
    ) {
        self.init(
            keyPath, unique: unique, rules: Self.rules(rules, Stored.self),
            read: { .success(Int(clamping: $0[keyPath: keyPath])) },
            write: { $0[keyPath: keyPath] = Stored(clamping: $1) }, stored: { $0 })
    }

    /// A field of an optional integer attribute of any width that is read with a default value.
    ///
    /// A number that doesn't fit the attribute is refused with ``DatabaseError/validation(_:)``. The default value is
    /// never written by reading.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - value: The value that is returned instead of `nil`.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger>(
        _ keyPath: ReferenceWritableKeyPath<Object, Stored?>, default value: Int, unique: Bool = false,
        rules: Validation<Int>...
    ) {
        self.init(
            keyPath, unique: unique, rules: Self.rules(rules, Stored.self),
            read: { .success($0[keyPath: keyPath].map { Int(clamping: $0) } ?? value) },
            write: { $0[keyPath: keyPath] = Stored(clamping: $1) }, stored: { $0 })
    }

    private static func rules<Stored: FixedWidthInteger>(
        _ rules: [Validation<Int>], _: Stored.Type
    ) -> (Int) throws -> Void {
        { value in
            try Validation<Int>.fits(Stored.self).check(value)
            try rules.check(value)
        }
    }
}

extension RecordField where Failure == Never, Value == Int? {
    /// A field of an optional integer attribute of any width, as `Int?`. A number that doesn't fit is refused.
    ///
    /// The rules, and the check that the number fits the attribute, apply to numbers only. `nil` can always be set,
    /// except with ``Validation/notNil``.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - unique: Whether no other object of the entity may have the value.
    ///   - rules: The rules for values, in the order in which they are checked.
    public init<Stored: FixedWidthInteger>(
        _ keyPath: ReferenceWritableKeyPath<Object, Stored?>, unique: Bool = false, rules: Validation<Int>...
    ) {
        self.init(
            keyPath, unique: unique,
            rules: { value in
                try Validation<Int>.fits(Stored.self).check(value)
                try rules.check(value)
            }, read: { .success($0[keyPath: keyPath].map { Int(clamping: $0) }) },
            write: { $0[keyPath: keyPath] = $1.map { Stored(clamping: $0) } }, stored: { $0 })
    }
}

extension Validation where Value == Int {
    /// The number fits a type of integers.
    static func fits<Stored: FixedWidthInteger>(_: Stored.Type) -> Validation {
        let range = Int(clamping: Stored.min)...Int(clamping: Stored.max)
        return Validation("The number has to be in \(Stored.min)...\(Stored.max).") { range.contains($0) }
    }
}
