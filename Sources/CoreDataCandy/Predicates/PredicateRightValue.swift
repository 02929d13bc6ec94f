public import OpenCoreDataKit

/// What stands on the right of an attribute: an operator with its value, such as `.isIn(18...70)`.
///
/// Own operators are static members of an extension:
///
/// ```swift
/// extension PredicateRightValue where Value == String?, TestValue == String {
///     static func isLike(_ pattern: String) -> Self {
///         Self { FetchPredicate(keyPath: $0, operation: .like, value: pattern) }
///     }
/// }
/// ```
public struct PredicateRightValue<Entity: NSManagedObject, Value: DatabaseFieldValue, TestValue> {
    /// Returns the condition for an attribute.
    public let predicate: (KeyPath<Entity, Value>) -> FetchPredicate<Entity, Value, TestValue>

    /// Creates an operator from a closure that gets the attribute.
    ///
    /// The closure is called each time that the operator is used in a request.
    ///
    /// - Parameter predicate: Returns the condition on an attribute.
    public init(_ predicate: @escaping (KeyPath<Entity, Value>) -> FetchPredicate<Entity, Value, TestValue>) {
        self.predicate = predicate
    }

    /// Compares the attribute with a value.
    static func comparison(
        _ operation: NSComparisonPredicate.Operator, _ value: Any?, isInverted: Bool = false
    ) -> Self {
        Self { FetchPredicate(keyPath: $0, operation: operation, value: value, isInverted: isInverted) }
    }
}

// MARK: Lists

extension PredicateRightValue where Value: Equatable, TestValue == [Value] {
    /// The attribute has one of some values. No value is in an empty list, and a missing one is in none.
    ///
    /// Elements of the list that are `nil` are left out. An object without a value isn't found even if the list has
    /// one; add `== nil` with `or`.
    ///
    /// - Parameter values: The values.
    /// - Returns: The operator.
    public static func isIn(_ values: [Value]) -> Self { comparison(.in, listed(values)) }

    /// The attribute has one of some values.
    ///
    /// Without values, no object is found.
    ///
    /// - Parameter values: The values.
    /// - Returns: The operator.
    public static func isIn(_ values: Value...) -> Self { isIn(values) }

    /// The attribute has none of some values. A missing one has none of them.
    ///
    /// Elements of the list that are `nil` are left out. With an empty list, all objects are found.
    ///
    /// - Parameter values: The values.
    /// - Returns: The operator.
    public static func isNotIn(_ values: [Value]) -> Self { comparison(.in, listed(values), isInverted: true) }

    /// The attribute has none of some values.
    ///
    /// Objects without a value are found, too.
    ///
    /// - Parameter values: The values.
    /// - Returns: The operator.
    public static func isNotIn(_ values: Value...) -> Self { isNotIn(values) }

    /// The attribute has none of some values; `isNotIn` in other words.
    ///
    /// Reads better after an attribute's name, and has no difference otherwise.
    ///
    /// - Parameter values: The values.
    /// - Returns: The operator.
    public static func isNot(in values: [Value]) -> Self { isNotIn(values) }

    /// The attribute has none of some values; `isNotIn` in other words.
    ///
    /// Objects without a value are found, too.
    ///
    /// - Parameter values: The values.
    /// - Returns: The operator.
    public static func isNot(in values: Value...) -> Self { isNotIn(values) }

    /// The values that there are, without the optionals around them.
    private static func listed(_ values: [Value]) -> [Any] {
        values.compactMap { value in
            if let optional = value as? any OptionalValueHolder { return optional.heldValue }
            return value
        }
    }
}

/// An optional as a value of unknown type.
protocol OptionalValueHolder {
    var heldValue: Any? { get }
}

extension Optional: OptionalValueHolder {
    var heldValue: Any? { self }
}
