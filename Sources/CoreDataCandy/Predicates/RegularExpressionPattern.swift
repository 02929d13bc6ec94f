/// A regular expression for ``PredicateRightValue/matches(_:)``. Applications name theirs in an extension.
///
/// ```swift
/// extension RegularExpressionPattern {
///     static let zip: Self = "[0-9]{5}"
/// }
/// ```
public struct RegularExpressionPattern: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The expression's text.
    public let text: String

    /// Creates a pattern from a string, which is checked when it is used.
    ///
    /// An expression that isn't valid makes the fetch throw that uses it.
    ///
    /// - Parameter text: The expression.
    public init(_ text: String) { self.text = text }

    /// Creates a pattern from a literal.
    ///
    /// Called by the compiler for a string literal. An expression that isn't valid makes the fetch throw that uses it.
    ///
    /// - Parameter value: The literal.
    public init(stringLiteral value: String) { text = value }
}
