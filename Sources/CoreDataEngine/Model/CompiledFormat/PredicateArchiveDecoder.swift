import Foundation

/// Makes predicates and expressions of the objects that represent them in a keyed archive.
///
/// Depth and number are limited, as an archive can refer to one object many times.
struct PredicateArchiveDecoder {
    private static let deepest = 200
    private var budget: Int
    private var values: ArchivedValueDecoder

    init(archive: KeyedArchive) {
        budget = archive.count * 8 + 10_000
        values = ArchivedValueDecoder(archive: archive)
    }

    // MARK: Predicates

    mutating func predicate(_ object: ArchivedObject) throws -> NSPredicate { try predicate(object, depth: 0) }

    mutating func expression(_ object: ArchivedObject) throws -> NSExpression { try expression(object, depth: 0) }

    private mutating func enter(_ object: ArchivedObject, depth: Int) throws {
        budget -= 1
        guard budget > 0, depth < Self.deepest else {
            throw ModelError.corrupt("A predicate of the archive is nested too deeply or too large.")
        }
    }

    private mutating func predicate(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        try enter(object, depth: depth)
        switch object.className {
        case "NSTruePredicate": return NSPredicate(value: true)
        case "NSFalsePredicate": return NSPredicate(value: false)
        case "NSCompoundPredicate":
            let raw = try object.int("NSCompoundPredicateType")
            guard let type = UInt(exactly: raw).flatMap(NSCompoundPredicate.LogicalType.init(rawValue:)) else {
                throw object.wrongKind("NSCompoundPredicateType", "a known type")
            }
            let parts = try object.objects("NSSubpredicates").map { try predicate($0, depth: depth + 1) }
            guard type != .not || parts.count == 1 else { throw object.wrongKind("NSSubpredicates", "one predicate") }
            return NSCompoundPredicate(type: type, subpredicates: parts)
        case "NSComparisonPredicate": return try comparison(object, depth: depth)
        default: throw ModelError.corrupt("The archive holds a \(object.className) where a predicate is expected.")
        }
    }

    private mutating func comparison(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        guard let archivedOperator = try object.object("NSPredicateOperator"),
            let left = try object.object("NSLeftExpression"),
            let right = try object.object("NSRightExpression")
        else { throw ModelError.corrupt("A comparison of the archive lacks its operator or an operand.") }
        let leftExpression = try expression(left, depth: depth + 1)
        let rightExpression = try expression(right, depth: depth + 1)
        if archivedOperator.className == "NSCustomPredicateOperator" {
            guard let selector = try archivedOperator.string("NSSelectorName") else {
                throw archivedOperator.wrongKind("NSSelectorName", "a method")
            }
            return NSComparisonPredicate(
                leftExpression: leftExpression, rightExpression: rightExpression, customSelector: Selector(selector))
        }
        let rawType = try archivedOperator.int("NSOperatorType")
        let rawModifier = try archivedOperator.int("NSModifier")
        let rawOptions = try archivedOperator.int("NSOptions") | archivedOperator.int("NSFlags")
        guard let type = UInt(exactly: rawType).flatMap(NSComparisonPredicate.Operator.init(rawValue:)),
            type != .customSelector,
            let modifier = UInt(exactly: rawModifier).flatMap(NSComparisonPredicate.Modifier.init(rawValue:))
        else { throw archivedOperator.wrongKind("NSOperatorType", "a known operator") }
        return NSComparisonPredicate(
            leftExpression: leftExpression, rightExpression: rightExpression, modifier: modifier, type: type,
            options: NSComparisonPredicate.Options(rawValue: UInt(clamping: rawOptions)))
    }

    // MARK: Expressions

    private mutating func expression(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        try enter(object, depth: depth)
        switch object.className {
        case "NSSelfExpression": return NSExpression(expressionType: .evaluatedObject)
        case "NSAnyKeyExpression": return NSExpression(expressionType: .anyKey)
        case "NSConstantValueExpression": return NSExpression(forConstantValue: try constant(object))
        case "NSVariableExpression":
            guard let name = try object.string("NSVariable") else { throw object.wrongKind("NSVariable", "a name") }
            return NSExpression(forVariable: name)
        case "NSKeyPathSpecifierExpression": return NSExpression(forKeyPath: try keyPath(of: object))
        case "NSKeyPathExpression": return try keyPathExpression(object, depth: depth)
        case "NSFunctionExpression": return try function(object, depth: depth)
        case "NSAggregateExpression": return try aggregate(object, depth: depth)
        case "NSSetExpression": return try setOperation(object, depth: depth)
        case "NSSubqueryExpression": return try subquery(object, depth: depth)
        case "NSTernaryExpression": return try conditional(object, depth: depth)
        case "NSFetchRequestExpression": return try fetch(object, depth: depth)
        default: throw ModelError.corrupt("The archive holds a \(object.className) where an expression is expected.")
        }
    }

