import Foundation

/// Copies what the rows of an entity do not hold themselves: many-to-many relationships, hidden columns, and foreign keys
/// whose own relationship is new while the one on the other side is not.
struct SQLRelationshipCopy {
    let plan: SQLMigrationPlan
    let pair: SQLMigrationPlan.EntityPair

    /// Copies the relationships that the entity declares, once the rows of all entities are there.
    func run() throws {
        for new in pair.destination.relationships where isDeclared(new.relationship) {
            guard let oldDescription = pair.match.source(of: new.relationship) else { continue }
            // The declaring entity of the old model may be a parent of the one that was matched.
            let owner = oldDescription.declaringEntity.flatMap { plan.source.entity(for: $0) } ?? pair.source
            guard let old = owner.relationship(named: oldDescription.name),
                let links = SQLLinks(
                    old, became: new.relationship, owner: owner, newOwner: pair.destination, plan: plan)
            else { continue }
            try copy(links, to: new)
        }
    }

    /// Whether this entity is where the relationship is to be handled: its own, not an inherited one that the parent
    /// handles.
    private func isDeclared(_ relationship: NSRelationshipDescription) -> Bool {
        guard let parent = pair.destination.entity.superentity, let match = plan.match.match(destination: parent),
            match.source != nil, plan.destination.entity(for: parent) != nil
        else { return true }
        return parent.relationshipsByName[relationship.name] == nil
            || match.sources[relationship.name]?.declaringEntity
                !== pair.match.sources[relationship.name]?.declaringEntity
    }

    private func copy(_ links: SQLLinks, to new: SQLRelationship) throws {
        switch new.storage {
        case .none: break
        case .toOne:
            break
        case .manyToMany(let manyToMany): try copy(links, to: manyToMany, of: new)
        case .toManyHiddenColumn(let hidden):
            try update(hidden.table, column: hidden.column, order: hidden.orderColumn, entityColumn: nil, from: links)
        case .toManyInverseForeignKey(let inverse):
            guard !isInverseCopied(new) else { break }
            try update(
                inverse.table, column: inverse.column, order: inverse.orderColumn, entityColumn: inverse.entityColumn,
                from: links)
        }
        try copyNewInverse(links, of: new)
    }

    /// A one-to-one relationship that has got an inverse: the other side holds a key as well.
    private func copyNewInverse(_ links: SQLLinks, of new: SQLRelationship) throws {
        guard case .toOne = new.storage, !isInverseCopied(new), let inverse = new.relationship.inverseRelationship,
            !inverse.isToMany,
            let owner = new.relationship.destinationEntity.flatMap({ plan.destination.entity(for: $0) }),
            case .toOne(let column)? = owner.relationship(named: inverse.name)?.storage
        else { return }
        try update(owner.table, column: column.column, order: nil, entityColumn: column.entityColumn, from: links)
    }

    /// Whether the to-one relationship on the other side was there before, so that its rows have the keys.
    private func isInverseCopied(_ new: SQLRelationship) -> Bool {
        guard let inverse = new.relationship.inverseRelationship,
            let match = plan.match.match(destination: inverse.declaringEntity), match.source != nil,
            let old = match.source(of: inverse)
        else { return false }
        return !old.isToMany
    }

    // MARK: Writing

    private func copy(
        _ links: SQLLinks, to manyToMany: SQLRelationship.ManyToMany, of new: SQLRelationship
    ) throws {
        let table = manyToMany.table
        var columns = [manyToMany.ownColumn.sql, manyToMany.otherColumn.sql]
        var values = ["o", "d"]
        if let order = manyToMany.orderColumn {
            columns.append(order.sql)
            values.append("k")
        }
        if let order = manyToMany.inverseOrderColumn {
            columns.append(order.sql)
            values.append("i")
        }
        // Each side of the relationship comes by here; the second finds everything there.
        try plan.run(
            "INSERT OR IGNORE INTO main.\(table.sql) (\(columns.joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) FROM (\(links.sql))")
        if let order = manyToMany.orderColumn, !links.isOrdered {
            try number(table.sql, order: order, owner: manyToMany.ownColumn, element: manyToMany.otherColumn.sql)
        }
        if let order = manyToMany.inverseOrderColumn, !links.isInverseOrdered {
            try number(table.sql, order: order, owner: manyToMany.otherColumn, element: manyToMany.ownColumn.sql)
        }
    }

    private func update(
        _ table: SQLTable, column: SQLColumn, order: SQLColumn?, entityColumn: SQLColumn?, from links: SQLLinks
    ) throws {
        var assignments = ["\(column.sql) = l.o"]
        if let order, links.isOrdered { assignments.append("\(order.sql) = l.k") }
        if let entityColumn {
            assignments.append(
                "\(entityColumn.sql) = (SELECT e.Z_ENT FROM main.\(pair.destination.table.sql) AS e WHERE e.Z_PK = l.o)"
            )
        }
        try plan.run(
            "UPDATE main.\(table.sql) SET \(assignments.joined(separator: ", ")) FROM (\(links.sql)) AS l "
                + "WHERE main.\(table.sql).Z_PK = l.d")
        if let order, !links.isOrdered { try number(table.sql, order: order, owner: column, element: "Z_PK") }
    }

    /// Gives numbers to the elements of a relationship that has become ordered, in the order of their keys.
    private func number(_ table: String, order: SQLColumn, owner: SQLColumn, element: String) throws {
        try SQLOrderNumbering(table: table, order: order, owner: owner, element: element).run(plan)
    }
}
