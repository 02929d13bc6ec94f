import Foundation

/// One comparison between two values.
struct ComparisonRule {
    let type: NSComparisonPredicate.Operator
    let options: NSComparisonPredicate.Options
    let selector: Selector?
    private let comparison: NSComparisonPredicate

    init(_ comparison: NSComparisonPredicate) {
        type = comparison.predicateOperatorType
        options = comparison.options
        selector = comparison.customSelector
        self.comparison = comparison
    }

    func compare(_ left: Any?, _ right: Any?) throws -> Bool {
        switch type {
        case .equalTo: return try isEqual(left, right)
        case .notEqualTo: return try !isEqual(left, right)
        case .lessThan: return try order(left, right) == .orderedAscending
        case .greaterThan: return try order(left, right) == .orderedDescending
        case .lessThanOrEqualTo: return try order(left, right).map { $0 != .orderedDescending } ?? false
        case .greaterThanOrEqualTo: return try order(left, right).map { $0 != .orderedAscending } ?? false
        case .between: return try isBetween(left, right)
        case .in:
            let list = comparison.preparedOperand.list(comparison)
            if let answer = list?.contains(PredicateValue(left)) { return answer }
            return try contains(right, left)
        case .contains: return try contains(left, right)
        case .beginsWith, .endsWith, .like, .matches: return try matchesString(left, right)
        case .customSelector: return try callSelector(left, right)
        }
    }

    private func isEqual(_ left: Any?, _ right: Any?) throws -> Bool {
        let a = PredicateValue(left)
        let b = PredicateValue(right)
        switch (a, b) {
        case (.collection, .collection), (.collection, .none), (.none, .collection): break
        case (.collection, _), (_, .collection): throw listError
        default: break
        }
        return ValueComparison.equal(a, b, options: options)
    }

    private func order(_ left: Any?, _ right: Any?) throws -> ComparisonResult? {
        let a = PredicateValue(left)
        let b = PredicateValue(right)
        if case .collection = a { throw listError }
        if case .collection = b { throw listError }
        return ValueComparison.order(a, b, options: options)
    }

    private var listError: any Error {
        PredicateError.evaluation(
            "A collection cannot be compared by \(PredicateFormatPrinter.symbol(type)): use ANY, ALL or NONE.")
    }

    private func isBetween(_ value: Any?, _ bounds: Any?) throws -> Bool {
        // Which of a set's elements comes first means nothing.
        let isUnordered = bounds.map { CollectionElements.isUnordered($0) } ?? false
        guard !isUnordered, case .collection(let bounds) = PredicateValue(bounds), bounds.count == 2 else {
            throw PredicateError.evaluation("BETWEEN needs a list of two values on its right side.")
        }
        let subject = PredicateValue(value)
        if case .collection = subject { throw listError }
        guard let lower = ValueComparison.order(subject, PredicateValue(bounds[0]), options: options),
            let upper = ValueComparison.order(subject, PredicateValue(bounds[1]), options: options)
        else { return false }
        return lower != .orderedAscending && upper != .orderedDescending
    }

    /// Whether a collection has an element, or a string has a part.
    private func contains(_ container: Any?, _ element: Any?) throws -> Bool {
        let value = PredicateValue(container)
        switch value {
        case .none: return false
        case .collection(let elements):
            let wanted = PredicateValue(element)
            return elements.contains { ValueComparison.equal(PredicateValue($0), wanted, options: options) }
        default:
            guard let string = value.string, let part = PredicateValue(element).string else { return false }
            if type == .contains, let matcher = comparison.preparedOperand.pattern(comparison) {
                return try matcher.matches(string)
            }
            return try StringComparison.matches(string, .contains, part, options: options)
        }
    }

    private func matchesString(_ left: Any?, _ right: Any?) throws -> Bool {
        let value = PredicateValue(left)
        if case .collection = value { throw listError }
        guard let pattern = PredicateValue(right).string else { return false }
        // The pattern is checked even if the value isn't a string.
        let matcher =
            try comparison.preparedOperand.pattern(comparison)
            ?? StringMatcher(type, pattern: pattern, options: options)
        guard let string = value.string else { return false }
        return try matcher.matches(string)
    }

    private func callSelector(_ left: Any?, _ right: Any?) throws -> Bool {
        let name = selector.map { NSStringFromSelector($0) } ?? ""
        let a = PredicateValue(left)
        let b = PredicateValue(right)
        switch name {
        case "isEqual:", "isEqualTo:", "isEqualToString:", "isEqualToNumber:", "isEqualToDate:":
            return ValueComparison.equal(a, b, options: [])
        case "hasPrefix:", "hasSuffix:", "containsString:":
            guard let string = a.string, let part = b.string else { return false }
            let type: NSComparisonPredicate.Operator =
                name == "hasPrefix:" ? .beginsWith : name == "hasSuffix:" ? .endsWith : .contains
            return try StringComparison.matches(string, type, part, options: [])
        case "isLessThan:": return ValueComparison.order(a, b, options: []) == .orderedAscending
        case "isGreaterThan:": return ValueComparison.order(a, b, options: []) == .orderedDescending
        default:
            guard let ordering = StringOrdering(rawValue: name) else {
                throw PredicateError.evaluation("Comparing by the selector \"\(name)\" is not supported.")
            }
            // As an Objective-C BOOL: every result but orderedSame (0) is true.
            guard let left = a.string, let right = b.string else { return false }
            return ordering.compare(left, right) != .orderedSame
        }
    }
}
