/// A truth value in SQL.
///
/// NULL counts as false wherever a condition is used, so `AND`, `OR` and `WHERE` may take a condition as it is, and only
/// negation must look at it.
///
/// SQLite's parser has room for a limited number of open parentheses, and its expressions may be a thousand operators
/// deep. So a long list of conditions becomes groups of groups, a condition that is negated twice stays as it was, and one
/// that is nested deeper than ``deepestNesting`` becomes a `CASE`: in a tree of conditions the way down its deepest branch
/// is one `CASE`, in which each condition beside the way decides, or leaves the decision to those below.
package struct SQLCondition {
    private var statement: SQLFragment
    private var isStatementNullable: Bool
    private var isNegated = false
    /// What decides before the statement is asked, the last one first.
    private var decisions: [Decision] = []
    /// How deep the decisions are nested.
    private var decisionNesting = 0
    /// The value when it is known beforehand.
    private(set) var known: Bool?

    private struct Decision {
        var condition: SQLFragment
        var outcome: Bool
    }

    /// How deep parentheses are nested before a `CASE` takes their place.
    private static let deepestNesting = 8
    /// The most conditions in one list.
    private static let longestList = 64

    init(_ sql: SQLFragment, isNullable: Bool) {
        statement = sql
        isStatementNullable = isNullable
    }

    private init(known: Bool) {
        statement = .truth(known)
        isStatementNullable = false
        self.known = known
    }

    static func known(_ value: Bool) -> SQLCondition { SQLCondition(known: value) }

    /// Whether the text can give NULL.
    var isNullable: Bool { isStatementNullable && !isNegated }

    var sql: SQLFragment {
        guard !decisions.isEmpty else { return last }
        var result: SQLFragment = "(CASE"
        for decision in decisions.reversed() {
            result += " WHEN \(decision.condition) THEN \(SQLFragment.truth(decision.outcome))"
        }
        return result + " ELSE \(last) END)"
    }

    /// The condition below all decisions.
    private var last: SQLFragment {
        guard isNegated else { return statement }
        return isStatementNullable ? "(\(statement)) IS NOT TRUE" : "NOT (\(statement))"
    }

    private var nesting: Int {
        let own = statement.nesting + (isNegated ? 1 : 0)
        return decisions.isEmpty ? own : max(own, decisionNesting) + 1
    }

    /// The opposite, never NULL.
    var negated: SQLCondition {
        if let known { return .known(!known) }
        var result = self
        result.isNegated.toggle()
        for index in decisions.indices { result.decisions[index].outcome.toggle() }
        return result
    }

    // MARK: Combining

    static func all(_ parts: [SQLCondition]) -> SQLCondition {
        if parts.contains(where: { $0.known == false }) { return .known(false) }
        return combine(parts.filter { $0.known == nil }, isAll: true) ?? .known(true)
    }

    static func any(_ parts: [SQLCondition]) -> SQLCondition {
        if parts.contains(where: { $0.known == true }) { return .known(true) }
        return combine(parts.filter { $0.known == nil }, isAll: false) ?? .known(false)
    }

    /// One of two conditions, as a third decides.
    static func choice(_ condition: SQLCondition, _ first: SQLCondition, _ second: SQLCondition) -> SQLCondition {
        if let known = condition.known { return known ? first : second }
        if let known = first.known, known == second.known { return .known(known) }
        if let isSame = first.known, second.known == !isSame { return isSame ? condition : condition.negated }
        return SQLCondition(
            "(CASE WHEN \(condition.sql) THEN \(first.sql) ELSE \(second.sql) END)",
            isNullable: first.isNullable || second.isNullable)
    }

    private static func combine(_ parts: [SQLCondition], isAll: Bool) -> SQLCondition? {
        guard var deepest = parts.indices.first else { return nil }
        for index in parts.indices where parts[index].nesting > parts[deepest].nesting { deepest = index }
        if parts.count == 1 { return parts[0] }
        guard parts[deepest].nesting >= deepestNesting else { return list(parts, isAll: isAll) }
        var result = parts[deepest]
        let others = parts.indices.filter { $0 != deepest }.map { parts[$0] }
        let shallow = others.filter { $0.nesting < deepestNesting }
        if let one = shallow.first {
            result.decide(shallow.count == 1 ? one : list(shallow, isAll: isAll), isAll: isAll)
        }
        for other in others where other.nesting >= deepestNesting { result.decide(other, isAll: isAll) }
        return result
    }

    /// Lets another condition decide first: of AND one that is false, of OR one that is true.
    private mutating func decide(_ other: SQLCondition, isAll: Bool) {
        let decision = isAll ? other.negated : other
        decisions.append(Decision(condition: decision.sql, outcome: !isAll))
        decisionNesting = max(decisionNesting, decision.nesting)
    }

    private static func list(_ parts: [SQLCondition], isAll: Bool) -> SQLCondition {
        let word: SQLFragment = isAll ? " AND " : " OR "
        return SQLCondition(
            "(\(grouped(parts.map(\.sql), word).joined(word)))", isNullable: parts.contains { $0.isNullable })
    }

    /// No more strings than a list may have: of a longer one, groups.
    private static func grouped(_ fragments: [SQLFragment], _ word: SQLFragment) -> [SQLFragment] {
        var fragments = fragments
        while fragments.count > longestList {
            fragments = stride(from: 0, to: fragments.count, by: longestList).map { start in
                let group = fragments[start..<min(start + longestList, fragments.count)]
                return group.count == 1 ? fragments[start] : "(\(group.joined(word)))"
            }
        }
        return fragments
    }
}
