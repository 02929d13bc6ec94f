import Foundation

/// Rows that a batch deletes from an in-memory store, with those that cascade rules add.
struct InMemoryDeletion {
    private let session: InMemorySession
    private(set) var rows: [InMemoryRow] = []
    private var doomed: Set<ObjectIdentifier> = []

    init(session: InMemorySession) { self.session = session }

    mutating func add(_ rows: [InMemoryRow]) {
        for row in rows where doomed.insert(ObjectIdentifier(row)).inserted { self.rows.append(row) }
    }

    /// Adds what goes by cascade, then checks the deny rules.
    mutating func followRules() throws {
        var next = 0
        while next < rows.count {
            let row = rows[next]
            next += 1
            for relationship in row.record.entity.relationships where relationship.deleteRule == .cascadeDeleteRule {
                add(destinations(of: relationship, row))
            }
        }
        for row in rows {
            for relationship in row.record.entity.relationships
            where relationship.deleteRule == .denyDeleteRule
                && destinations(of: relationship, row).contains(where: stays)
            {
                throw CoreDataError.make(
                    NSValidationRelationshipDeniedDeleteError,
                    "\(row.record.entity.name) can't be deleted while its relationship \(relationship.name) has objects.",
                    userInfo: [NSValidationKeyErrorKey: relationship.name])
            }
        }
    }

    private func stays(_ row: InMemoryRow) -> Bool { !doomed.contains(ObjectIdentifier(row)) }

    private func destinations(of relationship: RelationshipLayout, _ row: InMemoryRow) -> [InMemoryRow] {
        if relationship.isToMany { return session.destinations(of: relationship, owner: row.record.reference) }
        guard let slot = relationship.slot, case .reference(let target) = row.record.values[slot] else { return [] }
        return session.row(reference: target.reference, root: relationship.destination.root).map { [$0] } ?? []
    }

    /// The deletions, and the rows that lose the object of a to-one by them.
    func plan() throws -> SavePlan {
        var plan = SavePlan()
        plan.deletes = rows.map {
            RowChange(entity: $0.record.entity, reference: $0.record.reference, version: -1)
        }
        for table in session.contents.tables {
            for record in table.values {
                guard let row = session.row(reference: record.reference, root: record.entity.root), stays(row) else {
                    continue
                }
                var change = RowChange(entity: record.entity, reference: record.reference, version: -1)
                change.keepsVersion = true
                for relationship in record.entity.relationships {
                    guard let slot = relationship.slot, case .reference(let target) = record.values[slot],
                        let destination = session.row(
                            reference: target.reference, root: relationship.destination.root), !stays(destination)
                    else { continue }
                    guard relationship.isOptional else { throw Self.leavesMissing(relationship) }
                    if change.values.isEmpty { change.values = record.values }
                    change.values[slot] = .null
                    change.slots.append(slot)
                }
                if !change.slots.isEmpty { plan.updates.append(change) }
            }
        }
        return plan
    }

    private static func leavesMissing(_ relationship: RelationshipLayout) -> CocoaError {
        CoreDataError.make(
            NSValidationMissingMandatoryPropertyError,
            "The batch delete would leave \(relationship.name) of \(relationship.owner.name), which is a required value, "
                + "without an object.", userInfo: [NSValidationKeyErrorKey: relationship.name])
    }

    /// Takes the rows out of pairs, of to-manys without an inverse, and of orders.
    func detach(_ contents: inout InMemoryContents) {
        var gone: [EntityLayout: Set<Int64>] = [:]
        for row in rows { gone[row.record.entity.root, default: []].insert(row.record.reference) }
        let entities = session.contents.tables.isEmpty ? [] : rows.first?.record.entity.model.entities ?? []
        for relationship in entities.flatMap(\.relationships) where relationship.isToMany {
            let key = RelationshipKey(relationship)
            let owners = gone[relationship.owner.root] ?? []
            let members = gone[relationship.destination.root] ?? []
            guard !owners.isEmpty || !members.isEmpty else { continue }
            for owner in owners { contents.orders[key]?[owner] = nil }
            if relationship.inverse == nil {
                contents.hiddenOwners[key] = contents.hiddenOwners[key]?.filter {
                    !members.contains($0.key) && !owners.contains($0.value)
                }
                continue
            }
            let side = relationship.linkSide
            let (first, second) = side.isFirst ? (owners, members) : (members, owners)
            contents.links[side.key] = contents.links[side.key]?.filter {
                !first.contains($0.first) && !second.contains($0.second)
            }
        }
    }
}
