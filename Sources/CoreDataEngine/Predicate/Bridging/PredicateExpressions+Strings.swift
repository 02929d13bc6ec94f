#if !canImport(Darwin)
public import Foundation

// The macro `#Predicate` writes these names, which Foundation has on Apple's systems alone.
extension PredicateExpressions {
    /// Whether a string contains another, whatever the case and the diacritics.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the result.
        public typealias Output = Bool

        /// The string that is searched.
        public let root: Root
        /// The string that is looked for.
        public let other: Other

        /// Creates the expression.
        ///
        /// `#Predicate` creates it. In a fetch it becomes `CONTAINS[cd]`.
        ///
        /// - Parameters:
        ///   - root: The string that is searched.
        ///   - other: The string that is looked for.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The result for the values of the variables.
        ///
        /// Foundation calls it when the predicate is evaluated in memory.
        ///
        /// - Parameter bindings: The values of the variables.
        /// - Throws: What the parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
        }
    }

    /// The order of two strings, whatever their case.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the result.
        public typealias Output = ComparisonResult

        /// The first string.
        public let root: Root
        /// The second string.
        public let other: Other

        /// Creates the expression.
        ///
        /// `#Predicate` creates it. In a fetch it has to be compared with a constant of the type `ComparisonResult`,
        /// and becomes a comparison with the option `[c]`.
        ///
        /// - Parameters:
        ///   - root: The first string.
        ///   - other: The second string.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The result for the values of the variables.
        ///
        /// Foundation calls it when the predicate is evaluated in memory.
        ///
        /// - Parameter bindings: The values of the variables.
        /// - Throws: What the parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
        }
    }

    /// The order of two strings for the user's language.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The type of the result.
        public typealias Output = ComparisonResult

        /// The first string.
        public let root: Root
        /// The second string.
        public let other: Other

        /// Creates the expression.
        ///
        /// `#Predicate` creates it. In a fetch it has to be compared with a constant of the type `ComparisonResult`,
        /// and becomes a comparison with the option `[l]`.
        ///
        /// - Parameters:
        ///   - root: The first string.
        ///   - other: The second string.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The result for the values of the variables.
        ///
        /// Foundation calls it when the predicate is evaluated in memory.
        ///
        /// - Parameter bindings: The values of the variables.
        /// - Throws: What the parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
        }
    }

    /// What `#Predicate` writes for `localizedStandardContains(_:)`.
    ///
    /// In a fetch the expression becomes `CONTAINS[cd]`.
    ///
    /// - Parameters:
    ///   - root: The string that the method is called on.
    ///   - other: The string that is looked for.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// What `#Predicate` writes for `caseInsensitiveCompare(_:)`.
    ///
    /// In a fetch the result has to be compared with a constant, such as `.orderedSame`.
    ///
    /// - Parameters:
    ///   - root: The string that the method is called on.
    ///   - other: The string that is compared with.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// What `#Predicate` writes for `localizedCompare(_:)`.
    ///
    /// In a fetch the result has to be compared with a constant, such as `.orderedSame`.
    ///
    /// - Parameters:
    ///   - root: The string that the method is called on.
    ///   - other: The string that is compared with.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

// MARK: Translating

/// The order of two strings, which a predicate compares with one of the three results.
private protocol StringOrderTranslating {
    var strings: (any PredicateExpression, any PredicateExpression) { get }
    var options: NSComparisonPredicate.Options { get }
}

extension StringOrderTranslating {
    fileprivate var notCompared: any Error {
        FoundationPredicateTranslator.unsupported(
            self, "has to be compared with a constant of the type ComparisonResult")
    }
}

extension FoundationPredicateTranslator {
    /// The comparison that an order and a result make; nil where `part` is no order.
    func ordering(_ part: any PredicateExpression, _ result: any PredicateExpression) throws -> NSPredicate? {
        guard let order = part as? any StringOrderTranslating else { return nil }
        guard let result = (result as? PredicateExpressions.Value<ComparisonResult>)?.value else {
            throw order.notCompared
        }
        let type: NSComparisonPredicate.Operator =
            switch result {
            case .orderedAscending: .lessThan
            case .orderedSame: .equalTo
            case .orderedDescending: .greaterThan
            }
        return NSComparisonPredicate(
            leftExpression: try expression(order.strings.0), rightExpression: try expression(order.strings.1),
            modifier: .direct, type: type, options: order.options)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: PredicateTermTranslating {
    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm {
        .predicate(
            NSComparisonPredicate(
                leftExpression: try translator.expression(root), rightExpression: try translator.expression(other),
                modifier: .direct, type: .contains, options: [.caseInsensitive, .diacriticInsensitive]))
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: PredicateTermTranslating, StringOrderTranslating {
    var strings: (any PredicateExpression, any PredicateExpression) { (root, other) }
    var options: NSComparisonPredicate.Options { .caseInsensitive }

    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm { throw notCompared }
}

extension PredicateExpressions.StringLocalizedCompare: PredicateTermTranslating, StringOrderTranslating {
    var strings: (any PredicateExpression, any PredicateExpression) { (root, other) }
    var options: NSComparisonPredicate.Options { .localeSensitive }

    func term(_ translator: FoundationPredicateTranslator) throws -> TranslatedTerm { throw notCompared }
}
#endif
