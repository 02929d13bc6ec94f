import Foundation

/// What a query has in common with others that differ in their constants only, so that its SQL can be kept.
///
/// Only plain queries have one: comparisons of key paths with single values, joined by AND.
package struct QueryShape: Hashable {
    /// What the statement is for.
    package enum Purpose: UInt8 {
        case fill, fillRange, rows, count
    }

    private struct Comparison: Hashable {
        var keyPath: String
        var type: UInt
        var kind: SQLValueType
    }

    private struct Order: Hashable {
        var key: String
        var selector: String
        var ascending: Bool
    }

    private let purpose: Purpose
    private let entity: Int
    private let includesSubentities: Bool
    private let includesValues: Bool
    private let leavesOutStrays: Bool
    private let hasLimit: Bool
    private let hasOffset: Bool
    private var comparisons: [Comparison] = []
    private var orders: [Order] = []

    private static let types: Set<NSComparisonPredicate.Operator> = [
        .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
    ]

    /// - Parameter values: Gets the values that the statement of the shape binds.
    /// - Returns: nil for a query that is not plain.
    package init?(_ query: borrowing StoreQuery, _ purpose: Purpose, values: inout [SQLValue]) {
        guard query.references == nil else { return nil }
        self.purpose = purpose
        entity = query.entity.index
        includesSubentities = query.includesSubentities
        includesValues = query.includesValues
        leavesOutStrays = query.leavesOutStrays
        hasLimit = query.limit > 0
        hasOffset = query.offset > 0
        if let predicate = query.predicate, !add(predicate, &values) { return nil }
        for descriptor in query.sortDescriptors {
            guard case .key(let key) = descriptor.subject, !descriptor.hasCustomComparator,
                descriptor.formatError == nil
            else { return nil }
            let selector = descriptor.selector.map { NSStringFromSelector($0) } ?? ""
            orders.append(Order(key: key, selector: selector, ascending: descriptor.ascending))
        }
        if hasLimit { values.append(.integer(Int64(query.limit))) }
        if hasOffset { values.append(.integer(Int64(query.offset))) }
    }

    private mutating func add(_ predicate: NSPredicate, _ values: inout [SQLValue]) -> Bool {
        switch predicate.node {
        case .compound(let compound):
            guard compound.compoundPredicateType == .and, compound.parts.count > 0 else { return false }
            for part in compound.parts where !add(part, &values) { return false }
            return true
        case .comparison(let comparison):
            guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
                Self.types.contains(comparison.predicateOperatorType),
                case .keyPath(let path) = comparison.leftExpression.node,
                case .constant(let constant?) = comparison.rightExpression.node,
                let (value, kind) = SQLConstant.bound(constant), !value.isNaN
            else { return false }
            // What may be a boolean, or asks whether there is anything at all, has another text.
            let isTruth = value == .integer(0) || value == .integer(1)
            comparisons.append(
                Comparison(
                    keyPath: path, type: comparison.predicateOperatorType.rawValue, kind: isTruth ? .boolean : kind))
            values.append(value)
            return true
        case .value, .block, .after, .invalid, .custom: return false
        }
    }
}
