#if PostgreSQL
import Foundation
import OpenCoreData

/// The rows that a save leaves unchanged although their objects changed, because only a to-many relationship
/// changed, which is stored in the members' rows.
///
/// Apple's framework writes a new version into the owner's row. With many writers, each comment on a post would
/// then conflict with all others. If the version isn't changed, foreign keys detect the conflicts that matter: an
/// owner that was deleted, and new members of an owner that is being deleted.
struct UncheckedOwners: Sendable {
    /// Whether that is so where the relationship says nothing.
    let isDefault: Bool
    /// Whether the store has foreign keys of ours, without which versions are needed.
    let isPossible: Bool

    func areLeftAlone(_ change: RowChange) -> Bool {
        guard isPossible, change.slots.isEmpty, !change.detectsConflicts, !change.changedToManys.isEmpty else {
            return false
        }
        return change.changedToManys.allSatisfy {
            change.entity.relationship(named: $0)?.leavesOwnerAlone(byDefault: isDefault) == true
        }
    }

    /// The versions of the owners that a save has left alone.
    func versions(_ plan: SavePlan) -> [DerivedChange] {
        guard isPossible else { return [] }
        return plan.updates.compactMap { change in
            guard change.version >= 0, areLeftAlone(change) else { return nil }
            return .version(change.version, of: change.reference, change.entity)
        }
    }

    /// The conflicts behind a foreign key's refusal, for rows whose versions weren't compared: deleted owners, and
    /// deleted rows to which others refer. Called after the transaction has ended.
    func conflicts(
        of plan: SavePlan, _ schema: PostgreSQLSchema, _ connection: PostgreSQLConnection
    ) throws -> [(change: RowChange, isDelete: Bool)] {
        guard isPossible else { return [] }
        var conflicts: [(change: RowChange, isDelete: Bool)] = []
        let owners = Dictionary(grouping: plan.updates.filter(areLeftAlone)) { $0.entity.index }
        for (index, changes) in owners.sorted(by: { $0.key < $1.key }) {
            guard let entity = schema.mapping.entities[index] else { continue }
            let key = SQLName.quoted(entity.system.key)
            let present = try keys(
                "SELECT \(key) FROM \(schema.qualified(entity.table)) WHERE \(key) = ANY($1::int8[])",
                [changes.map(\.reference)], connection)
            conflicts += changes.filter { !present.contains($0.reference) }.map { ($0, false) }
        }
        let deletes = Dictionary(grouping: plan.deletes) { $0.entity.index }
        for (index, changes) in deletes.sorted(by: { $0.key < $1.key }) {
            guard let entity = schema.mapping.entities[index] else { continue }
            let owned = try members(of: changes, entity, plan, schema, connection)
            conflicts += changes.filter { owned.contains($0.reference) }.map { ($0, true) }
        }
        return conflicts
    }

    /// Those of some deleted rows to which rows refer that the plan doesn't change.
    private func members(
        of changes: [RowChange], _ entity: EntityMapping, _ plan: SavePlan, _ schema: PostgreSQLSchema,
        _ connection: PostgreSQLConnection
    ) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for relationship in entity.layout.relationships where relationship.leavesOwnerAlone(byDefault: isDefault) {
            guard case .inverse(let table, let column) = entity.mapping(relationship) else { continue }
            let root = relationship.destination.root
            let changed = (plan.updates + plan.deletes).filter { $0.entity.root === root }.map(\.reference)
            let name = SQLName.quoted(column.name)
            found.formUnion(
                try keys(
                    "SELECT DISTINCT \(name) FROM \(schema.qualified(table)) WHERE \(name) = ANY($1::int8[]) "
                        + "AND NOT (\(SQLName.quoted(entity.system.key)) = ANY($2::int8[]))",
                    [changes.map(\.reference), changed], connection))
        }
        return found
    }

    private func keys(
        _ sql: String, _ lists: [[Int64]], _ connection: PostgreSQLConnection
    ) throws -> Set<Int64> {
        var parameters = PostgreSQLParameters()
        for list in lists { parameters.append(SaveStatements.array(list)) }
        var keys: Set<Int64> = []
        try connection.execute(sql, parameters).forEachRow { keys.insert(try $0.integer(0)) }
        return keys
    }
}
#endif
