import Foundation

/// Two layouts of a database, the comparison of their models, and the connection that has both files: the new store as
/// `main`, the old one as `source`.
///
/// Objects keep their primary keys: a table of the new store gets its rows from one table of the old store at most.
struct SQLMigrationPlan {
    let connection: SQLiteConnection
    let match: ModelMatch
    let source: SQLSchema
    let destination: SQLSchema
    /// The layout of the new model, for default values.
    let layout: ModelLayout

    /// The entities that both stores have.
    var pairs: [EntityPair] {
        match.pairs.compactMap { pair in
            guard let old = pair.source.flatMap({ source.entity(for: $0) }),
                let new = pair.destination.flatMap({ destination.entity(for: $0) })
            else { return nil }
            return EntityPair(match: pair, source: old, destination: new)
        }
    }

    /// An entity in both stores.
    struct EntityPair {
        let match: EntityMatch
        let source: SQLEntity
        let destination: SQLEntity
    }

    /// Runs a statement.
    func run(_ sql: String, _ values: [SQLValue] = []) throws { try connection.run(sql, values) }

    /// A condition that keeps rows of some source entities; nil when it would keep all rows of the table.
    func condition(_ entities: [SQLEntity], alias: String) -> String? {
        guard let table = entities.first?.table else { return "0" }
        let numbers = entities.map(\.number).sorted()
        if Set(numbers).isSuperset(of: table.entityNumbers) { return nil }
        return "\(alias).Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }

    /// The source entities whose objects a relationship of the new model can lead to, when it was `old`.
    func survivors(of old: NSEntityDescription?, in new: NSEntityDescription?) -> [SQLEntity] {
        guard let old, let new else { return [] }
        return match.survivors(of: old, in: new).compactMap { source.entity(for: $0) }
    }

    /// Whether every object that a relationship led to can still be led to.
    func allSurvive(_ survivors: [SQLEntity], of old: NSEntityDescription?) -> Bool {
        guard let old, !survivors.isEmpty else { return false }
        let all = match.subtree(of: old, in: match.sourceEntities).filter { source.entity(for: $0) != nil }
        return survivors.count == all.count
    }
}
