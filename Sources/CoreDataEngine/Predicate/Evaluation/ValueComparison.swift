package import Foundation

/// Compares two values by the rules of predicates, which are written down at ``PredicateEvaluator``.
package enum ValueComparison {
    /// Whether two values are equal.
    ///
    /// nil equals nil.
    package static func equal(
        _ left: Any?, _ right: Any?, options: NSComparisonPredicate.Options = []
    ) -> Bool {
        equal(PredicateValue(left), PredicateValue(right), options: options)
    }

    package static func equal(
        _ left: PredicateValue, _ right: PredicateValue, options: NSComparisonPredicate.Options
    ) -> Bool {
        switch (left, right) {
        case (.none, .none): true
        case (.none, _), (_, .none): false
        case (.string(let a), .string(let b)): StringComparison.equal(a, b, options: options)
        case (.integer(let a), .integer(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.collection(let a), .collection(let b)): equalCollections(a, b, options: options)
        case (.other(let a), .other(let b)): equalOthers(a, b)
        default: order(left, right, options: options) == .orderedSame
        }
    }

    /// The order of two values, or nil if they have none: one of them is nil, or their kinds do not compare.
    package static func order(
        _ left: PredicateValue, _ right: PredicateValue, options: NSComparisonPredicate.Options
    ) -> ComparisonResult? {
        switch (left, right) {
        case (.string(let a), .string(let b)): return StringComparison.compare(a, b, options: options)
        case (.data(let a), .data(let b)): return orderBytes(a, b)
        case (.uuid(let a), .uuid(let b)): return orderBytes(a.bytes, b.bytes)
        case (.url, .url): return orderAsStrings(left, right, options)
        case (.uuid(let a), .string(let b)): return UUID(uuidString: b).flatMap { orderBytes(a.bytes, $0.bytes) }
        case (.string(let a), .uuid(let b)): return UUID(uuidString: a).flatMap { orderBytes($0.bytes, b.bytes) }
        case (.string, .integer), (.string, .real), (.string, .decimal), (.string, .url), (.integer, .string),
            (.real, .string),
            (.decimal, .string), (.url, .string):
            return orderAsStrings(left, right, options)
        default: return orderNumbers(left, right)
        }
    }

    private static func orderAsStrings(
        _ left: PredicateValue, _ right: PredicateValue, _ options: NSComparisonPredicate.Options
    ) -> ComparisonResult? {
        guard let a = left.string, let b = right.string else { return nil }
        return StringComparison.compare(a, b, options: options)
    }

    /// Numbers and dates; a date counts as its seconds since the reference date.
    private static func orderNumbers(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult? {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return orderValues(a, b)
        case (.integer(let a), .real(let b)): return order(a, b)
        case (.real(let a), .integer(let b)): return order(b, a)?.reversed
        case (.decimal(let a), .decimal(let b)): return orderValues(a, b)
        case (.decimal(let a), .integer(let b)): return orderValues(a, Decimal(b))
        case (.integer(let a), .decimal(let b)): return orderValues(Decimal(a), b)
        default:
            guard let a = left.double, let b = right.double, !a.isNaN, !b.isNaN else { return nil }
            return orderValues(a, b)
        }
    }

    /// Compares without losing the digits of large integers.
    private static func order(_ a: Int64, _ b: Double) -> ComparisonResult? {
        if b.isNaN { return nil }
        // 2^63 and -2^63: beyond them no Int64 exists.
        if b >= 9_223_372_036_854_775_808 { return .orderedAscending }
        if b < -9_223_372_036_854_775_808 { return .orderedDescending }
        let whole = Int64(b.rounded(.down))
        if a != whole { return orderValues(a, whole) }
        return b > b.rounded(.down) ? .orderedAscending : .orderedSame
    }

    private static func orderValues<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
        a < b ? .orderedAscending : (a == b ? .orderedSame : .orderedDescending)
    }

    private static func orderBytes(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> ComparisonResult {
        if a.lexicographicallyPrecedes(b) { return .orderedAscending }
        return b.lexicographicallyPrecedes(a) ? .orderedDescending : .orderedSame
    }

    /// Collections are equal when they have the same elements, each as often, in whatever order.
    private static func equalCollections(
        _ a: [Any?], _ b: [Any?], options: NSComparisonPredicate.Options
    ) -> Bool {
        guard a.count == b.count else { return false }
        var rest = b.map { PredicateValue($0) }
        for element in a {
            let value = PredicateValue(element)
            guard let index = rest.firstIndex(where: { equal(value, $0, options: options) }) else { return false }
            rest.swapAt(index, rest.count - 1)
            rest.removeLast()
        }
        return true
    }

    private static func equalOthers(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
        guard let a = a as? NSObject else { return false }
        return a.isEqual(b)
    }
}

extension UUID {
    /// The sixteen bytes in order.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
