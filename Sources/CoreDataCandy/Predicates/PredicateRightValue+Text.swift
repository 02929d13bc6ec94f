import OpenCoreDataKit

/// Operators on strings. Case and diacritics count. The negated ones hold for a missing string.
extension PredicateRightValue where Value: DatabaseTextValue, TestValue == String {
    /// The string begins with another.
    public static func hasPrefix(_ prefix: String) -> Self { comparison(.beginsWith, prefix) }

    /// The string doesn't begin with another.
    public static func hasNoPrefix(_ prefix: String) -> Self { comparison(.beginsWith, prefix, isInverted: true) }

    /// The string ends with another.
    public static func hasSuffix(_ suffix: String) -> Self { comparison(.endsWith, suffix) }

    /// The string doesn't end with another.
    public static func hasNoSuffix(_ suffix: String) -> Self { comparison(.endsWith, suffix, isInverted: true) }

    /// The string contains another.
    public static func contains(_ other: String) -> Self { comparison(.contains, other) }

    /// The string doesn't contain another.
    public static func doesNotContain(_ other: String) -> Self { comparison(.contains, other, isInverted: true) }

    /// The string as a whole matches a regular expression. One that is not valid makes the fetch throw.
    public static func matches(_ pattern: RegularExpressionPattern) -> Self { comparison(.matches, pattern.text) }

    /// The string as a whole doesn't match a regular expression. One that is not valid makes the fetch throw.
    public static func doesNotMatch(_ pattern: RegularExpressionPattern) -> Self {
        comparison(.matches, pattern.text, isInverted: true)
    }
}
