import Foundation

/// The constant right side of a comparison, prepared when the comparison is first evaluated: a list for IN, a pattern for
/// the string operators.
final class PreparedOperand {
    private enum State {
        case unprepared
        case none
        case list(MembershipIndex)
        case pattern(StringMatcher)
    }

    private let lock = NSLock()
    private var state = State.unprepared

    /// The list, if the comparison is an IN with one that can be looked up.
    func list(_ comparison: NSComparisonPredicate) -> MembershipIndex? {
        if case .list(let index) = prepared(comparison) { index } else { nil }
    }

    /// The pattern, if the comparison is one of strings.
    func pattern(_ comparison: NSComparisonPredicate) -> StringMatcher? {
        if case .pattern(let matcher) = prepared(comparison) { matcher } else { nil }
    }

    private func prepared(_ comparison: NSComparisonPredicate) -> State {
        lock.withLock {
            if case .unprepared = state { state = Self.prepare(comparison) }
            return state
        }
    }

    /// A pattern that is not valid stays unprepared: evaluating throws the error each time.
    private static func prepare(_ comparison: NSComparisonPredicate) -> State {
        guard case .constant(let value?) = comparison.rightExpression.node else { return .none }
        let (type, options) = (comparison.predicateOperatorType, comparison.options)
        switch type {
        case .in:
            guard let elements = CollectionElements.of(value) else { return .none }
            return MembershipIndex(elements, options: options).map { .list($0) } ?? .none
        case .contains, .beginsWith, .endsWith, .like, .matches:
            guard let string = PredicateValue(value).string,
                let matcher = try? StringMatcher(type, pattern: string, options: options)
            else { return .none }
            return .pattern(matcher)
        default: return .none
        }
    }
}
