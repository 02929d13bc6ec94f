import Foundation

/// IN, CONTAINS and the tests of strings.
extension SQLTranslator {
    /// `left IN right`.
    func membership(_ left: SQLOperand, in right: SQLOperand, _ comparison: Comparison) throws -> SQLCondition {
        switch right {
        case .collection(let collection):
            return try exists(collection) { try self.compare(left, $0, comparison.with(.equalTo)) }
        case .list(let elements):
            return .any(try elements.map { try self.compare(left, $0, comparison.with(.equalTo)) })
        case .constant(let value):
            if let elements = SQLConstant.elements(of: value) {
                return try membership(left, among: elements, comparison)
            }
            return try textTest(.contains, right, left, comparison)
        case .term: return try textTest(.contains, right, left, comparison)
        case .object, .entity, .choice:
            throw untranslatable(
                "The right side of IN is neither a collection nor a string: \(comparison.predicate.predicateFormat).")
        }
    }

    /// `left CONTAINS right`.
    func containment(_ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison) throws -> SQLCondition {
        switch left {
        case .collection, .list: return try membership(right, in: left, comparison)
        case .constant(let value) where SQLConstant.elements(of: value) != nil:
            return try membership(right, in: left, comparison)
        default: return try textTest(.contains, left, right, comparison)
        }
    }

    private func membership(
        _ left: SQLOperand, among elements: [Any?], _ comparison: Comparison
    ) throws -> SQLCondition {
        switch left {
        case .object(let object):
            let keys = elements.compactMap { $0 }.compactMap { reference(of: $0, in: object.entity) }
            return .any([
                listCondition(object.key, isNullable: object.isNullable, keys.map { .integer($0) }, .integer),
                elements.contains { $0 == nil } ? try isMissing(left) : .known(false),
            ])
        case .term(let term) where term.type != .opaque && !comparison.options.contains(.localeSensitive):
            // Elements of the column's own kind make a list; for others the rules of mixed kinds apply one by one.
            var list: [SQLValue] = []
            var others: [SQLCondition] = []
            for element in elements {
                if let element, let constant = constant(element), let value = constant.constant,
                    constant.type.isComparable(with: term.type)
                {
                    // SQLite would take it for NULL, and then for the answer "unknown".
                    if constant.isNotANumber { continue }
                    list.append(folded(value, term, comparison))
                } else {
                    others.append(try compare(left, .constant(element), comparison.with(.equalTo)))
                }
            }
            let subject = term.type == .text ? try folded(term, comparison) : term
            return .any([listCondition(subject.sql, isNullable: term.isNullable, list, term.type)] + others)
        default:
            return .any(
                try elements.map { try self.compare(left, .constant($0), comparison.with(.equalTo)) })
        }
    }

    private func folded(_ value: SQLValue, _ term: SQLTerm, _ comparison: Comparison) -> SQLValue {
        guard term.type == .text, case .text(let string) = value else { return value }
        return .text(StringFolding.folded(string, comparison.options))
    }

    private func listCondition(
        _ sql: SQLFragment, isNullable: Bool, _ values: [SQLValue], _ type: SQLValueType
    ) -> SQLCondition {
        switch values.count {
        case 0: .known(false)
        default: SQLCondition(dialect.membership(sql, in: values, type: type), isNullable: isNullable)
        }
    }

    // MARK: Strings

    /// A test of a string against another.
    func textTest(
        _ type: NSComparisonPredicate.Operator, _ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison
    ) throws -> SQLCondition {
        switch left {
        case .collection, .list: throw unsupported(comparison, "a collection is not a string; use ANY, ALL or NONE")
        case .constant(let value?) where SQLConstant.elements(of: value) != nil:
            throw unsupported(comparison, "a collection is not a string; use ANY, ALL or NONE")
        default: break
        }
        guard let pattern = try text(right, comparison) else { return .known(false) }
        if case .text(let constant)? = pattern.constant, type == .matches {
            // The pattern is checked even if no row has a string to match.
            _ = try StringMatcher(type, pattern: constant, options: comparison.options)
        } else if type == .matches {
            // An invalid pattern in a row is an error only if the row is evaluated, in the order of the predicate.
            throw unsupported(comparison, "the regular expression differs from row to row")
        }
        guard let subject = try text(left, comparison) else { return .known(false) }
        let isNullable = subject.isNullable || pattern.isNullable
        if type == .beginsWith, !StringFolding.isNeeded(comparison.options), subject.isColumn,
            case .text(let prefix)? = pattern.constant, let range = PrefixRange(prefix: prefix)
        {
            // An index on the column can be used for this.
            let upper = range.upper.map { " AND \(subject.sql) < \(value: .text($0))" as SQLFragment } ?? ""
            return SQLCondition(
                "(\(subject.sql) >= \(value: .text(range.lower))\(upper))", isNullable: isNullable)
        }
        return SQLCondition(
            try dialect.textTest(type, subject.sql, pattern, options: comparison.options), isNullable: isNullable)
    }

    /// An operand as the string that a string operator sees; nil for what has none.
    private func text(_ operand: SQLOperand, _ comparison: Comparison) throws -> SQLTerm? {
        let term: SQLTerm?
        switch operand {
        case .term(let plain): term = plain
        case .constant(let value): term = value == nil ? nil : constant(value)
        case .object, .entity, .collection, .list, .choice: term = nil
        }
        switch term?.type {
        case .opaque:
            throw unsupported(
                comparison, "the contents of a transformable or externally stored attribute cannot be searched")
        case nil, .date, .data: return nil
        default: return try term.map(textForm)
        }
    }
}

extension SQLTranslator.Comparison {
    /// The same comparison with another operator.
    func with(_ type: NSComparisonPredicate.Operator) -> Self {
        var copy = self
        copy.type = type
        return copy
    }
}

/// The strings that begin with a prefix, as a range in binary order.
package struct PrefixRange {
    var lower: String
    /// The first string after the range; `nil` if the range has no end.
    var upper: String?

    /// - Returns: nil for the empty prefix, which every string has.
    init?(prefix: String) {
        guard !prefix.isEmpty else { return nil }
        lower = prefix
        var scalars = Array(prefix.unicodeScalars)
        // The next code point; the gap of the surrogates is no code point, and after the last one the one before counts.
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                var bound = String.UnicodeScalarView(scalars)
                bound.append(scalar)
                upper = String(bound)
                return
            }
        }
    }
}
