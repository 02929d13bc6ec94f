import Foundation

/// Structural equality of predicates and expressions.
///
/// Two spellings of the same thing are equal, so that a printed predicate parses back to an equal one: a constant
/// collection and a list of constants; a compound of one predicate and that predicate; an empty AND and TRUEPREDICATE.
/// Numbers are equal by value.
enum PredicateEquality {
    static func equal(_ left: NSPredicate, _ right: NSPredicate) -> Bool {
        if left === right { return true }
        switch (canonical(left), canonical(right)) {
        case (.value(let a), .value(let b)): return a == b
        case (.comparison(let a), .comparison(let b)): return equalComparisons(a, b)
        case (.compound(let a), .compound(let b)):
            return a.compoundPredicateType == b.compoundPredicateType && a.parts.count == b.parts.count
                && zip(a.parts, b.parts).allSatisfy { equal($0, $1) }
        case (.custom(let a), .custom(let b)): return a === b
        default: return false
        }
    }

    private static func equalComparisons(_ a: NSComparisonPredicate, _ b: NSComparisonPredicate) -> Bool {
        a.predicateOperatorType == b.predicateOperatorType && a.options == b.options
            && a.comparisonPredicateModifier == b.comparisonPredicateModifier
            && a.customSelector == b.customSelector
            && equal(a.leftExpression, b.leftExpression) && equal(a.rightExpression, b.rightExpression)
    }

    /// The node with compounds of no or one predicate resolved.
    private static func canonical(_ predicate: NSPredicate) -> NSPredicate.Node {
        guard case .compound(let compound) = predicate.node, compound.compoundPredicateType != .not else {
            return predicate.node
        }
        switch compound.parts.count {
        case 0: return .value(compound.compoundPredicateType == .and)
        case 1: return canonical(compound.parts[0])
        default: return predicate.node
        }
    }

    static func hash(_ predicate: NSPredicate, into hasher: inout Hasher) {
        switch canonical(predicate) {
        case .value(let value): hasher.combine(value)
        case .comparison(let comparison):
            hasher.combine(comparison.predicateOperatorType)
            hasher.combine(comparison.options)
            hasher.combine(comparison.comparisonPredicateModifier)
            hash(comparison.leftExpression, into: &hasher)
            hash(comparison.rightExpression, into: &hasher)
        case .compound(let compound):
            hasher.combine(compound.compoundPredicateType)
            for part in compound.parts { hash(part, into: &hasher) }
        case .block, .after, .invalid: hasher.combine(ObjectIdentifier(predicate))
        case .custom(let custom): hasher.combine(ObjectIdentifier(custom))
        }
    }

    static func equal(_ left: NSExpression, _ right: NSExpression) -> Bool {
        if left === right { return true }
        if let a = elements(of: left), let b = elements(of: right) {
            return a.count == b.count && zip(a, b).allSatisfy { equal($0, $1) }
        }
        switch (left.node, right.node) {
        case (.constant(let a), .constant(let b)): return ConstantEquality.equal(a, b)
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): return true
        case (.variable(let a), .variable(let b)), (.keyPath(let a), .keyPath(let b)): return a == b
        case (.operandKeyPath(let a, let path), .operandKeyPath(let b, let other)): return path == other && equal(a, b)
        case (.function(let a, let arguments), .function(let b, let others)): return a == b && equal(arguments, others)
        case (.call(let a, let name, let arguments), .call(let b, let other, let others)):
            return name == other && equal(a, b) && equal(arguments, others)
        case (.unionSet(let a, let b), .unionSet(let c, let d)), (.minusSet(let a, let b), .minusSet(let c, let d)),
            (.intersectSet(let a, let b), .intersectSet(let c, let d)):
            return equal(a, c) && equal(b, d)
        case (.subquery(let a, let name, let condition), .subquery(let b, let other, let otherCondition)):
            return name == other && equal(a, b) && equal(condition, otherCondition)
        case (.conditional(let p, let a, let b), .conditional(let q, let c, let d)):
            return equal(p, q) && equal(a, c) && equal(b, d)
        case (.fetch(let a, let c, let isCount), .fetch(let b, let d, let otherIsCount)):
            return isCount == otherIsCount && equal(a, b) && equal(c, d)
        default: return false
        }
    }

    private static func equal(_ left: [NSExpression], _ right: [NSExpression]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { equal($0, $1) }
    }

    /// The elements of a list or of a constant collection.
    private static func elements(of expression: NSExpression) -> [NSExpression]? {
        switch expression.node {
        case .aggregate(let elements): elements
        case .constant(let value):
            ConstantEquality.orderedElements(of: value)?.map { NSExpression(forConstantValue: $0) }
        default: nil
        }
    }

    static func hash(_ expression: NSExpression, into hasher: inout Hasher) {
        if let elements = elements(of: expression) {
            hasher.combine(elements.count)
            return
        }
        switch expression.node {
        case .constant(let value): ConstantEquality.hash(value, into: &hasher)
        case .evaluatedObject: hasher.combine(1)
        case .anyKey: hasher.combine(2)
        case .variable(let name), .keyPath(let name): hasher.combine(name)
        case .operandKeyPath(let operand, let path):
            hash(operand, into: &hasher)
            hasher.combine(path)
        case .function(let name, let arguments), .call(_, let name, let arguments):
            hasher.combine(name)
            for argument in arguments { hash(argument, into: &hasher) }
        case .unionSet(let left, let right), .minusSet(let left, let right), .intersectSet(let left, let right):
            hash(left, into: &hasher)
            hash(right, into: &hasher)
        case .subquery(let collection, let name, let predicate):
            hash(collection, into: &hasher)
            hasher.combine(name)
            hash(predicate, into: &hasher)
        case .conditional(let predicate, let first, _):
            hash(predicate, into: &hasher)
            hash(first, into: &hasher)
        case .fetch(let request, _, _): hash(request, into: &hasher)
        case .aggregate, .block, .invalid, .custom: break
        }
    }
}
