public import OpenCoreDataKit

// The library's names for rules of the kit.

extension Validation where Value: Comparable & Sendable {
    /// The value lies in a range, both ends included.
    public static func range(_ range: ClosedRange<Value>) -> Validation { isIn(range) }

    /// The value lies in a range, the upper end excluded.
    public static func range(_ range: Range<Value>) -> Validation { isIn(range) }

    /// The value is another or above it.
    public static func greaterThanOrEqualTo(_ bound: Value) -> Validation { greaterThanOrEqual(to: bound) }

    /// The value is below another.
    public static func lesserThan(_ bound: Value) -> Validation { lessThan(bound) }

    /// The value is another or below it.
    public static func lesserThanOrEqualTo(_ bound: Value) -> Validation { lessThanOrEqual(to: bound) }
}

extension Validation {
    /// There has to be a value.
    public static func notNil() -> Validation { .notNil }
}

extension Validation {
    /// Checks a value.
    ///
    /// - Throws: The rule's error.
    public func validate(_ value: Value) throws { try check(value) }
}
