#if PostgreSQL
import Foundation
import OpenCoreData

/// Conditions that find more rows than what they are made of, so that texts that the server can't fold are among them: indexes
/// for searches have these in one place.
enum WideSearch {
    /// The condition in which such a text may be more, but never less; nil without such conditions.
    static func predicate(_ predicate: NSPredicate?) -> NSPredicate? {
        guard let predicate else { return nil }
        let parts = conjuncts(predicate).filter(isMonotonic)
        return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }

    private static func conjuncts(_ predicate: NSPredicate) -> [NSPredicate] {
        guard case .compound(let compound) = predicate.node, compound.compoundPredicateType == .and else {
            return [predicate]
        }
        return compound.parts.flatMap(conjuncts)
    }

    /// Whether more rows that fulfill a part are more rows that fulfill all of it.
    private static func isMonotonic(_ predicate: NSPredicate) -> Bool {
        switch predicate.node {
        case .compound(let compound):
            return compound.compoundPredicateType != .not && compound.parts.allSatisfy(isMonotonic)
        case .comparison(let comparison):
            return comparison.comparisonPredicateModifier == .direct
                && comparison.predicateOperatorType != .notEqualTo
                && [comparison.leftExpression, comparison.rightExpression].allSatisfy(isPlain)
        default: return false
        }
    }

    private static func isPlain(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case .keyPath, .constant, .evaluatedObject: true
        default: false
        }
    }
}
#endif
