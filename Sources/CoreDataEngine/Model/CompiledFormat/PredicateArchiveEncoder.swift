import Foundation

/// Writes predicates and expressions into a keyed archive, in the form that Apple's framework reads.
///
/// Files show comparison, compound, key path, constant, variable and function nodes; the fields of the others
/// (aggregates, set operations, subqueries, conditionals) are named after Apple's properties.
struct PredicateArchiveEncoder {
    typealias Field = (key: String, value: KeyedArchiveWriter.Field)

    // MARK: Predicates

    /// Adds a predicate and returns its reference.
    ///
    /// - Throws: a `CocoaError` when a part of the predicate is a closure, or otherwise cannot be archived.
    static func add(_ predicate: NSPredicate, to writer: inout KeyedArchiveWriter) throws -> Int {
        switch predicate.node {
        case .value(let value): return writer.add(value ? "NSTruePredicate" : "NSFalsePredicate", [])
        case .compound(let compound):
            let parts = try compound.parts.map { try add($0, to: &writer) }
            return writer.add(
                "NSCompoundPredicate",
                [
                    ("NSCompoundPredicateType", .integer(Int(compound.compoundPredicateType.rawValue))),
                    ("NSSubpredicates", .reference(writer.array(parts))),
                ])
        case .comparison(let comparison): return try add(comparison, to: &writer)
        case .invalid(let error): throw error
        case .block, .custom, .after:
            throw ModelError.unsupported("The predicate '\(predicate.predicateFormat)' cannot be archived: it is code.")
        }
    }

    private static func add(_ comparison: NSComparisonPredicate, to writer: inout KeyedArchiveWriter) throws -> Int {
        let left = try add(comparison.leftExpression, to: &writer)
        let right = try add(comparison.rightExpression, to: &writer)
        let archivedOperator = addOperator(of: comparison, to: &writer)
        return writer.add(
            "NSComparisonPredicate",
            [
                ("NSLeftExpression", .reference(left)), ("NSRightExpression", .reference(right)),
                ("NSPredicateOperator", .reference(archivedOperator)),
            ])
    }

    private static func addOperator(of comparison: NSComparisonPredicate, to writer: inout KeyedArchiveWriter) -> Int {
        let type = comparison.predicateOperatorType
        let options = Int(comparison.options.rawValue)
        var fields: [Field] = [
            ("NSOperatorType", .integer(Int(type.rawValue))),
            ("NSModifier", .integer(Int(comparison.comparisonPredicateModifier.rawValue))),
        ]
        switch type {
        case .equalTo, .notEqualTo:
            fields += [("NSNegate", .bool(type == .notEqualTo)), ("NSOptions", .integer(options))]
            return writer.add("NSEqualityPredicateOperator", fields)
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            fields += [("NSVariant", .integer(Int(type.rawValue))), ("NSOptions", .integer(options))]
            return writer.add("NSComparisonPredicateOperator", fields)
        case .customSelector:
            let name = comparison.customSelector.map { NSStringFromSelector($0) }
            fields.append(("NSSelectorName", .reference(writer.string(name))))
            return writer.add("NSCustomPredicateOperator", fields)
        case .between: return writer.add("NSBetweenPredicateOperator", fields)
        case .matches, .like, .beginsWith, .endsWith, .in, .contains:
            fields.append(("NSFlags", .integer(options)))
            if type == .endsWith || type == .beginsWith {
                fields.append(("NSSubstringPosition", .integer(type == .endsWith ? 2 : 0)))
            }
            return writer.add(stringOperatorClass(type), fields)
        }
    }

    private static func stringOperatorClass(_ type: NSComparisonPredicate.Operator) -> String {
        switch type {
        case .matches: "NSMatchingPredicateOperator"
        case .like: "NSLikePredicateOperator"
        case .beginsWith, .endsWith: "NSSubstringPredicateOperator"
        default: "NSInPredicateOperator"
        }
    }

    // MARK: Expressions

