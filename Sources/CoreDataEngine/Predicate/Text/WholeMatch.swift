import Foundation
import Synchronization

/// A regular expression that has to match a whole text.
// NSRegularExpression is immutable and documented as safe to use from several threads at once.
struct WholeMatch: @unchecked Sendable {
    private let expression: NSRegularExpression

    private struct Key: Hashable {
        let pattern: String
        let options: UInt
    }

    private static let cache = Mutex<[Key: WholeMatch]>([:])
    private static let cacheLimit = 256

    /// Compiles a pattern or takes it from the cache.
    ///
    /// - Throws: An error that quotes the pattern if it is not a regular expression.
    init(_ pattern: String, _ options: NSComparisonPredicate.Options) throws {
        let key = Key(pattern: pattern, options: options.rawValue)
        if let known = Self.cache.withLock({ $0[key] }) {
            self = known
            return
        }
        let compiled = try WholeMatch(compiling: pattern, options)
        Self.cache.withLock { cache in
            if cache.count >= Self.cacheLimit { cache.removeAll() }
            cache[key] = compiled
        }
        self = compiled
    }

    private init(compiling pattern: String, _ options: NSComparisonPredicate.Options) throws {
        let isFolded = TextFolding.isNeeded(options)
        let source =
            isFolded && options.contains(.diacriticInsensitive)
            ? TextFolding.folded(pattern, .diacriticInsensitive) : pattern
        let flags: NSRegularExpression.Options =
            isFolded && options.contains(.caseInsensitive) ? .caseInsensitive : []
        do {
            // By itself first: a pattern such as `a)(b` must not become valid through the group around it.
            _ = try NSRegularExpression(pattern: source, options: flags)
            expression = try NSRegularExpression(pattern: "\\A(?:\(source))\\z", options: flags)
        } catch {
            throw PredicateError.format("\"\(pattern)\" is not a valid regular expression for MATCHES.")
        }
    }

    func matches(_ text: String, _ options: NSComparisonPredicate.Options) -> Bool {
        let isFolded = TextFolding.isNeeded(options) && options.contains(.diacriticInsensitive)
        let subject = isFolded ? TextFolding.folded(text, .diacriticInsensitive) : text
        let whole = NSRange(location: 0, length: subject.utf16.count)
        return expression.firstMatch(in: subject, options: [], range: whole) != nil
    }
}
