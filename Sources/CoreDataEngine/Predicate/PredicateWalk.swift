import Foundation

/// Visits the parts of a predicate.
package enum PredicateWalk {
    /// The error of the first part that is not valid, in reading order.
    package static func firstError(in predicate: NSPredicate) -> (any Error)? {
        var found: (any Error)?
        visit(predicate) { found = found ?? $0.error }
        return found
    }

    /// The error of the first part that is not valid, in reading order.
    package static func firstError(in expression: NSExpression) -> (any Error)? {
        var found: (any Error)?
        visit(expression) { found = found ?? $0.error }
        return found
    }

    /// A predicate or expression inside a predicate.
    package enum Part {
        case predicate(NSPredicate)
        case expression(NSExpression)

        fileprivate var error: (any Error)? {
            switch self {
            case .predicate(let predicate):
                if case .invalid(let error) = predicate.node { error } else { nil }
            case .expression(let expression):
                if case .invalid(let error) = expression.node { error } else { nil }
            }
        }
    }

    /// Calls a closure with a predicate and all of its parts, outer ones first.
    package static func visit(_ predicate: NSPredicate, _ body: (Part) -> Void) {
        body(.predicate(predicate))
        switch predicate.node {
        case .value, .block, .after, .invalid, .custom: break
        case .comparison(let comparison):
            visit(comparison.leftExpression, body)
            visit(comparison.rightExpression, body)
        case .compound(let compound):
            for part in compound.parts { visit(part, body) }
        }
    }

    /// Calls a closure with an expression and all of its parts, outer ones first.
    package static func visit(_ expression: NSExpression, _ body: (Part) -> Void) {
        body(.expression(expression))
        expression.node.forEachPart { part in
            switch part {
            case .predicate(let predicate): visit(predicate, body)
            case .expression(let expression): visit(expression, body)
            }
        }
    }
}
