import Foundation

/// Predicates to SQL.
extension SQLTranslator {
    /// What a comparison needs beside its two sides.
    struct Comparison {
        var type: NSComparisonPredicate.Operator
        var options: NSComparisonPredicate.Options
        /// For messages.
        var predicate: NSPredicate
    }

    /// The truth value of a predicate. Predicates that no row takes part in are evaluated here and now.
    func condition(_ predicate: NSPredicate) throws -> SQLCondition {
        guard dependsOnRow(predicate) else {
            return .known(try predicate.matches(nil, variables: variables))
        }
        switch predicate.node {
        case .value(let value): return .known(value)
        case .invalid(let error): throw error
        case .block:
            throw untranslatable(
                "A block predicate cannot be evaluated by a store. Fetch without it and filter the objects, or write it as a "
                    + "format.")
        case .custom(let predicate):
            throw untranslatable(
                "A predicate of the class \(type(of: predicate)) cannot be evaluated by a store. Fetch without it and filter "
                    + "the objects, or write it as a format.")
        case .after(let position): return try condition(after: position, predicate)
        case .compound(let compound): return try compoundCondition(compound)
        case .comparison(let comparison): return try comparisonCondition(comparison)
        }
    }

    private func compoundCondition(_ compound: NSCompoundPredicate) throws -> SQLCondition {
        let parts = try joined(compound).map(condition)
        switch compound.compoundPredicateType {
        case .and: return .all(parts)
        case .or: return .any(parts)
        case .not: return (parts.first ?? .known(false)).negated
        }
    }

    private func comparisonCondition(_ predicate: NSComparisonPredicate) throws -> SQLCondition {
        let comparison = Comparison(
            type: predicate.predicateOperatorType, options: predicate.options, predicate: predicate)
        let left = try operand(predicate.leftExpression)
        let right = try operand(predicate.rightExpression)
        switch predicate.comparisonPredicateModifier {
        case .direct: return try compare(left, right, comparison)
        case .any: return try quantified(left, isAll: false) { try self.compare($0, right, comparison) }
        case .all: return try quantified(left, isAll: true) { try self.compare($0, right, comparison) }
        }
    }

    /// ANY or ALL: a condition on the elements of a collection. A single value is a list of one, nothing a list of none.
    private func quantified(
        _ collection: SQLOperand, isAll: Bool, _ condition: (SQLOperand) throws -> SQLCondition
    ) throws -> SQLCondition {
        let elements: [SQLOperand]
        switch collection {
        case .collection(let collection): return try exists(collection, isAll: isAll, condition)
        case .list(let list): elements = list
        case .constant(let value):
            elements = value == nil ? [] : (SQLConstant.elements(of: value) ?? [value]).map { .constant($0) }
        case .choice(let test, let first, let second):
            return .choice(
                test, try quantified(first, isAll: isAll, condition), try quantified(second, isAll: isAll, condition))
        case .term, .object, .entity:
            let missing = try isMissing(collection)
            let single = try condition(collection)
            return isAll ? .any([missing, single]) : .all([missing.negated, single])
        }
        let parts = try elements.map(condition)
        return isAll ? .all(parts) : .any(parts)
    }

    /// Whether some, or all, elements of a subselect fulfil a condition.
    func exists(
        _ collection: SQLCollection, isAll: Bool = false, _ condition: (SQLOperand) throws -> SQLCondition
    ) throws -> SQLCondition {
        var condition = try condition(collection.element.operand)
        // All elements match when none fails to.
        if isAll { condition = condition.negated }
        if condition.known == false { return .known(isAll) }
        let further = condition.known == true ? [] : [condition.sql]
        let found = SQLCondition("EXISTS (SELECT 1\(collection.scope.clause(and: further)))", isNullable: false)
        return isAll ? found.negated : found
    }
}
