#if PostgreSQL
import Foundation
import OpenCoreData

/// The pairs of objects that a relationship connects, kept beside the tables while those change, for a relationship that
/// is kept in another way afterwards: `o` the owner's key, `d` the destination's, `k` what orders the destinations of an
/// owner, `i` what orders the owners of a destination.
struct MigratedLinks {
    let table: String
    let relationship: RelationshipLayout
    let owner: MigratedEntity
    let isOrdered: Bool
    let isInverseOrdered: Bool

    /// The query of the pairs before anything changes.
    let query: String

    /// - Returns: `nil` for a relationship that the store doesn't keep.
    init?(
        _ old: RelationshipLayout, became new: RelationshipLayout, of owner: MigratedEntity, number: Int,
        source: PostgreSQLSchema
    ) {
        let key = SQLName.quoted(PostgreSQLSchema.system.key)
        func column(_ name: String) -> String { "s.\(SQLName.quoted(name))" }
        let parts: (table: String, owner: String, destination: String, order: String?, inverseOrder: String?)
        guard let mapping = source.mapping[old.owner] else { return nil }
        switch mapping.mapping(old) {
        case .none: return nil
        case .toOne(let toOne):
            parts = (mapping.table, "s.\(key)", column(toOne.name), nil, toOne.orderColumn.map(column))
        case .inverse(let table, let toOne), .hidden(let table, let toOne):
            parts = (table, column(toOne.name), "s.\(key)", toOne.orderColumn.map(column), nil)
        case .join(let join):
            parts = (
                join.table, column(join.ownerColumn), column(join.destinationColumn), join.orderColumn.map(column),
                join.inverseOrderColumn.map(column)
            )
        }
        self.owner = owner
        relationship = new
        table = "ocd_links_\(number)"
        isOrdered = parts.order != nil
        isInverseOrdered = parts.inverseOrder != nil
        query =
            "SELECT \(parts.owner) AS o, \(parts.destination) AS d, \(parts.order ?? "NULL::int8") AS k, "
            + "\(parts.inverseOrder ?? "NULL::int8") AS i FROM \(source.qualified(parts.table)) AS s "
            + "WHERE \(parts.owner) IS NOT NULL AND \(parts.destination) IS NOT NULL"
    }
}

/// What becomes of a table of pairs that the new layout has as well.
struct MigratedPairs {
    let source: PostgreSQLSchema.Pairs
    let destination: PostgreSQLSchema.Pairs
    /// The new names of columns by their old ones.
    let names: [String: String]
    let owner: MigratedEntity
    let relationship: RelationshipLayout
    let join: JoinMapping
    /// Whether each pair's objects are there afterwards.
    let keepsAll: Bool

    var addedOrders: [PostgreSQLSchema.Column] {
        destination.orders.filter { !names.values.contains($0.name) }
    }

    var leftOrders: [PostgreSQLSchema.Column] { source.orders.filter { names[$0.name] == nil } }

    var isChanged: Bool {
        source.name != destination.name || names.contains { $0.key != $0.value } || !addedOrders.isEmpty
            || !leftOrders.isEmpty || !keepsAll
    }
}

/// Finds out what becomes of the relationships of a store that are not columns of their owners.
struct MigratedRelationships {
    private(set) var pairs: [MigratedPairs] = []
    private(set) var links: [MigratedLinks] = []

    init(_ tables: MigratedTables) {
        let (source, destination, match) = (tables.source, tables.destination, tables.match)
        var taken: Set<String> = []
        var made: Set<String> = []
        for owner in tables.entities {
            for new in owner.destination.layout.relationships where Self.isDeclared(new, owner, tables) {
                guard let description = owner.match.source(of: new.description) else { continue }
                let former = tables.entities.first { $0.source.layout.entity === description.declaringEntity }
                let holder = former?.source ?? owner.source
                guard let old = holder.layout.relationship(named: description.name) else { continue }
                if case .join(let join) = owner.destination.mapping(new) {
                    if made.contains(join.table) { continue }
                    if case .join(let before) = holder.mapping(old), before.isReflexive == join.isReflexive,
                        let one = source.pairs.first(where: { $0.name == before.table }),
                        let other = destination.pairs.first(where: { $0.name == join.table }),
                        // The primary key has the columns in this order.
                        (one.first.name == before.ownerColumn) == (other.first.name == join.ownerColumn),
                        taken.insert(before.table).inserted
                    {
                        made.insert(join.table)
                        var names = [
                            before.ownerColumn: join.ownerColumn, before.destinationColumn: join.destinationColumn,
                        ]
                        if let was = before.orderColumn, let now = join.orderColumn { names[was] = now }
                        if let was = before.inverseOrderColumn, let now = join.inverseOrderColumn {
                            names[was] = now
                        }
                        let keepsAll =
                            Self.allSurvive(description.destinationEntity, in: new.destination.entity, match)
                            && Self.allSurvive(description.declaringEntity, in: new.owner.entity, match)
                        pairs.append(
                            MigratedPairs(
                                source: one, destination: other, names: names, owner: owner, relationship: new,
                                join: join, keepsAll: keepsAll))
                        continue
                    }
                }
                guard Self.needsLinks(new, was: old, owner, holder, tables),
                    let link = MigratedLinks(
                        old, became: new, of: owner, number: links.count + 1, source: source)
                else { continue }
                links.append(link)
            }
        }
    }

    /// Whether an entity is where the relationship is to be handled: its own, not an inherited one that the parent handles.
    private static func isDeclared(
        _ relationship: RelationshipLayout, _ entity: MigratedEntity, _ tables: MigratedTables
    ) -> Bool {
        guard !relationship.isTransient else { return false }
        guard let parent = entity.destination.layout.parent,
            let other = tables.entities.first(where: { $0.destination.layout === parent }),
            parent.relationship(named: relationship.name) != nil
        else { return true }
        return other.match.sources[relationship.name]?.declaringEntity
            !== entity.match.sources[relationship.name]?.declaringEntity
    }

    private static func needsLinks(
        _ new: RelationshipLayout, was old: RelationshipLayout, _ owner: MigratedEntity, _ holder: EntityMapping,
        _ tables: MigratedTables
    ) -> Bool {
        switch owner.destination.mapping(new) {
        case .none: return false
        case .join: return true
        case .hidden(let table, _):
            guard case .hidden(let before, _) = holder.mapping(old) else { return true }
            // The column has come along with the table of the destination.
            return !tables.entities.contains { $0.destination.table == table && $0.source.table == before }
        case .inverse, .toOne:
            if case .toOne = owner.destination.mapping(new), new.inverse?.isToMany ?? true { return false }
            return !isInverseCarried(new, tables.match)
        }
    }

    /// Whether the to-one on the other side was one before, so that its rows have the keys.
    private static func isInverseCarried(_ new: RelationshipLayout, _ match: ModelMatch) -> Bool {
        guard let inverse = new.inverse?.description,
            let entity = match.match(destination: inverse.declaringEntity), entity.source != nil,
            let old = entity.source(of: inverse)
        else { return false }
        return !old.isToMany
    }

    /// Whether every object that a relationship led to can still be led to.
    static func allSurvive(
        _ old: NSEntityDescription?, in new: NSEntityDescription, _ match: ModelMatch
    ) -> Bool {
        guard let old else { return false }
        return match.survivors(of: old, in: new).count == match.subtree(of: old, in: match.sourceEntities).count
    }
}
#endif
