package import Foundation

/// The ways to order strings that a sort descriptor can name by a selector.
package enum StringOrdering: String, Sendable, CaseIterable {
    /// By code points.
    case compare = "compare:"
    /// By code points of the strings folded as `[c]`.
    case caseInsensitive = "caseInsensitiveCompare:"
    /// By the rules of the user's locale.
    case localized = "localizedCompare:"
    /// By the rules of the user's locale, upper and lower case being the same.
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    /// As file managers order names: by the locale's rules, and numbers in the string by their value.
    case localizedStandard = "localizedStandardCompare:"

    /// The order of two strings.
    package func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .compare: StringComparison.compare(left, right, options: [])
        case .caseInsensitive: StringComparison.compare(left, right, options: .caseInsensitive)
        case .localized: Self.localized(left, right)
        case .localizedCaseInsensitive: left.localizedCaseInsensitiveCompare(right)
        case .localizedStandard: left.localizedStandardCompare(right)
        }
    }

    /// The order of two strings in UTF-8.
    package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
        switch self {
        case .compare: StringComparison.compare(left, right, options: [])
        case .caseInsensitive: StringComparison.compare(left, right, options: .caseInsensitive)
        default: compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
        }
    }

    static func localized(_ left: String, _ right: String) -> ComparisonResult {
        left.localizedCompare(right)
    }
}
