import Foundation

/// Prints predicates and expressions in the format language, as Apple's framework does, so that the text parses back to
/// an equal predicate.
///
/// UUIDs and URLs, which Apple prints as text that cannot be read back, are printed as CAST.
package enum PredicateFormatPrinter {
    package static func format(of predicate: NSPredicate) -> String {
        switch predicate.node {
        case .value(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .block: "BLOCKPREDICATE(\(address(predicate)))"
        case .comparison(let comparison): format(ofComparison: comparison)
        case .compound(let compound): format(ofCompound: compound)
        case .invalid(let error): "INVALIDPREDICATE(\(quoted(error.localizedDescription)))"
        case .after(let position): position.description
        case .custom: "PREDICATE(\(address(predicate)))"
        }
    }

    private static func address(_ object: AnyObject) -> String {
        "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    }

    private static func format(ofCompound compound: NSCompoundPredicate) -> String {
        let parts = compound.parts
        switch compound.compoundPredicateType {
        case .not:
            guard let part = parts.first else { return "NOT FALSEPREDICATE" }
            return "NOT " + nested(part)
        case .and:
            if parts.isEmpty { return "TRUEPREDICATE" }
            return parts.count == 1 ? format(of: parts[0]) : parts.map(nested).joined(separator: " AND ")
        case .or:
            if parts.isEmpty { return "FALSEPREDICATE" }
            return parts.count == 1 ? format(of: parts[0]) : parts.map(nested).joined(separator: " OR ")
        }
    }

    /// A part of a compound, in parentheses if it is a compound itself.
    private static func nested(_ predicate: NSPredicate) -> String {
        guard case .compound(let compound) = predicate.node else { return format(of: predicate) }
        switch (compound.compoundPredicateType, compound.parts.count) {
        case (.not, _): return "(\(format(of: predicate)))"
        case (_, 0): return format(of: predicate)
        case (_, 1): return nested(compound.parts[0])
        default: return "(\(format(of: predicate)))"
        }
    }

    private static func format(ofComparison comparison: NSComparisonPredicate) -> String {
        let modifier =
            switch comparison.comparisonPredicateModifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        var symbol = symbol(comparison.predicateOperatorType) + suffix(comparison.options)
        if let selector = comparison.customSelector { symbol = "\(NSStringFromSelector(selector))" }
        return "\(modifier)\(operand(comparison.leftExpression)) \(symbol) \(operand(comparison.rightExpression))"
    }

    /// The operator as it is written.
    package static func symbol(_ type: NSComparisonPredicate.Operator) -> String {
        switch type {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .customSelector: "a selector"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }

    private static func suffix(_ options: NSComparisonPredicate.Options) -> String {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        if options.contains(.normalized) { letters += "n" }
        if options.contains(.localeSensitive) { letters += "l" }
        return letters.isEmpty ? "" : "[\(letters)]"
    }

    // MARK: Expressions

    package static func format(of expression: NSExpression) -> String {
        switch expression.node {
        case .constant(nil) where expression.isNull: "<null>"
        case .constant(let value): format(ofConstant: value)
        case .evaluatedObject: "SELF"
        case .variable(let name): "$\(name)"
        case .keyPath(let path): escaped(path)
        case .operandKeyPath(let operand, let path): "\(primary(operand)).\(escaped(path))"
        case .function(let name, let arguments): format(ofFunction: name, arguments)
        case .call(let operand, let name, let arguments):
            "FUNCTION(\(([format(of: operand), quoted(name)] + arguments.map(format)).joined(separator: ", ")))"
        case .aggregate(let elements): "{\(elements.map(format).joined(separator: ", "))}"
        case .unionSet(let left, let right): "\(operand(left)) UNION \(primary(right))"
        case .intersectSet(let left, let right): "\(operand(left)) INTERSECT \(primary(right))"
        case .minusSet(let left, let right): "\(operand(left)) MINUS \(primary(right))"
        case .subquery(let collection, let name, let predicate):
            "SUBQUERY(\(format(of: collection)), $\(name), \(format(of: predicate)))"
        case .anyKey: "ANYKEY"
        case .block(_, let arguments):
            "BLOCK(\(([address(expression)] + arguments.map(format)).joined(separator: ", ")))"
        case .conditional(let predicate, let first, let second):
            "TERNARY(\(format(of: predicate)), \(format(of: first)), \(format(of: second)))"
        case .fetch(let request, let context, let countsOnly):
            "FETCH(\(format(of: request)), \(format(of: context)), \(countsOnly ? "YES" : "NO"))"
        case .invalid(let error): "INVALIDEXPRESSION(\(quoted(error.localizedDescription)))"
        case .custom: expression.description
        }
    }

    private static func operand(_ expression: NSExpression) -> String { format(of: expression) }

    private static func format(ofFunction name: String, _ arguments: [NSExpression]) -> String {
        if arguments.count == 2 {
            if let symbol = arithmetic[name] { return infix(arguments[0], symbol, arguments[1]) }
            if name == "castObject:toType:" { return "CAST(\(format(of: arguments[0])), \(format(of: arguments[1])))" }
            if name == "objectFrom:withIndex:" { return "\(primary(arguments[0]))[\(index(arguments[1]))]" }
        }
        return "\(name)(\(arguments.map(format).joined(separator: ", ")))"
    }

    private static let arithmetic = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
    ]

    private static func infix(_ left: NSExpression, _ symbol: String, _ right: NSExpression) -> String {
        "\(primary(left)) \(symbol) \(primary(right))"
    }

    private static func index(_ expression: NSExpression) -> String {
        if case .constant(let value) = expression.node, let word = value as? String,
            ["FIRST", "LAST", "SIZE"].contains(word)
        {
            return word
        }
        return format(of: expression)
    }

    /// An expression as an operand that binds tightly: in parentheses if it is an operation or a negative number.
    private static func primary(_ expression: NSExpression) -> String {
        let format = format(of: expression)
        switch expression.node {
        case .function(let name, let arguments) where arguments.count == 2 && arithmetic[name] != nil:
            return "(\(format))"
        case .unionSet, .intersectSet, .minusSet: return "(\(format))"
        case .constant where format.hasPrefix("-"): return "(\(format))"
        default: return format
        }
    }

    /// A key path with `#` before the keys that mean something in the language or do not begin like a key.
    private static func escaped(_ path: String) -> String {
        path.split(separator: ".", omittingEmptySubsequences: false).map { key in
            guard let first = key.unicodeScalars.first, first != "@" else { return String(key) }
            let isPlain = PredicateLexer.isWordStart(first) && !ReservedWords.contains(key)
            return isPlain ? String(key) : "#\(key)"
        }.joined(separator: ".")
    }
}
