import Foundation

extension PredicateEvaluator {
    /// The value of an expression.
    func value(of expression: NSExpression, _ object: Any?) throws -> Any? {
        switch expression.node {
        case .constant(let value): return value
        case .evaluatedObject: return object
        case .variable(let name): return try variable(name, object)
        case .keyPath(let path): return try KeyValueAccess.value(of: object, forKeyPath: path)
        case .operandKeyPath(let operand, let path):
            return try KeyValueAccess.value(of: value(of: operand, object), forKeyPath: path)
        case .function(let name, let arguments):
            return try PredicateFunctions.call(name, evaluate(arguments, object))
        case .call(let operand, let name, let arguments):
            return try PredicateFunctions.callMethod(name, of: value(of: operand, object), evaluate(arguments, object))
        case .fetch(let request, let context, let countsOnly):
            return try fetch(value(of: request, object), value(of: context, object), countsOnly)
        case .aggregate(let elements): return try evaluate(elements, object)
        case .unionSet, .intersectSet, .minusSet: return try setOperation(expression, object)
        case .subquery(let collection, let name, let predicate):
            return try subquery(collection, name, predicate, object)
        case .anyKey: throw PredicateError.evaluation("ANYKEY cannot be evaluated.")
        case .block(let block, let arguments):
            let values = try evaluate(arguments, object).map { ExpressionResult.object(for: $0) ?? NSNull() }
            return OptionalValue.flatten(block(object, values, context))
        case .conditional(let predicate, let first, let second):
            return try value(of: matches(predicate, object) ? first : second, object)
        case .invalid(let error): throw error
        case .custom:
            guard type(of: expression) != NSExpression.self else {
                throw PredicateError.evaluation(
                    "A plain NSExpression(expressionType:) has no value: subclasses give it one.")
            }
            return OptionalValue.flatten(expression.expressionValue(with: object, context: context))
        }
    }

    private var context: NSMutableDictionary {
        let result = NSMutableDictionary()
        for (name, value) in variables { result[name] = value }
        return result
    }

    private func evaluate(_ expressions: [NSExpression], _ object: Any?) throws -> [Any?] {
        try expressions.map { try value(of: $0, object) }
    }

    private func variable(_ name: String, _ object: Any?) throws -> Any? {
        guard let value = variables[name] else {
            throw PredicateError.evaluation("The variable $\(name) has no value.")
        }
        if let expression = value as? NSExpression {
            // It may have variables itself, even this one.
            let inner = PredicateEvaluator(variables: variables, depth: depth + expression.depth)
            guard inner.depth <= PredicateDepth.limit else { throw PredicateDepth.error(inner.depth) }
            return try inner.value(of: expression, object)
        }
        return OptionalValue.flatten(value)
    }

    private func subquery(
        _ collection: NSExpression, _ name: String, _ predicate: NSPredicate, _ object: Any?
    ) throws -> Any? {
        guard let value = try value(of: collection, object) else { return [Any?]() }
        let elements = CollectionElements.of(value) ?? [value]
        return try elements.filter { element in
            var inner = variables
            inner[name] = element ?? NSNull()
            return try PredicateEvaluator(variables: inner, depth: depth).matches(predicate, object)
        }
    }

    private func fetch(_ request: Any?, _ context: Any?, _ countsOnly: Bool) throws -> Any? {
        guard let request = request as? any PredicateFetching else {
            throw PredicateError.evaluation("FETCH needs a fetch request, not \(PredicateValue(request).kind).")
        }
        guard let result = try request.result(inContext: context, countsOnly: countsOnly) else {
            throw PredicateError.evaluation("FETCH needs a context, not \(PredicateValue(context).kind).")
        }
        return result
    }

    private func setOperation(_ expression: NSExpression, _ object: Any?) throws -> Any? {
        let left = try elements(of: expression.left, object)
        let right = try elements(of: expression.right, object)
        switch expression.expressionType {
        case .unionSet: return left + right.filter(isElement(of: left, asked: right.count, isWanted: false))
        case .intersectSet: return left.filter(isElement(of: right, asked: left.count, isWanted: true))
        default: return left.filter(isElement(of: right, asked: left.count, isWanted: false))
        }
    }

    /// What distinguishes elements of a list. Where both sides are long it doesn't go through the list for each value.
    ///
    /// - Parameters:
    ///   - count: How many values will be asked for.
    ///   - isWanted: What it says of an element.
    private func isElement(of list: [Any?], asked count: Int, isWanted: Bool) -> (Any?) -> Bool {
        let index = count < 4 ? nil : MembershipIndex(list, options: [])
        let values = index == nil ? list.map { PredicateValue($0) } : []
        return { element in
            let value = PredicateValue(element)
            if let isElement = index?.contains(value) { return isElement == isWanted }
            let isElement =
                index == nil
                ? values.contains { ValueComparison.equal($0, value, options: []) }
                : list.contains { ValueComparison.equal(PredicateValue($0), value, options: []) }
            return isElement == isWanted
        }
    }

    private func elements(of expression: NSExpression, _ object: Any?) throws -> [Any?] {
        guard let value = try value(of: expression, object) else { return [] }
        return CollectionElements.of(value) ?? [value]
    }
}
