import OpenCoreDataKit

/// Operators on strings. Case and diacritics count. The negated ones hold for a missing string.
extension PredicateRightValue where Value: DatabaseTextValue, TestValue == String {
    /// The string begins with another.
    ///
    /// Case and diacritics count. A missing string has no prefix.
    ///
    /// - Parameter prefix: The beginning.
    /// - Returns: The operator.
    public static func hasPrefix(_ prefix: String) -> Self { comparison(.beginsWith, prefix) }

    /// The string doesn't begin with another.
    ///
    /// Objects without a string are found, too.
    ///
    /// - Parameter prefix: The beginning.
    /// - Returns: The operator.
    public static func hasNoPrefix(_ prefix: String) -> Self { comparison(.beginsWith, prefix, isInverted: true) }

    /// The string ends with another.
    ///
    /// Case and diacritics count. A missing string has no suffix.
    ///
    /// - Parameter suffix: The end.
    /// - Returns: The operator.
    public static func hasSuffix(_ suffix: String) -> Self { comparison(.endsWith, suffix) }

    /// The string doesn't end with another.
    ///
    /// Objects without a string are found, too.
    ///
    /// - Parameter suffix: The end.
    /// - Returns: The operator.
    public static func hasNoSuffix(_ suffix: String) -> Self { comparison(.endsWith, suffix, isInverted: true) }

    /// The string contains another.
    ///
    /// Case and diacritics count. A missing string contains nothing.
    ///
    /// - Parameter other: The other string.
    /// - Returns: The operator.
    public static func contains(_ other: String) -> Self { comparison(.contains, other) }

    /// The string doesn't contain another.
    ///
    /// Objects without a string are found, too.
    ///
    /// - Parameter other: The other string.
    /// - Returns: The operator.
    public static func doesNotContain(_ other: String) -> Self { comparison(.contains, other, isInverted: true) }

    /// The string as a whole matches a regular expression. One that is not valid makes the fetch throw.
    ///
    /// A missing string matches nothing.
    ///
    /// - Parameter pattern: The expression.
    /// - Returns: The operator.
    public static func matches(_ pattern: RegularExpressionPattern) -> Self { comparison(.matches, pattern.text) }

    /// The string as a whole doesn't match a regular expression. One that is not valid makes the fetch throw.
    ///
    /// Objects without a string are found, too.
    ///
    /// - Parameter pattern: The expression.
    /// - Returns: The operator.
    public static func doesNotMatch(_ pattern: RegularExpressionPattern) -> Self {
        comparison(.matches, pattern.text, isInverted: true)
    }
}
