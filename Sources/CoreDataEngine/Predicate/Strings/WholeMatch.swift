import Foundation
import Synchronization

/// A regular expression that has to match a whole string.
///
/// Some patterns take a number of steps that doubles with each character of a string that does not match, `(a+)+b` for one.
/// Matching stops after ``mostReports`` of ICU's reports of progress, each of ten thousand steps, and where ICU has no
/// room left to go back to: that is an error and never "does not match". Steps are counted and not seconds, so that the
/// answer depends on nothing but pattern and string.
// NSRegularExpression is immutable and documented as safe to use from several threads at once.
struct WholeMatch: @unchecked Sendable {
    private let pattern: String
    private let expression: NSRegularExpression

    /// About half a second's work.
    private static let mostReports = 2_000

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
        self.pattern = pattern
        let isFolded = StringFolding.isNeeded(options)
        let source =
            isFolded && options.contains(.diacriticInsensitive)
            ? StringFolding.folded(pattern, .diacriticInsensitive) : pattern
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

    /// Whether a string matches.
    ///
    /// - Throws: An error that quotes the pattern if it takes too many steps to find out.
    func matches(_ string: String, _ options: NSComparisonPredicate.Options) throws -> Bool {
        let isFolded = StringFolding.isNeeded(options) && options.contains(.diacriticInsensitive)
        let subject = isFolded ? StringFolding.folded(string, .diacriticInsensitive) : string
        let whole = NSRange(location: 0, length: subject.utf16.count)
        var isFound = false
        var isDecided = true
        var reports = 0
        expression.enumerateMatches(in: subject, options: [.reportProgress, .reportCompletion], range: whole) {
            match, flags, stop in
            if match != nil {
                isFound = true
                stop.pointee = true
            } else if flags.contains(.internalError) {
                isDecided = false
            } else if flags.contains(.progress) {
                reports += 1
                guard reports > Self.mostReports else { return }
                isDecided = false
                stop.pointee = true
            }
        }
        guard isFound || isDecided else {
            throw PredicateError.evaluation(
                "The regular expression \"\(pattern)\" takes too many steps to match a string of \(whole.length) characters. "
                    + "Avoid repetitions of repetitions, as in (a+)+.")
        }
        return isFound
    }
}
