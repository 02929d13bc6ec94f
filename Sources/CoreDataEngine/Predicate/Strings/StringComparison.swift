package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// String comparison, the one place for memory and SQL.
///
/// Rules:
/// - Without options strings are compared byte by byte in UTF-8, which is the order of Unicode code points and what
///   SQLite's `BINARY` collation does. Two spellings of `é` (one or two code points) differ.
/// - `[c]`, `[d]`, `[cd]` fold both strings as `String.folding(options:locale:)` does without a locale, then compare the
///   results byte by byte. `[n]` means "compare as they are" and switches folding off.
/// - `[l]` changes the order and equality to that of the user's locale; for parts of strings it has no effect.
/// - BEGINSWITH, ENDSWITH and CONTAINS find an empty string nowhere, as Foundation's range search does.
/// - LIKE and MATCHES are about the whole string. In a LIKE pattern `?` is one code point, `*` any number; a backslash
///   takes the meaning from the character after it. MATCHES takes ICU's regular expressions.
package enum StringComparison {
    /// Whether two strings are equal.
    package static func equal(_ left: String, _ right: String, options: NSComparisonPredicate.Options) -> Bool {
        if options.contains(.localeSensitive) { return compare(left, right, options: options) == .orderedSame }
        return withUTF8(left, right) { equal($0, $1, options: options) }
    }

    /// Whether two strings in UTF-8 are equal.
    package static func equal(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, options: NSComparisonPredicate.Options
    ) -> Bool {
        if options.contains(.localeSensitive) { return compare(left, right, options: options) == .orderedSame }
        if left.count == right.count, compareBytes(left, right) == .orderedSame { return true }
        guard StringFolding.isNeeded(options) else { return false }
        return compare(left, right, options: options) == .orderedSame
    }

    /// The order of two strings.
    package static func compare(
        _ left: String, _ right: String, options: NSComparisonPredicate.Options
    ) -> ComparisonResult {
        if options.contains(.localeSensitive) {
            return StringOrdering.localized(StringFolding.folded(left, options), StringFolding.folded(right, options))
        }
        return withUTF8(left, right) { compare($0, $1, options: options) }
    }

    /// The order of two strings in UTF-8.
    package static func compare(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, options: NSComparisonPredicate.Options
    ) -> ComparisonResult {
        if options.contains(.localeSensitive) {
            return compare(
                String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self), options: options)
        }
        return StringFolding.withFolded(left, options) { left in
            StringFolding.withFolded(right, options) { right in compareBytes(left, right) }
        }
    }

    /// The order of two strings byte by byte.
    package static func compareBytes(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> ComparisonResult {
        let common = min(left.count, right.count)
        if common > 0, let a = left.baseAddress, let b = right.baseAddress {
            let result = memcmp(a, b, common)
            if result != 0 { return result < 0 ? .orderedAscending : .orderedDescending }
        }
        if left.count == right.count { return .orderedSame }
        return left.count < right.count ? .orderedAscending : .orderedDescending
    }

    /// Whether the left string matches the right one by a string operator.
    ///
    /// For many strings against one pattern make a ``StringMatcher`` instead.
    ///
    /// - Throws: An error if the operator is MATCHES and the pattern is not a regular expression, or takes too many steps.
    package static func matches(
        _ string: String, _ type: NSComparisonPredicate.Operator, _ pattern: String,
        options: NSComparisonPredicate.Options
    ) throws -> Bool {
        try StringMatcher(type, pattern: pattern, options: options).matches(string)
    }

    private static func withUTF8<Result>(
        _ left: String, _ right: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { right in body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) }
        }
    }
}
