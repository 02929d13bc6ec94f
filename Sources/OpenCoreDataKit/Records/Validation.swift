import CoreDataPlatform
public import Foundation

/// A rule for the values of a field.
///
/// Rules apply to values other than `nil`, except for ``notNil``. Add rules of your own as static members of an
/// extension:
///
/// ```swift
/// extension Validation where Value == String {
///     static var isUpperCase: Self {
///         Validation("The text has to be in upper case.") { $0 == $0.uppercased() }
///     }
/// }
/// ```
public struct Validation<Value>: Sendable {
    /// The error of a rule that refuses a value.
    public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// The rule as a sentence.
        public let description: String

        /// Creates the error of a rule.
        ///
        /// Throw it from a rule of your own. Records turn it into a ``DatabaseError/validation(_:)`` that names the
        /// entity, the field and the value. Other errors are passed on as they are.
        ///
        /// - Parameter description: The rule as a sentence.
        public init(_ description: String) { self.description = description }

        /// The rule as a sentence.
        public var errorDescription: String? { description }
    }

    private let rule: @Sendable (Value) throws -> Void
    /// What to say about nil; `nil` to accept it.
    private let refusalOfNil: String?

    // Preconcurrency, because generic rules capture values that may not be Sendable, which is a warning otherwise.

    /// Creates a rule.
    ///
    /// The rule isn't called for `nil`. It can be called on any thread, whenever a value is set or checked.
    ///
    /// ```swift
    /// let isCode = Validation<String> { value in
    ///     guard value.count == 6 else { throw Validation<String>.Refusal("A code has six characters.") }
    /// }
    /// ```
    ///
    /// - Parameter rule: Throws for values that it refuses: a ``Refusal``, or any other error.
    @preconcurrency
    public init(_ rule: @escaping @Sendable (Value) throws -> Void) {
        self.rule = rule
        refusalOfNil = nil
    }

    /// Creates a rule of a condition.
    ///
    /// The sentence is the description of a ``Refusal``, and the reason in ``DatabaseError/Failure``. The condition
    /// isn't called for `nil`.
    ///
    /// - Parameters:
    ///   - sentence: What the rule demands, for who gets the error.
    ///   - condition: Whether a value is accepted.
    @preconcurrency
    public init(_ sentence: String, _ condition: @escaping @Sendable (Value) -> Bool) {
        self.init { value in if !condition(value) { throw Refusal(sentence) } }
    }

    private init(refusingNil sentence: String) {
        rule = { _ in }
        refusalOfNil = sentence
    }

    /// Checks a value.
    ///
    /// `nil` passes every rule except ``notNil``. A value that is itself an optional without a value counts as `nil`.
    ///
    /// - Parameter value: The value.
    /// - Throws: The rule's error.
    public func check(_ value: Value?) throws {
        // The values themselves may be optional ones.
        if let value, !isNil(value) {
            try rule(value)
        } else if let refusalOfNil {
            throw Refusal(refusalOfNil)
        }
    }

    /// Several rules as one, in their order.
    package static func all(_ rules: [Validation]) -> Validation {
        Validation(
            rule: { value in for rule in rules { try rule.check(value) } },
            refusalOfNil: rules.lazy.compactMap(\.refusalOfNil).first)
    }

    private init(rule: @escaping @Sendable (Value) throws -> Void, refusalOfNil: String?) {
        self.rule = rule
        self.refusalOfNil = refusalOfNil
    }

    /// Requires a value.
    public static var notNil: Validation { Validation(refusingNil: "There has to be a value.") }
}

// MARK: Strings