    /// Adds an expression and returns its reference.
    ///
    /// - Throws: a `CocoaError` when a part of the expression is a closure, or otherwise cannot be archived.
    static func add(_ expression: NSExpression, to writer: inout KeyedArchiveWriter) throws -> Int {
        switch expression.node {
        case .constant(let value):
            let reference = try ArchivedValueEncoder.add(value, to: &writer)
            return reference == KeyedArchiveWriter.null
                ? addConstantClass(nil, to: &writer) : addConstant(reference, to: &writer)
        case .evaluatedObject: return writer.add("NSSelfExpression", [type(1)])
        case .anyKey: return writer.add("NSAnyKeyExpression", [type(15)])
        case .variable(let name):
            return writer.add("NSVariableExpression", [type(2), ("NSVariable", .reference(writer.string(name)))])
        case .keyPath(let path): return try addKeyPath(path, to: &writer)
        case .operandKeyPath(let operand, let path):
            return addKeyPath(path, operand: try add(operand, to: &writer), type: 4, to: &writer)
        case .function(let name, let arguments):
            let operand = addConstantClass(PredicateArchive.functionClass, to: &writer)
            return try addFunction(name, operand: operand, arguments, to: &writer)
        case .call(let operand, let name, let arguments):
            return try addFunction(name, operand: try add(operand, to: &writer), arguments, to: &writer)
        case .aggregate(let elements):
            let parts = try elements.map { try add($0, to: &writer) }
            return writer.add("NSAggregateExpression", [type(14), ("NSCollection", .reference(writer.array(parts)))])
        case .unionSet(let left, let right): return try addSet(5, left, right, to: &writer)
        case .intersectSet(let left, let right): return try addSet(6, left, right, to: &writer)
        case .minusSet(let left, let right): return try addSet(7, left, right, to: &writer)
        case .subquery(let collection, let variable, let predicate):
            let fields: [Field] = [
                type(13), ("NSCollection", .reference(try add(collection, to: &writer))),
                ("NSVariable", .reference(writer.string(variable))),
                ("NSPredicate", .reference(try add(predicate, to: &writer))),
            ]
            return writer.add("NSSubqueryExpression", fields)
        case .conditional(let predicate, let first, let second):
            let fields: [Field] = [
                type(20), ("NSPredicate", .reference(try add(predicate, to: &writer))),
                ("NSTrueExpression", .reference(try add(first, to: &writer))),
                ("NSFalseExpression", .reference(try add(second, to: &writer))),
            ]
            return writer.add("NSTernaryExpression", fields)
        case .fetch(let request, let context, let countsOnly):
            let fields: [Field] = [
                type(50), ("NSFRExpression", .reference(try add(request, to: &writer))),
                ("NSMOCExpression", .reference(try add(context, to: &writer))), ("NSCountOnlyFlag", .bool(countsOnly)),
            ]
            return writer.add("NSFetchRequestExpression", fields)
        case .invalid(let error): throw error
        case .block, .custom:
            throw ModelError.unsupported("The expression '\(expression.description)' cannot be archived: it is code.")
        }
    }

    private static func type(_ value: Int) -> Field { ("NSExpressionType", .integer(value)) }

    private static func addConstant(_ value: Int, to writer: inout KeyedArchiveWriter) -> Int {
        writer.add("NSConstantValueExpression", [type(0), ("NSConstantValue", .reference(value))])
    }

    private static func addConstantClass(_ name: String?, to writer: inout KeyedArchiveWriter) -> Int {
        let reference = writer.string(name)
        return writer.add("NSConstantValueExpression", [type(0), ("NSConstantValueClassName", .reference(reference))])
    }

    /// A count at the end of a key path is archived as the function it is.
    private static func addKeyPath(_ path: String, to writer: inout KeyedArchiveWriter) throws -> Int {
        let count = ".@count"
        if path.hasSuffix(count), path.utf8.count > count.utf8.count {
            let operand = addConstantClass(PredicateArchive.functionClass, to: &writer)
            let collection = NSExpression(forKeyPath: String(path.dropLast(count.count)))
            return try addFunction("count:", operand: operand, [collection], to: &writer)
        }
        let operand = writer.add("NSSelfExpression", [type(1)])
        return addKeyPath(path, operand: operand, type: 3, to: &writer)
    }

    private static func addKeyPath(
        _ path: String, operand: Int, type expressionType: Int, to writer: inout KeyedArchiveWriter
    ) -> Int {
        let isPath = path.contains(".") || expressionType == 4
        let specifier = writer.add(
            "NSKeyPathSpecifierExpression", [type(10), ("NSKeyPath", .reference(writer.string(path)))])
        return writer.add(
            "NSKeyPathExpression",
            [
                ("NSOperand", .reference(operand)),
                ("NSSelectorName", .reference(writer.string(isPath ? "valueForKeyPath:" : "valueForKey:"))),
                type(expressionType),
                ("NSArguments", .reference(writer.array([specifier], className: "NSMutableArray"))),
            ])
    }

    private static func addFunction(
        _ name: String, operand: Int, _ arguments: [NSExpression], to writer: inout KeyedArchiveWriter
    ) throws -> Int {
        let parts = try arguments.map { try add($0, to: &writer) }
        return writer.add(
            "NSFunctionExpression",
            [
                ("NSOperand", .reference(operand)), ("NSSelectorName", .reference(writer.string(name))), type(4),
                ("NSArguments", .reference(writer.array(parts))),
            ])
    }

    private static func addSet(
        _ kind: Int, _ left: NSExpression, _ right: NSExpression, to writer: inout KeyedArchiveWriter
    ) throws -> Int {
        let fields: [Field] = [
            type(kind), ("NSLeftExpression", .reference(try add(left, to: &writer))),
            ("NSRightExpression", .reference(try add(right, to: &writer))),
        ]
        return writer.add("NSSetExpression", fields)
    }
}
