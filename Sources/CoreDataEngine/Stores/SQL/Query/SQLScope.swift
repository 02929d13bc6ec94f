/// The FROM clause of a select, which grows as key paths are followed.
///
/// To-one relationships are joined once, however often predicate and sort descriptors name them. Joins of to-ones are
/// LEFT JOINs, so that a row without a destination stays; SQLite makes plain joins of them where a condition needs the
/// destination anyway.
package final class SQLScope {
    private let aliases: SQLAliases
    private let dialect: any SQLDialect
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
    init(from source: SQLFragment, alias: String, aliases: SQLAliases, dialect: any SQLDialect) {
        self.aliases = aliases
        self.dialect = dialect
        from = "\(source) \(name: alias)"
    }

    /// The alias of the row of an entity's table whose primary key is `key`. Joins it unless it is joined already.
    func alias(ofRow key: SQLFragment, of entity: EntityMapping) -> String {
        let table = entity.table
        let joinKey = JoinKey(table: table, key: key)
        if let alias = aliasByJoin[joinKey] { return alias }
        let alias = aliases.next()
        aliasByJoin[joinKey] = alias
        let column = dialect.quoted(entity.system.key)
        joins.append(
            " LEFT JOIN \(name: dialect.table(table)) \(name: alias) ON \(name: alias).\(name: column) = \(key)")
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
package final class SQLAliases {
    private var count: Int

    init(first: Int = 0) { count = first - 1 }

    /// `t0`, `t1`, …
    func next() -> String {
        count += 1
        return "t\(count)"
    }
}