    private mutating func constant(_ object: ArchivedObject) throws -> Any? {
        if let className = try object.string("NSConstantValueClassName") { return className }
        return try values.decode(try object.value("NSConstantValue"))
    }

    private func keyPath(of object: ArchivedObject) throws -> String {
        guard let path = try object.string("NSKeyPath") else { throw object.wrongKind("NSKeyPath", "a key path") }
        return path
    }

    private mutating func required(_ key: String, of object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let operand = try object.object(key) else { throw object.wrongKind(key, "an expression") }
        return try expression(operand, depth: depth + 1)
    }

    private mutating func keyPathExpression(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let argument = try object.objects("NSArguments").first else {
            throw object.wrongKind("NSArguments", "a key path")
        }
        let path: String
        if argument.className == "NSConstantValueExpression", let string = try constant(argument) as? String {
            path = string
        } else {
            path = try keyPath(of: argument)
        }
        guard let operand = try object.object("NSOperand"), operand.className != "NSSelfExpression" else {
            return NSExpression(forKeyPath: path)
        }
        let arguments = [NSExpression(forConstantValue: path)]
        return NSExpression(
            forFunction: try expression(operand, depth: depth + 1), selectorName: "valueForKeyPath:",
            arguments: arguments)
    }

    private mutating func function(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let name = try object.string("NSSelectorName") else {
            throw object.wrongKind("NSSelectorName", "a function")
        }
        let arguments = try object.objects("NSArguments").map { try expression($0, depth: depth + 1) }
        guard let operand = try object.object("NSOperand") else {
            return NSExpression(forFunction: name, arguments: arguments)
        }
        if operand.className == "NSConstantValueExpression",
            try operand.string("NSConstantValueClassName") == PredicateArchive.functionClass
        {
            return NSExpression(forFunction: name, arguments: arguments)
        }
        return NSExpression(
            forFunction: try expression(operand, depth: depth + 1), selectorName: name, arguments: arguments)
    }

    private mutating func aggregate(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let collection = try object.array("NSCollection") else {
            throw object.wrongKind("NSCollection", "a list")
        }
        return NSExpression(
            forAggregate: try collection.map { element in
                guard case .object(let part) = element else {
                    return NSExpression(forConstantValue: try values.decode(element))
                }
                return try expression(part, depth: depth + 1)
            })
    }

    private mutating func setOperation(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        let left = try required("NSLeftExpression", of: object, depth: depth)
        let right = try required("NSRightExpression", of: object, depth: depth)
        switch try object.int("NSExpressionType") {
        case 5: return NSExpression(forUnionSet: left, with: right)
        case 6: return NSExpression(forIntersectSet: left, with: right)
        case 7: return NSExpression(forMinusSet: left, with: right)
        default: throw object.wrongKind("NSExpressionType", "a set operation")
        }
    }

    private mutating func subquery(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let condition = try object.object("NSPredicate") else {
            throw object.wrongKind("NSPredicate", "a predicate")
        }
        let variable: String?
        if let named = try? object.object("NSVariableExpression", "NSVariableExpression") {
            variable = try named.string("NSVariable")
        } else {
            variable = try object.string("NSVariable")
        }
        guard let variable else { throw object.wrongKind("NSVariable", "a name") }
        return NSExpression(
            forSubquery: try required("NSCollection", of: object, depth: depth), usingIteratorVariable: variable,
            predicate: try predicate(condition, depth: depth + 1))
    }

    private mutating func fetch(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: try required("NSFRExpression", of: object, depth: depth),
            context: try required("NSMOCExpression", of: object, depth: depth),
            countOnly: try object.bool("NSCountOnlyFlag"))
    }

    private mutating func conditional(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let condition = try object.object("NSPredicate") else {
            throw object.wrongKind("NSPredicate", "a predicate")
        }
        return NSExpression(
            forConditional: try predicate(condition, depth: depth + 1),
            trueExpression: try required("NSTrueExpression", of: object, depth: depth),
            falseExpression: try required("NSFalseExpression", of: object, depth: depth))
    }
}

/// Names that reading and writing predicates share.
enum PredicateArchive {
    /// The class whose methods the functions of the format language are, as archives name it.
    static let functionClass = "_NSPredicateUtilities"
}
