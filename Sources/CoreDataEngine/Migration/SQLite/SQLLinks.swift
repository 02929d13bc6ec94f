import Foundation

/// The pairs of objects that a relationship of the old store connects, as a query: `o` the owner's key, `d` the
/// destination's, `k` what orders the destinations of an owner, `i` what orders the owners of a destination.
struct SQLLinks {
    let sql: String
    let isOrdered: Bool
    let isInverseOrdered: Bool

    /// - Parameters:
    ///   - old: The relationship in the old store.
    ///   - new: What it became.
    ///   - owner: The entity of the old store that has it.
    ///   - newOwner: What that became.
    init?(
        _ old: SQLRelationship, became new: NSRelationshipDescription, owner: SQLEntity, newOwner: SQLEntity,
        plan: SQLMigrationPlan
    ) {
        let owners = plan.survivors(of: owner.entity, in: newOwner.entity)
        let targets = plan.survivors(of: old.relationship.destinationEntity, in: new.destinationEntity)
        guard !owners.isEmpty, !targets.isEmpty, let parts = Self.parts(of: old, owner: owner) else { return nil }
        var conditions = ["\(parts.owner) IS NOT NULL", "\(parts.destination) IS NOT NULL"]
        if !plan.allSurvive(owners, of: owner.entity), let table = owners.first?.table,
            let filter = plan.condition(owners, alias: "e")
        {
            conditions.append("\(parts.owner) IN (SELECT e.Z_PK FROM source.\(table.sql) AS e WHERE \(filter))")
        }
        if !plan.allSurvive(targets, of: old.relationship.destinationEntity), let table = targets.first?.table,
            let filter = plan.condition(targets, alias: "e")
        {
            conditions.append("\(parts.destination) IN (SELECT e.Z_PK FROM source.\(table.sql) AS e WHERE \(filter))")
        }
        sql =
            "SELECT \(parts.owner) AS o, \(parts.destination) AS d, \(parts.order ?? "NULL") AS k, "
            + "\(parts.inverseOrder ?? "NULL") AS i FROM source.\(parts.table) AS s "
            + "WHERE \(conditions.joined(separator: " AND "))"
        isOrdered = parts.order != nil
        isInverseOrdered = parts.inverseOrder != nil
    }

    private struct Parts {
        var table: String
        var owner: String
        var destination: String
        var order: String?
        var inverseOrder: String?
    }

    private static func parts(of old: SQLRelationship, owner: SQLEntity) -> Parts? {
        switch old.storage {
        case .none: nil
        case .toOne(let toOne):
            Parts(
                table: owner.table.sql, owner: "s.Z_PK", destination: "s.\(toOne.column.sql)", order: nil,
                inverseOrder: toOne.orderColumn.map { "s.\($0.sql)" })
        case .toManyInverseForeignKey(let inverse):
            Parts(
                table: inverse.table.sql, owner: "s.\(inverse.column.sql)", destination: "s.Z_PK",
                order: inverse.orderColumn.map { "s.\($0.sql)" }, inverseOrder: nil)
        case .toManyHiddenColumn(let hidden):
            Parts(
                table: hidden.table.sql, owner: "s.\(hidden.column.sql)", destination: "s.Z_PK",
                order: hidden.orderColumn.map { "s.\($0.sql)" }, inverseOrder: nil)
        case .manyToMany(let manyToMany):
            Parts(
                table: manyToMany.table.sql, owner: "s.\(manyToMany.ownColumn.sql)",
                destination: "s.\(manyToMany.otherColumn.sql)", order: manyToMany.orderColumn.map { "s.\($0.sql)" },
                inverseOrder: manyToMany.inverseOrderColumn.map { "s.\($0.sql)" })
        }
    }
}