extension Validation where Value: StringProtocol & Sendable {
    /// Requires a string with something other than white space.
    public static var notEmpty: Validation {
        Validation("The text must not be empty.") { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Requires a string to begin with a prefix.
    ///
    /// Upper and lower case are different. `nil` is accepted; add ``notNil`` if there has to be a value.
    ///
    /// - Parameter prefix: The prefix.
    public static func hasPrefix(_ prefix: String) -> Validation {
        Validation("The text has to begin with '\(prefix)'.") { $0.hasPrefix(prefix) }
    }

    /// Requires a string to end with a suffix.
    ///
    /// Upper and lower case are different. `nil` is accepted; add ``notNil`` if there has to be a value.
    ///
    /// - Parameter suffix: The suffix.
    public static func hasSuffix(_ suffix: String) -> Validation {
        Validation("The text has to end with '\(suffix)'.") { $0.hasSuffix(suffix) }
    }

    /// Requires a string to contain another.
    ///
    /// Upper and lower case are different. `nil` is accepted.
    ///
    /// - Parameter other: The other string.
    public static func contains(_ other: String) -> Validation {
        Validation("The text has to contain '\(other)'.") { $0.contains(other) }
    }

    /// Requires a string not to contain another.
    ///
    /// Upper and lower case are different. `nil` is accepted.
    ///
    /// - Parameter other: The other string.
    public static func doesNotContain(_ other: String) -> Validation {
        Validation("The text must not contain '\(other)'.") { !$0.contains(other) }
    }

    /// Requires a string to have a certain length.
    ///
    /// Characters are those of Swift's `Character`, so a letter with an accent or an emoji is one. `nil` is accepted.
    ///
    /// - Parameter count: The number of characters.
    public static func count(_ count: Int) -> Validation {
        Validation("The text has to have \(count) characters.") { $0.count == count }
    }

    /// Requires a string that is an email address.
    public static var isEmail: Validation {
        Validation("The text has to be an e-mail address.") { string in
            String(string).wholeMatch(of: /[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,64}/) != nil
        }
    }
}

// MARK: Values with an order

// Disfavored, so that an application's own rule of the same name, for fewer or more types, is not ambiguous.
extension Validation where Value: Comparable & Sendable {
    /// Requires a value in a range, including both ends.
    ///
    /// `nil` is accepted. The message names both ends.
    ///
    /// - Parameter range: The range.
    @_disfavoredOverload
    public static func isIn(_ range: ClosedRange<Value>) -> Validation {
        Validation("The value has to be in \(range.lowerBound)...\(range.upperBound).") { range.contains($0) }
    }

    /// Requires a value in a range, excluding its upper end.
    ///
    /// `nil` is accepted. An empty range refuses every value.
    ///
    /// - Parameter range: The range.
    @_disfavoredOverload
    public static func isIn(_ range: Range<Value>) -> Validation {
        Validation("The value has to be in \(range.lowerBound)..<\(range.upperBound).") { range.contains($0) }
    }

    /// Requires a value above a bound.
    ///
    /// The bound itself is refused, and `nil` is accepted.
    ///
    /// - Parameter bound: The bound.
    @_disfavoredOverload
    public static func greaterThan(_ bound: Value) -> Validation {
        Validation("The value has to be greater than \(bound).") { $0 > bound }
    }

    /// Requires a value that is equal to a bound or above it.
    ///
    /// The bound itself is accepted, and so is `nil`.
    ///
    /// - Parameter bound: The bound.
    @_disfavoredOverload
    public static func greaterThanOrEqual(to bound: Value) -> Validation {
        Validation("The value has to be \(bound) or greater.") { $0 >= bound }
    }

    /// Requires a value below a bound.
    ///
    /// The bound itself is refused, and `nil` is accepted.
    ///
    /// - Parameter bound: The bound.
    @_disfavoredOverload
    public static func lessThan(_ bound: Value) -> Validation {
        Validation("The value has to be less than \(bound).") { $0 < bound }
    }

    /// Requires a value that is equal to a bound or below it.
    ///
    /// The bound itself is accepted, and so is `nil`.
    ///
    /// - Parameter bound: The bound.
    @_disfavoredOverload
    public static func lessThanOrEqual(to bound: Value) -> Validation {
        Validation("The value has to be \(bound) or less.") { $0 <= bound }
    }
}

extension Validation where Value: Equatable & Sendable {
    /// Requires one of several values.
    ///
    /// The message lists the values. `nil` is accepted. Without values, the rule refuses everything else.
    ///
    /// - Parameter values: The values.
    public static func isOne(of values: Value...) -> Validation {
        Validation(
            "The value has to be one of \(values.map { ValueDescription.string(of: $0) }.joined(separator: ", "))."
        ) {
            values.contains($0)
        }
    }
}
