import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A string operator with its right side prepared: the pattern is folded, compiled or taken apart once.
///
/// The rules are those of ``StringComparison``.
package final class StringMatcher: Sendable {
    private enum Pattern: Sendable {
        case equal([UInt8])
        case contains([UInt8])
        case beginsWith([UInt8])
        case endsWith([UInt8])
        case like(LikePattern)
        case regularExpression(WholeMatch)
        /// `==[l]`: equality by the rules of the locale.
        case localizedEqual(String)
    }

    private let pattern: Pattern
    private let options: NSComparisonPredicate.Options

    /// Prepares a pattern.
    ///
    /// - Parameters:
    ///   - type: `equalTo`, `contains`, `beginsWith`, `endsWith`, `like` or `matches`.
    ///   - pattern: The right side.
    ///   - options: How strings are compared.
    /// - Throws: An error if the pattern isn't a regular expression, or the operator isn't one of strings.
    package init(
        _ type: NSComparisonPredicate.Operator, pattern: String, options: NSComparisonPredicate.Options
    ) throws {
        self.options = options
        let folded = StringFolding.folded(pattern, options)
        switch type {
        case .equalTo where options.contains(.localeSensitive): self.pattern = .localizedEqual(pattern)
        case .equalTo: self.pattern = .equal(Array(folded.utf8))
        case .contains: self.pattern = .contains(Array(folded.utf8))
        case .beginsWith: self.pattern = .beginsWith(Array(folded.utf8))
        case .endsWith: self.pattern = .endsWith(Array(folded.utf8))
        case .like: self.pattern = .like(LikePattern(folded))
        case .matches: self.pattern = .regularExpression(try WholeMatch(pattern, options))
        default:
            throw PredicateError.evaluation(
                "The operator \(PredicateFormatPrinter.symbol(type)) does not compare strings.")
        }
    }

    /// Whether a string matches.
    ///
    /// - Throws: An error that quotes a regular expression which takes too many steps for the string.
    package func matches(_ string: String) throws -> Bool {
        switch pattern {
        case .regularExpression(let expression): return try expression.matches(string, options)
        case .localizedEqual(let other): return StringComparison.equal(string, other, options: options)
        default:
            var string = string
            return try string.withUTF8 { try matches(utf8: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Whether a string in UTF-8 matches.
    ///
    /// - Throws: An error that quotes a regular expression which takes too many steps for the string.
    package func matches(utf8 string: UnsafeRawBufferPointer) throws -> Bool {
        switch pattern {
        case .regularExpression, .localizedEqual: try matches(String(decoding: string, as: UTF8.self))
        default: StringFolding.withFolded(string, options) { matches(folded: $0) }
        }
    }

    private func matches(folded string: UnsafeRawBufferPointer) -> Bool {
        switch pattern {
        case .equal(let bytes): bytes.count == string.count && Self.isSame(string, at: 0, bytes)
        case .contains(let bytes): Self.contains(string, bytes)
        case .beginsWith(let bytes): !bytes.isEmpty && bytes.count <= string.count && Self.isSame(string, at: 0, bytes)
        case .endsWith(let bytes):
            !bytes.isEmpty && bytes.count <= string.count && Self.isSame(string, at: string.count - bytes.count, bytes)
        case .like(let pattern): pattern.matches(string)
        case .regularExpression, .localizedEqual: false
        }
    }

    private static func isSame(_ string: UnsafeRawBufferPointer, at offset: Int, _ bytes: [UInt8]) -> Bool {
        guard let start = string.baseAddress else { return bytes.isEmpty }
        return bytes.withUnsafeBytes { bytes in
            guard let other = bytes.baseAddress else { return true }
            return memcmp(start + offset, other, bytes.count) == 0
        }
    }

    private static func contains(_ string: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, bytes.count <= string.count, let start = string.baseAddress else { return false }
        let last = string.count - bytes.count
        var position = 0
        while position <= last {
            guard let found = memchr(start + position, Int32(first), last - position + 1) else { return false }
            position = UnsafeRawPointer(found) - start
            if isSame(string, at: position, bytes) { return true }
            position += 1
        }
        return false
    }
}
