import OpenCoreDataKit

/// Operators on texts. Case and diacritics count. The negated ones hold for a missing text.
extension PredicateRightValue where Value: DatabaseTextValue, TestValue == String {
    /// The text begins with another.
    public static func hasPrefix(_ prefix: String) -> Self { comparison(.beginsWith, prefix) }

    /// The text doesn't begin with another.
    public static func hasNoPrefix(_ prefix: String) -> Self { comparison(.beginsWith, prefix, isInverted: true) }

    /// The text ends with another.
    public static func hasSuffix(_ suffix: String) -> Self { comparison(.endsWith, suffix) }

    /// The text doesn't end with another.
    public static func hasNoSuffix(_ suffix: String) -> Self { comparison(.endsWith, suffix, isInverted: true) }

    /// The text contains another.
    public static func contains(_ other: String) -> Self { comparison(.contains, other) }

    /// The text doesn't contain another.
    public static func doesNotContain(_ other: String) -> Self { comparison(.contains, other, isInverted: true) }

    /// The text as a whole matches a regular expression. One that is not valid makes the fetch throw.
    public static func matches(_ pattern: RegularExpressionPattern) -> Self { comparison(.matches, pattern.text) }

    /// The text as a whole doesn't match a regular expression. One that is not valid makes the fetch throw.
    public static func doesNotMatch(_ pattern: RegularExpressionPattern) -> Self {
        comparison(.matches, pattern.text, isInverted: true)
    }
}
