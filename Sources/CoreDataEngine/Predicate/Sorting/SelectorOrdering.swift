import Foundation

/// Compares two values in the way a sort descriptor's selector names.
struct SelectorOrdering {
    private let stringOrdering: StringOrdering

    /// Nil if the selector is not known.
    init?(_ selector: Selector?) {
        guard let selector else {
            stringOrdering = .compare
            return
        }
        guard let ordering = StringOrdering(rawValue: NSStringFromSelector(selector)) else { return nil }
        stringOrdering = ordering
    }

    /// The order of two values.
    ///
    /// Values that do not compare, such as a string and a date, count as the same.
    func compare(_ left: Any, _ right: Any) -> ComparisonResult {
        compare(PredicateValue(left), PredicateValue(right))
    }

    /// The order of two values; a missing one comes first.
    func compare(_ a: PredicateValue, _ b: PredicateValue) -> ComparisonResult {
        switch (a, b) {
        case (.string(let a), .string(let b)): return stringOrdering.compare(a, b)
        case (.none, .none): return .orderedSame
        case (.none, _): return .orderedAscending
        case (_, .none): return .orderedDescending
        default: break
        }
        if stringOrdering != .compare, let a = a.string, let b = b.string { return stringOrdering.compare(a, b) }
        return ValueComparison.order(a, b, options: []) ?? .orderedSame
    }
}
