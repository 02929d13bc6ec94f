/// The FROM clause of a select, which grows as key paths are followed.
///
/// To-one relationships are joined once, however often predicate and sort descriptors name them. Joins of to-ones are
/// LEFT JOINs, so that a row without a destination stays; SQLite makes plain joins of them where a condition needs the
/// destination anyway.
final class SQLScope {
    private let aliases: SQLAliases
    private var from: SQLFragment
    private var joins: [SQLFragment] = []
    private var aliasByJoin: [JoinKey: String] = [:]
    /// What ties the rows of a subselect to the outer row, and other conditions of the scope itself.
    private(set) var conditions: [SQLFragment] = []

    private struct JoinKey: Hashable {
        var table: String
        var key: SQLFragment
    }

    /// Begins with a table, or a subselect, that goes by an alias.
    init(from source: SQLFragment, alias: String, aliases: SQLAliases) {
        self.aliases = aliases
        from = "\(source) \(name: alias)"
    }

    /// The alias of the row of a table whose primary key is `key`. Joins it unless it is joined already.
    func alias(ofRow key: SQLFragment, table: String) -> String {
        let joinKey = JoinKey(table: table, key: key)
        if let alias = aliasByJoin[joinKey] { return alias }
        let alias = aliases.next()
        aliasByJoin[joinKey] = alias
        joins.append(" LEFT JOIN \(name: SQLName.quotedIfNeeded(table)) \(name: alias) ON \(name: alias).Z_PK = \(key)")
        return alias
    }

    /// Adds a plain join of a table or subselect; the caller names the alias in the condition.
    func join(_ source: SQLFragment, alias: String, on condition: SQLFragment) {
        joins.append(" JOIN \(source) \(name: alias) ON \(condition)")
    }

    func require(_ condition: SQLFragment) { conditions.append(condition) }

    /// Whether the table itself is all that is read from.
    var isPlain: Bool { joins.isEmpty }

    /// `FROM …` with all joins.
    var fromClause: SQLFragment { " FROM \(from)\(joins.joined(""))" }

    /// `FROM … WHERE …` of a subselect.
    func clause(and further: [SQLFragment] = []) -> SQLFragment {
        let all = conditions + further
        return all.isEmpty ? fromClause : "\(fromClause) WHERE \(all.joined(" AND "))"
    }
}

/// Hands out the aliases of one statement.
final class SQLAliases {
    private var count: Int

    init(first: Int = 0) { count = first - 1 }

    /// `t0`, `t1`, …
    func next() -> String {
        count += 1
        return "t\(count)"
    }
}
