import Foundation

/// Computes the functions in an expression that are about the rows of a group: `count:`, `sum:` and their like.
struct InMemoryAggregates {
    let group: [InMemoryRow]
    let variables: [String: Any]
    let entity: EntityLayout

    private static let functions: Set<String> = ["count:", "sum:", "min:", "max:", "average:", "median:", "stddev:"]
    private static let operators = [
        "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
    ]

    /// Whether an expression has such a function.
    static func occur(in expression: NSExpression) -> Bool {
        var found = false
        PredicateWalk.visit(expression) { part in
            guard case .expression(let expression) = part else { return }
            switch expression.node {
            case .function(let name, _): found = found || functions.contains(name)
            case .keyPath(let path): found = found || path.hasPrefix("@")
            default: break
            }
        }
        return found
    }

    /// The expression with the values of group functions in their place.
    func replaced(in expression: NSExpression, columns: [String: Any] = [:]) throws -> NSExpression {
        func replace(_ expression: NSExpression) throws -> NSExpression {
            try replaced(in: expression, columns: columns)
        }
        switch expression.node {
        case .function(let name, let arguments):
            if Self.functions.contains(name), arguments.count == 1, !isCollection(arguments[0]) {
                return NSExpression(forConstantValue: try value(of: name, over: arguments[0]))
            }
            return NSExpression(node: .function(name, try arguments.map(replace)))
        case .keyPath(let path):
            if let column = columns[path] { return NSExpression(forConstantValue: column) }
            guard path.hasPrefix("@"), let value = try groupOperator(path) else { return expression }
            return NSExpression(forConstantValue: value)
        case .operandKeyPath(let operand, let path):
            return NSExpression(node: .operandKeyPath(try replace(operand), path))
        case .aggregate(let elements): return NSExpression(node: .aggregate(try elements.map(replace)))
        case .conditional(let predicate, let first, let second):
            return NSExpression(
                node: .conditional(
                    try replaced(in: predicate, columns: columns), try replace(first), try replace(second)))
        default: return expression
        }
    }

    /// The predicate with the values of group functions, and of computed columns, in their place.
    func replaced(in predicate: NSPredicate, columns: [String: Any]) throws -> NSPredicate {
        switch predicate.node {
        case .value, .block, .after, .invalid, .custom: return predicate
        case .compound(let compound):
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: try compound.parts.map { try replaced(in: $0, columns: columns) })
        case .comparison(let comparison):
            return NSComparisonPredicate(
                leftExpression: try replaced(in: comparison.leftExpression, columns: columns),
                rightExpression: try replaced(in: comparison.rightExpression, columns: columns),
                modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
                options: comparison.options)
        }
    }

    // MARK: Values

    private func value(of function: String, over argument: NSExpression) throws -> Any? {
        let values = try group.compactMap { row in
            OptionalValue.flatten(try argument.value(with: row, variables: variables))
        }
        if function == "count:" { return NSNumber(value: values.count) }
        guard !values.isEmpty else { return function == "sum:" ? NSNumber(value: 0) : nil }
        let numbers = NSExpression(forConstantValue: values)
        return try NSExpression(node: .function(function, [numbers])).value(with: nil)
    }

    private func groupOperator(_ path: String) throws -> Any? {
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard let function = Self.operators[parts[0]] else { return nil }
        let argument =
            parts.count > 1 ? NSExpression(forKeyPath: parts[1]) : NSExpression.expressionForEvaluatedObject()
        return try value(of: function, over: argument) ?? NSNull()
    }

    /// Whether an argument is a collection in each row, so that the function is about that.
    private func isCollection(_ expression: NSExpression) -> Bool {
        switch expression.node {
        case .aggregate, .subquery, .unionSet, .intersectSet, .minusSet: return true
        case .constant(let value): return value is [Any] || value is NSSet || value is NSOrderedSet
        case .keyPath(let path):
            var current: EntityLayout? = entity
            for key in path.split(separator: ".").map(String.init) {
                guard let relationship = current?.relationship(named: key) else { return false }
                if relationship.isToMany { return true }
                current = relationship.destination
            }
            return false
        default: return false
        }
    }
}
