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
    public init(_ text: String) { self.text = text }

    /// Creates a pattern from a literal.
    public init(stringLiteral value: String) { text = value }
}
