#if PostgreSQL
import Foundation
import OpenCoreData

/// A limit of an attribute's values, of its validation predicates: of a number or a date, or of a string's length.
///
/// Other predicates are checked in programs only.
struct ValueLimit: Hashable {
    private let isLength: Bool
    /// `>=`, say.
    private let comparison: String
    /// The limit in SQL.
    private let limit: String
    private let isFloating: Bool

    /// The limit for people.
    var text: String { "\(isLength ? "length " : "")\(comparison) \(limit)" }

    static func limits(of slot: SlotLayout, _ type: PostgreSQLType) -> [ValueLimit] {
        slot.property.validationPredicates.compactMap { ValueLimit($0, type) }
    }

    /// - Returns: `nil` for a predicate that is no limit.
    private init?(_ predicate: NSPredicate, _ type: PostgreSQLType) {
        guard let predicate = predicate as? NSComparisonPredicate, predicate.comparisonPredicateModifier == .direct,
            predicate.rightExpression.expressionType == .constantValue,
            let constant = predicate.rightExpression.constantValue
        else { return nil }
        switch predicate.predicateOperatorType {
        case .greaterThan: comparison = ">"
        case .greaterThanOrEqualTo: comparison = ">="
        case .lessThan: comparison = "<"
        case .lessThanOrEqualTo: comparison = "<="
        default: return nil
        }
        switch predicate.leftExpression.expressionType {
        case .evaluatedObject: isLength = false
        case .keyPath where predicate.leftExpression.keyPath == "length": isLength = true
        default: return nil
        }
        guard isLength == (type == .text), let limit = Self.literal(constant, isLength ? .int8 : type) else {
            return nil
        }
        self.limit = limit
        isFloating = type == .float8
    }

    /// What has a limit in SQL that is that of the predicate.
    private static func literal(_ constant: Any, _ type: PostgreSQLType) -> String? {
        if type == .timestamptz {
            return (constant as? Date).flatMap { PostgreSQLLiteral.statement($0) }
        }
        guard let number = constant as? NSNumber else { return nil }
        switch type {
        case .int2, .int4, .int8, .numeric:
            // A fraction in binary is not the same number in decimal digits.
            return Int64(exactly: number.doubleValue).flatMap { Decimal($0) == number.decimalValue ? String($0) : nil }
        case .float8: return number.doubleValue.isFinite ? "\(number.doubleValue)" : nil
        default: return nil
        }
    }

    /// The condition on a column.
    func condition(_ column: String, _ schema: String) -> String {
        guard isLength else { return "\(column) \(comparison) \(isFloating ? "'\(limit)'::float8" : limit)" }
        let length = "\(SQLName.quoted(schema)).ocd_length(\(column)) \(comparison) \(limit)"
        // The length is that in UTF-16: not less than the number of characters, and not more than that of bytes.
        let quick = comparison.hasPrefix(">") ? "char_length(\(column))" : "octet_length(\(column))"
        return "(\(quick) \(comparison) \(limit) OR \(length))"
    }
}
#endif
