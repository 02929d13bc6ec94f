import Foundation

/// Replaces variables by constants.
struct VariableSubstitution {
    let variables: [String: Any]

    func apply(to predicate: NSPredicate) -> NSPredicate {
        switch predicate.node {
        case .value, .after, .invalid, .custom: predicate
        case .block(let block): bind(block)
        case .comparison(let comparison): apply(toComparison: comparison)
        case .compound(let compound):
            NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: compound.parts.map(apply(to:)))
        }
    }

    private func bind(_ block: @escaping (Any?, [String: Any]?) -> Bool) -> NSPredicate {
        let variables = variables
        return NSPredicate { object, bindings in
            block(object, variables.merging(bindings ?? [:]) { bound, _ in bound })
        }
    }

    private func apply(toComparison comparison: NSComparisonPredicate) -> NSPredicate {
        let left = comparison.leftExpression.substituting(variables)
        let right = comparison.rightExpression.substituting(variables)
        if let selector = comparison.customSelector {
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
        }
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
            type: comparison.predicateOperatorType, options: comparison.options)
    }

    func applyToNode(of expression: NSExpression) -> NSExpression {
        switch expression.node {
        case .constant, .evaluatedObject, .keyPath, .anyKey, .invalid, .custom: expression
        case .variable(let name): variables[name].map(NSExpression.wrap) ?? expression
        case .subquery(let collection, let variable, let predicate):
            subquery(apply(collection), variable, predicate)
        case .fetch:
            NSFetchRequestExpression(node: expression.node.mapped(expression: apply, predicate: apply(to:)))
        default: NSExpression(node: expression.node.mapped(expression: apply, predicate: apply(to:)))
        }
    }

    private func apply(_ expression: NSExpression) -> NSExpression { expression.substituting(variables) }

    /// Inside a subquery its own variable hides one of the same name.
    private func subquery(_ collection: NSExpression, _ variable: String, _ predicate: NSPredicate) -> NSExpression {
        var inner = variables
        inner[variable] = nil
        let substituted = VariableSubstitution(variables: inner).apply(to: predicate)
        return NSExpression(node: .subquery(collection, variable, substituted))
    }
}
