package import Foundation

/// The ways to order texts that a sort descriptor can name by a selector.
package enum TextOrdering: String, Sendable, CaseIterable {
    /// By code points.
    case compare = "compare:"
    /// By code points of the texts folded as `[c]`.
    case caseInsensitive = "caseInsensitiveCompare:"
    /// By the rules of the user's locale.
    case localized = "localizedCompare:"
    /// By the rules of the user's locale, upper and lower case being the same.
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    /// As file managers order names: by the locale's rules, and numbers in the text by their value.
    case localizedStandard = "localizedStandardCompare:"

    /// The order of two texts.
    package func compare(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .compare: TextComparison.compare(left, right, options: [])
        case .caseInsensitive: TextComparison.compare(left, right, options: .caseInsensitive)
        case .localized: Self.localized(left, right)
        case .localizedCaseInsensitive: left.localizedCaseInsensitiveCompare(right)
        case .localizedStandard: left.localizedStandardCompare(right)
        }
    }

    /// The order of two texts in UTF-8.
    package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult {
        switch self {
        case .compare: TextComparison.compare(left, right, options: [])
        case .caseInsensitive: TextComparison.compare(left, right, options: .caseInsensitive)
        default: compare(String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
        }
    }

    static func localized(_ left: String, _ right: String) -> ComparisonResult {
        left.localizedCompare(right)
    }
}
