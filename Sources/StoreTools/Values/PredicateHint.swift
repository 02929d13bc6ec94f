import Foundation
package import OpenCoreData

/// What users of other query languages may have meant by a predicate that means something else here.
package enum PredicateHint {
    /// Sentences about characters in a predicate that are wildcards elsewhere.
    package static func sentences(for predicate: NSPredicate) -> [String] {
        if let compound = predicate as? NSCompoundPredicate {
            return compound.subpredicates.compactMap { $0 as? NSPredicate }.flatMap(sentences)
        }
        guard let comparison = predicate as? NSComparisonPredicate,
            comparison.rightExpression.expressionType == .constantValue,
            let pattern = comparison.rightExpression.constantValue as? String
        else { return [] }
        switch comparison.predicateOperatorType {
        case .like: return like(pattern, comparison).map { [$0] } ?? []
        case .contains, .beginsWith, .endsWith: return part(pattern, comparison).map { [$0] } ?? []
        default: return []
        }
    }

    private static func like(_ pattern: String, _ comparison: NSComparisonPredicate) -> String? {
        guard pattern.contains("%"), !pattern.contains("*"), !pattern.contains("?") else { return nil }
        let meant = pattern.replacing("%", with: "*")
        return "In LIKE, * stands for any characters and ? for one, and % only for itself; did you mean "
            + "\(symbol(comparison)) \"\(meant)\"?"
    }

    private static func part(_ pattern: String, _ comparison: NSComparisonPredicate) -> String? {
        let marks: Set<Character> = ["%", "*"]
        guard let first = pattern.first, let last = pattern.last, pattern.count > 1,
            marks.contains(first) || marks.contains(last)
        else { return nil }
        let meant = pattern.trimmingCharacters(in: CharacterSet(charactersIn: "%*"))
        guard !meant.isEmpty else { return nil }
        let symbol = symbol(comparison)
        return "\(symbol) takes its string as it is, without wildcards; did you mean \(symbol) \"\(meant)\"?"
    }

    private static func symbol(_ comparison: NSComparisonPredicate) -> String {
        PredicateFormatPrinter.symbol(comparison.predicateOperatorType)
    }

    /// A sentence about a format that can't be read, for what SQL has and predicates write in another way.
    static func sentence(forUnreadable format: String) -> String? {
        let patterns: [(Regex<Substring>, String)] = [
            (/\bIS\s+NOT\s+NULL\b/.ignoresCase(), "Write != nil instead of IS NOT NULL."),
            (/\bIS\s+NULL\b/.ignoresCase(), "Write == nil instead of IS NULL."),
            (/\bNOT\s+LIKE\b/.ignoresCase(), "Write NOT (title LIKE \"a*\") instead of title NOT LIKE \"a%\"."),
            (/\bNOT\s+IN\b/.ignoresCase(), "Write NOT (title IN {…}) instead of title NOT IN (…)."),
            (/\bILIKE\b/.ignoresCase(), "Write LIKE[c], with * for any characters, instead of ILIKE."),
            (/\bLIKE\s+[^\s"'{]*%/.ignoresCase(), "Put strings into quotes, with * for any characters: LIKE \"*x*\"."),
        ]
        return patterns.first { format.contains($0.0) }?.1
    }
}
