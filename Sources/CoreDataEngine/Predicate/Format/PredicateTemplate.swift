import Foundation

/// What a format string with placeholders represents, so that the next predicate of the same string needs no parsing.
///
/// Only comparisons of key paths, arguments and plain constants have one, and compounds of such comparisons. What a
/// template can't do with some arguments, an error among it, is left to the parser.
indirect enum PredicateTemplate: Sendable {
    case comparison(Operand, Operand, NSComparisonPredicate.Modifier, NSComparisonPredicate.Operator, options: UInt)
    case compound(NSCompoundPredicate.LogicalType, [PredicateTemplate])

    /// One side of a comparison.
    enum Operand: Sendable {
        case keyPath(String)
        case evaluatedObject
        case string(String)
        case integer(Int64)
        /// An argument, by its index, and the letters of its placeholder.
        case argument(Int, String)
    }

    /// The template of a predicate that was parsed; nil for one that has none.
    ///
    /// - Parameter placeholders: What represents arguments in the predicate, and how. Each has to be found there, and
    ///   nowhere but as one side of a comparison.
    init?(_ predicate: NSPredicate, placeholders: [PredicatePlaceholder]) {
        var found = 0
        guard let template = Self.make(predicate, placeholders, &found), found == placeholders.count else { return nil }
        self = template
    }

    private static func make(
        _ predicate: NSPredicate, _ placeholders: [PredicatePlaceholder], _ found: inout Int
    ) -> PredicateTemplate? {
        switch predicate.node {
        case .comparison(let comparison):
            guard comparison.customSelector == nil, comparison.predicateOperatorType != .customSelector,
                let left = operand(comparison.leftExpression, placeholders, &found),
                let right = operand(comparison.rightExpression, placeholders, &found)
            else { return nil }
            return .comparison(
                left, right, comparison.comparisonPredicateModifier, comparison.predicateOperatorType,
                options: comparison.options.rawValue)
        case .compound(let compound):
            var parts: [PredicateTemplate] = []
            for part in compound.subpredicates {
                guard let part = part as? NSPredicate, let template = make(part, placeholders, &found) else {
                    return nil
                }
                parts.append(template)
            }
            return .compound(compound.compoundPredicateType, parts)
        default: return nil
        }
    }

    private static func operand(
        _ expression: NSExpression, _ placeholders: [PredicatePlaceholder], _ found: inout Int
    ) -> Operand? {
        if let placeholder = placeholders.first(where: { $0.expression === expression }) {
            found += 1
            return .argument(placeholder.index, placeholder.letters)
        }
        switch expression.node {
        case .keyPath(let path): return .keyPath(path)
        case .evaluatedObject: return .evaluatedObject
        case .constant(let string as String): return .string(string)
        case .constant(let number as Int64): return .integer(number)
        default: return nil
        }
    }

    // MARK: Use

    /// The predicate for some arguments; nil where the parser has to look at them.
    func predicate(_ arguments: [Any]) -> NSPredicate? {
        switch self {
        case .comparison(let left, let right, let modifier, let type, let options):
            guard let left = Self.expression(left, arguments), let right = Self.expression(right, arguments) else {
                return nil
            }
            return NSComparisonPredicate(
                leftExpression: left, rightExpression: right, modifier: modifier, type: type,
                options: .init(rawValue: options))
        case .compound(let type, let parts):
            var predicates: [NSPredicate] = []
            predicates.reserveCapacity(parts.count)
            for part in parts {
                guard let predicate = part.predicate(arguments) else { return nil }
                predicates.append(predicate)
            }
            return NSCompoundPredicate(type: type, subpredicates: predicates)
        }
    }

    private static func expression(_ operand: Operand, _ arguments: [Any]) -> NSExpression? {
        switch operand {
        case .keyPath(let path): return NSExpression(node: .keyPath(path))
        case .evaluatedObject: return NSExpression(node: .evaluatedObject)
        case .string(let string): return NSExpression(node: .constant(string))
        case .integer(let number): return NSExpression(node: .constant(number))
        case .argument(let index, let letters):
            guard index < arguments.count else { return nil }
            let value = arguments[index]
            // The common kind, found by its exact type, which costs less than the casts.
            if letters == "@", type(of: value) == String.self { return NSExpression(node: .constant(value)) }
            let flat = OptionalValue.flatten(value)
            guard letters == "@" else {
                return FormatArguments.convert(flat, letters).map { NSExpression(node: .constant($0)) }
            }
            if flat is NSPredicate { return nil }
            return (flat as? NSExpression) ?? NSExpression(forConstantValue: value)
        }
    }
}

/// An expression that represents an argument of a format string.
struct PredicatePlaceholder {
    var expression: NSExpression
    /// The argument's index, from zero.
    var index: Int
    /// What follows the `%`.
    var letters: String
}
