package import Foundation

/// How deep predicates and expressions may be nested.
///
/// Each predicate and expression knows its depth from the time it is made, so that nothing has to be walked to learn it.
/// A part that would make a tree deeper than the limit is replaced by one that keeps the error: whatever evaluates,
/// prints, archives, compares or translates a tree, and the release of its memory, goes down ``limit`` levels at most, and
/// a program that uses the tree gets the error.
package enum PredicateDepth {
    /// The most levels. One predicate or expression inside another is one level; a list of any length is one, too.
    package static let limit = 1_000

    package static func error(_ depth: Int) -> CocoaError {
        PredicateError.evaluation(
            "The predicate is nested \(depth) levels deep, which is more than the \(limit) levels that can be used. "
                + "Join conditions in one NSCompoundPredicate, or use IN with a list.")
    }

    // MARK: Parts

    /// The predicate itself, or what represents one that is too deep to be a part of another.
    static func part(_ predicate: NSPredicate) -> NSPredicate {
        predicate.depth < limit ? predicate : NSPredicate(invalid: error(predicate.depth + 1), depth: predicate.depth)
    }

    /// The expression itself, or what represents one that is too deep to be a part of another.
    static func part(_ expression: NSExpression) -> NSExpression {
        expression.depth < limit
            ? expression : NSExpression(invalid: error(expression.depth + 1), depth: expression.depth)
    }

    /// The parts of a compound predicate, and its depth.
    static func parts(_ predicates: [NSPredicate]) -> (parts: [NSPredicate], depth: Int) {
        var deepest = 0
        for predicate in predicates { deepest = max(deepest, predicate.depth) }
        return (deepest < limit ? predicates : predicates.map(part), deepest + 1)
    }

    /// How deep an expression is.
    static func depth(of node: ExpressionNode) -> Int {
        if case .constant(let value) = node { return 1 + (value.map { ConstantDepth.of($0) } ?? 0) }
        var deepest = 0
        node.forEachPart { part in
            switch part {
            case .predicate(let predicate): deepest = max(deepest, predicate.depth)
            case .expression(let expression): deepest = max(deepest, expression.depth)
            }
        }
        return deepest + 1
    }

    /// What an expression that is too deep is instead: one whose parts are not.
    static func bounded(_ node: ExpressionNode) -> ExpressionNode {
        if case .constant = node { return .invalid(error(depth(of: node))) }
        return node.mapped(expression: { part($0) }, predicate: { part($0) })
    }
}
