public import OpenCoreDataKit

// The library's names for rules of the kit.

extension Validation where Value: Comparable & Sendable {
    /// The value lies in a range, both ends included.
    ///
    /// The same as the kit's `isIn(_:)`. `nil` is accepted.
    ///
    /// - Parameter range: The range.
    /// - Returns: The rule.
    public static func range(_ range: ClosedRange<Value>) -> Validation { isIn(range) }

    /// The value lies in a range, the upper end excluded.
    ///
    /// The same as the kit's `isIn(_:)`. `nil` is accepted.
    ///
    /// - Parameter range: The range.
    /// - Returns: The rule.
    public static func range(_ range: Range<Value>) -> Validation { isIn(range) }

    /// The value is another or above it.
    ///
    /// The same as the kit's `greaterThanOrEqual(to:)`. `nil` is accepted.
    ///
    /// - Parameter bound: The bound.
    /// - Returns: The rule.
    public static func greaterThanOrEqualTo(_ bound: Value) -> Validation { greaterThanOrEqual(to: bound) }

    /// The value is below another.
    ///
    /// The same as the kit's `lessThan(_:)`. `nil` is accepted.
    ///
    /// - Parameter bound: The bound.
    /// - Returns: The rule.
    public static func lesserThan(_ bound: Value) -> Validation { lessThan(bound) }

    /// The value is another or below it.
    ///
    /// The same as the kit's `lessThanOrEqual(to:)`. `nil` is accepted.
    ///
    /// - Parameter bound: The bound.
    /// - Returns: The rule.
    public static func lesserThanOrEqualTo(_ bound: Value) -> Validation { lessThanOrEqual(to: bound) }
}

extension Validation {
    /// There has to be a value.
    ///
    /// The same as the kit's `notNil`.
    ///
    /// - Returns: The rule.
    public static func notNil() -> Validation { .notNil }
}

extension Validation {
    /// Checks a value.
    ///
    /// The same as the kit's `check(_:)`. A value that is an optional without a value passes every rule but `notNil`.
    ///
    /// - Parameter value: The value.
    /// - Throws: The rule's error.
    public func validate(_ value: Value) throws { try check(value) }
}
