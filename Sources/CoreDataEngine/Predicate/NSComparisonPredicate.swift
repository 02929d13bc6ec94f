public import Foundation

/// A specialized predicate for comparing expressions.
open class NSComparisonPredicate: NSPredicate {
    /// How the comparison applies to a collection on the left.
    public enum Modifier: UInt, Sendable {
        /// Compares the left value itself.
        case direct = 0
        /// All elements on the left match.
        case all = 1
        /// At least one element on the left matches.
        case any = 2
    }

    /// The kind of comparison.
    ///
    /// The raw values are Apple's.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`. Two nil values are equal.
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// The left string matches the regular expression on the right as a whole.
        case matches = 6
        /// The left string matches the pattern on the right, in which `?` is one character and `*` any number.
        case like = 7
        /// The left string begins with the right one.
        case beginsWith = 8
        /// The left string ends with the right one.
        case endsWith = 9
        /// The left value is an element of the right collection, or a part of the right string.
        case `in` = 10
        /// The named method of the left value, called with the right value, returns true.
        case customSelector = 11
        /// The left collection has the right value as an element, or the left string contains the right string.
        case contains = 99
        /// The left value lies between the two values on the right, or equals one of them.
        case between = 100
    }

    /// How strings are compared.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The options as bits, with Apple's values.
        public let rawValue: UInt

        /// Creates options from bits.
        ///
        /// Programs use the constants and arrays of them, such as `[.caseInsensitive, .diacriticInsensitive]`.
        ///
        /// - Parameter rawValue: The bits, with Apple's values.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Upper and lower case are the same, `[c]`.
        public static let caseInsensitive = Options(rawValue: 1)
        /// Letters with and without diacritics are the same, `[d]`.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// The strings need no treatment and are compared byte for byte, `[n]`.
        public static let normalized = Options(rawValue: 4)
        /// The strings are compared by the rules of the user's locale, `[l]`.
        package static let localeSensitive = Options(rawValue: 8)
    }

    /// The comparison's type.
    open var predicateOperatorType: Operator { comparison.type }
    /// How the comparison applies to a collection on the left.
    open var comparisonPredicateModifier: Modifier { comparison.modifier }
    /// The left expression.
    open var leftExpression: NSExpression { comparison.left }
    /// The right expression.
    open var rightExpression: NSExpression { comparison.right }
    /// The method of a comparison of type ``Operator/customSelector``.
    open var customSelector: Selector? { comparison.selector }
    /// How strings are compared.
    open var options: Options { comparison.options }

    private struct Comparison {
        var left: NSExpression
        var right: NSExpression
        var modifier = Modifier.direct
        var type: Operator
        var options: Options = []
        var selector: Selector?
        var error: (any Error)?
    }

    // Written while the predicate is being made only.
    private final var comparison: Comparison
    /// The right side, prepared for evaluation if it is a constant.
    final let preparedOperand = PreparedOperand()

    package override var node: Node {
        if let error = comparison.error { return .invalid(error) }
        return .comparison(self)
    }

    /// Creates a comparison of two expressions.
    ///
    /// A comparison is true or false, never unknown: two `nil` values are equal, `nil` differs from any other value,
    /// and `<`, `<=`, `>` and `>=` are false for `nil`. Values of kinds that can't be compared aren't equal. A fetch
    /// with more than 1,000 levels of predicates and expressions throws.
    ///
    /// ```swift
    /// let predicate = NSComparisonPredicate(
    ///     leftExpression: NSExpression(forKeyPath: "pages"), rightExpression: NSExpression(forConstantValue: 500),
    ///     type: .greaterThan)
    /// ```
    ///
    /// - Parameters:
    ///   - lhs: The left expression.
    ///   - rhs: The right expression.
    ///   - modifier: How the comparison applies to a collection on the left.
    ///   - type: The kind of comparison.
    ///   - options: How strings are compared.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier = .direct,
        type: Operator, options: Options = []
    ) {
        comparison = Comparison(
            left: PredicateDepth.part(lhs), right: PredicateDepth.part(rhs), modifier: modifier, type: type,
            options: options)
        super.init()
        depth = max(lhs.depth, rhs.depth) + 1
    }

    /// Creates a comparison that calls a method of the left value with the right value.
    ///
    /// Methods aren't called by name here: the selectors that compare strings are known, and any other makes a fetch
    /// throw.
    ///
    /// - Parameters:
    ///   - lhs: The left expression.
    ///   - rhs: The right expression.
    ///   - customSelector: The selector of a comparison method.
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector: Selector) {
        comparison = Comparison(
            left: PredicateDepth.part(lhs), right: PredicateDepth.part(rhs), type: .customSelector,
            selector: customSelector)
        super.init()
        depth = max(lhs.depth, rhs.depth) + 1
    }

    /// Decodes a comparison. `nil` if the archive has none.
    ///
    /// An archive of any other predicate gives `nil`, too.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        guard let decoded = PredicateArchiving.predicate(from: coder) as? NSComparisonPredicate else { return nil }
        self.init(
            leftExpression: decoded.leftExpression, rightExpression: decoded.rightExpression,
            type: decoded.predicateOperatorType)
        comparison = decoded.comparison
    }

    convenience init(invalidComparison error: any Error) {
        let nothing = NSExpression(forConstantValue: nil)
        self.init(leftExpression: nothing, rightExpression: nothing, type: .equalTo)
        comparison.error = error
    }
}
