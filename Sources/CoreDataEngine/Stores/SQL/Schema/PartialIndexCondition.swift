import Foundation

/// The condition of a partial index as SQL: comparisons of a stored property with a constant, and AND, OR and NOT.
///
/// A `CREATE INDEX` statement cannot have bound values, so the constants, which come from the model, are written into
/// it. What cannot be said this way gives nil, and the index holds all rows, which answers every query the same.
struct PartialIndexCondition {
    private let entity: SQLEntity

    init(_ entity: SQLEntity) {
        self.entity = entity
    }

    func sql(for predicate: NSPredicate) -> String? {
        if let comparison = predicate as? NSComparisonPredicate { return sql(comparison) }
        guard let compound = predicate as? NSCompoundPredicate else { return nil }
        let parts = compound.subpredicates.compactMap { ($0 as? NSPredicate).flatMap(sql(for:)) }
        guard !parts.isEmpty, parts.count == compound.subpredicates.count else { return nil }
        switch compound.compoundPredicateType {
        case .and: return "(\(parts.joined(separator: " AND ")))"
        case .or: return "(\(parts.joined(separator: " OR ")))"
        case .not: return "NOT (\(parts[0]))"
        }
    }

    private func sql(_ comparison: NSComparisonPredicate) -> String? {
        guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
            comparison.leftExpression.expressionType == .keyPath,
            comparison.rightExpression.expressionType == .constantValue,
            let column = entity.column(named: comparison.leftExpression.keyPath)
        else { return nil }
        let constant = comparison.rightExpression.rawConstant
        if constant == nil || constant is NSNull {
            switch comparison.predicateOperatorType {
            case .equalTo: return "\(column.sql) IS NULL"
            case .notEqualTo: return "\(column.sql) IS NOT NULL"
            default: return nil
            }
        }
        guard let literal = literal(constant), let sign = sign(comparison.predicateOperatorType) else { return nil }
        return "\(column.sql) \(sign) \(literal)"
    }

    private func sign(_ type: NSComparisonPredicate.Operator) -> String? {
        switch type {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "="
        case .notEqualTo: "<>"
        default: nil
        }
    }

    private func literal(_ value: Any?) -> String? {
        switch value {
        case let string as String where !string.contains("\0"): SQLName.literal(string)
        case let date as Date: String(date.timeIntervalSinceReferenceDate)
        case let truth as Bool: truth ? "1" : "0"
        case let integer as any BinaryInteger: Int64(exactly: integer).map { String($0) }
        case let real as any BinaryFloatingPoint: literal(of: Double(real))
        case let number as NSNumber:
            Int64(exactly: number).map { String($0) } ?? literal(of: number.doubleValue)
        default: nil
        }
    }

    private func literal(of real: Double) -> String? { real.isFinite ? String(real) : nil }
}
