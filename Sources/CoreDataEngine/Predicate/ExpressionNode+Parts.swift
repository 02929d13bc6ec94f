import Foundation

extension ExpressionNode {
    /// Calls a closure with the predicates and expressions that the node is made of, in reading order.
    package func forEachPart(_ body: (PredicateWalk.Part) -> Void) {
        switch self {
        case .constant, .evaluatedObject, .variable, .keyPath, .anyKey, .invalid, .custom: break
        case .operandKeyPath(let operand, _): body(.expression(operand))
        case .function(_, let arguments), .aggregate(let arguments), .block(_, let arguments):
            for argument in arguments { body(.expression(argument)) }
        case .call(let operand, _, let arguments):
            body(.expression(operand))
            for argument in arguments { body(.expression(argument)) }
        case .unionSet(let left, let right), .intersectSet(let left, let right), .minusSet(let left, let right),
            .fetch(let left, let right, _):
            body(.expression(left))
            body(.expression(right))
        case .subquery(let collection, _, let predicate):
            body(.expression(collection))
            body(.predicate(predicate))
        case .conditional(let predicate, let first, let second):
            body(.predicate(predicate))
            body(.expression(first))
            body(.expression(second))
        }
    }

    /// The same node with other parts.
    package func mapped(
        expression map: (NSExpression) -> NSExpression, predicate mapPredicate: (NSPredicate) -> NSPredicate
    ) -> ExpressionNode {
        switch self {
        case .constant, .evaluatedObject, .variable, .keyPath, .anyKey, .invalid, .custom: self
        case .operandKeyPath(let operand, let path): .operandKeyPath(map(operand), path)
        case .function(let name, let arguments): .function(name, arguments.map(map))
        case .aggregate(let elements): .aggregate(elements.map(map))
        case .block(let block, let arguments): .block(block, arguments.map(map))
        case .call(let operand, let name, let arguments): .call(map(operand), name, arguments.map(map))
        case .unionSet(let left, let right): .unionSet(map(left), map(right))
        case .intersectSet(let left, let right): .intersectSet(map(left), map(right))
        case .minusSet(let left, let right): .minusSet(map(left), map(right))
        case .subquery(let collection, let variable, let predicate):
            .subquery(map(collection), variable, mapPredicate(predicate))
        case .conditional(let predicate, let first, let second):
            .conditional(mapPredicate(predicate), map(first), map(second))
        case .fetch(let request, let context, let countsOnly): .fetch(map(request), map(context), countsOnly)
        }
    }
}
