#if PostgreSQL
import Foundation
import OpenCoreData

/// Relationships whose objects or whose form are others after a migration.
extension SchemaMigration {
    func fillRelationships() throws {
        for entity in tables.entities { try numberNewOrders(of: entity) }
        for pairs in relationships.pairs {
            for order in pairs.addedOrders { try number(order, of: pairs.join) }
        }
        for link in relationships.links { try apply(link) }
        for entity in tables.entities { try settle(entity) }
        for link in relationships.links { try run("DROP TABLE \(source.qualified(link.table))") }
    }

    // MARK: Links

    private func apply(_ links: MigratedLinks) throws {
        let new = links.relationship
        switch links.owner.destination.mapping(new) {
        case .none: break
        case .join(let join): try insert(links, into: join)
        case .hidden(let table, let column), .inverse(let table, let column):
            try update(table, column, from: links)
        case .toOne:
            // A one-to-one relationship that has got an inverse: the other side holds a key as well.
            guard let inverse = new.inverse, let other = destination.mapping[new.destination],
                case .toOne(let column) = other.mapping(inverse)
            else { return }
            try update(other.table, column, from: links)
        }
    }

    private func conditions(_ links: MigratedLinks) -> String {
        isThere("l.o", links.owner.destination.layout) + " AND " + isThere("l.d", links.relationship.destination)
    }

    private func insert(_ links: MigratedLinks, into join: JoinMapping) throws {
        var columns = [join.ownerColumn, join.destinationColumn]
        var values = ["l.o", "l.d"]
        if let order = join.orderColumn {
            columns.append(order)
            values.append("l.k")
        }
        if let order = join.inverseOrderColumn {
            columns.append(order)
            values.append("l.i")
        }
        // Each side of the relationship comes by here; the second finds everything there.
        try run(
            "INSERT INTO \(destination.qualified(join.table)) "
                + "(\(columns.map(SQLName.quoted).joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) FROM \(source.qualified(links.table)) AS l "
                + "WHERE \(conditions(links)) ON CONFLICT DO NOTHING")
        if let order = join.orderColumn, !links.isOrdered {
            try number(join.table, order, owner: join.ownerColumn, element: join.destinationColumn)
        }
        if let order = join.inverseOrderColumn, !links.isInverseOrdered {
            try number(join.table, order, owner: join.destinationColumn, element: join.ownerColumn)
        }
    }

    private func update(_ table: String, _ column: ColumnMapping, from links: MigratedLinks) throws {
        var assignments = ["\(SQLName.quoted(column.name)) = l.o"]
        if let order = column.orderColumn, links.isOrdered { assignments.append("\(SQLName.quoted(order)) = l.k") }
        if let entity = column.entityColumn {
            let owners = destination.qualified(links.owner.destination.table)
            assignments.append(
                "\(SQLName.quoted(entity)) = (SELECT e.\(number) FROM \(owners) AS e WHERE e.\(key) = l.o)")
        }
        try run(
            "UPDATE \(destination.qualified(table)) AS t SET \(assignments.joined(separator: ", ")) "
                + "FROM \(source.qualified(links.table)) AS l WHERE t.\(key) = l.d AND \(conditions(links))")
        if let order = column.orderColumn, !links.isOrdered {
            try number(table, order, owner: column.name, element: PostgreSQLSchema.system.key)
        }
    }

    // MARK: Orders

    /// Numbers the rows of to-one relationships whose inverse has become ordered.
    private func numberNewOrders(of entity: MigratedEntity) throws {
        for relationship in entity.destination.layout.relationships {
            guard case .toOne(let column) = entity.destination.mapping(relationship),
                let order = column.orderColumn, let former = formerToOne(relationship, entity),
                former.orderColumn == nil
            else { continue }
            try number(
                entity.destination.table, order, owner: column.name, element: PostgreSQLSchema.system.key)
        }
    }

    private func formerToOne(_ new: RelationshipLayout, _ entity: MigratedEntity) -> ColumnMapping? {
        guard let old = entity.match.source(of: new.description), !old.isToMany,
            let layout = entity.source.layout.relationship(named: old.name),
            case .toOne(let column) = entity.source.mapping(layout)
        else { return nil }
        return column
    }

    private func number(_ order: PostgreSQLSchema.Column, of join: JoinMapping) throws {
        if order.name == join.orderColumn {
            try number(join.table, order.name, owner: join.ownerColumn, element: join.destinationColumn)
        } else {
            try number(join.table, order.name, owner: join.destinationColumn, element: join.ownerColumn)
        }
    }

    /// Sets order numbers of elements that have none, in the order of their keys.
    private func number(_ table: String, _ order: String, owner: String, element: String) throws {
        let first = OrderKeys.first - OrderKeys.step
        let (table, order, owner) = (
            destination.qualified(table), SQLName.quoted(order), SQLName.quoted(owner)
        )
        try run(
            "UPDATE \(table) AS t SET \(order) = n.k FROM (SELECT s.ctid AS r, \(first) + \(OrderKeys.step) * "
                + "row_number() OVER (PARTITION BY s.\(owner) ORDER BY s.\(SQLName.quoted(element))) AS k "
                + "FROM \(table) AS s WHERE s.\(owner) IS NOT NULL) AS n "
                + "WHERE t.ctid = n.r AND t.\(order) IS NULL")
    }

    // MARK: References

    /// Empties references to objects that are gone, or that the relationship can't lead to any more, and notes the entities
    /// of destinations where that is new.
    private func settle(_ entity: MigratedEntity) throws {
        let mapping = entity.destination
        let table = destination.qualified(mapping.table)
        for relationship in mapping.layout.relationships {
            guard let old = entity.match.source(of: relationship.description) else { continue }
            let target = relationship.destination
            switch mapping.mapping(relationship) {
            case .toOne(let column):
                guard let former = formerToOne(relationship, entity) else { continue }
                let reference = SQLName.quoted(column.name)
                let rows = "t.\(number) = \(mapping.number) AND t.\(reference) IS NOT NULL"
                if !MigratedRelationships.allSurvive(old.destinationEntity, in: target.entity, tables.match) {
                    try run(
                        "UPDATE \(table) AS t SET \(emptied(column)) "
                            + "WHERE \(rows) AND NOT \(isThere("t.\(reference)", target))")
                }
                if let entityColumn = column.entityColumn, former.entityColumn == nil,
                    let other = destination.mapping[target]
                {
                    try run(
                        "UPDATE \(table) AS t SET \(SQLName.quoted(entityColumn)) = x.\(number) "
                            + "FROM \(destination.qualified(other.table)) AS x "
                            + "WHERE \(rows) AND x.\(key) = t.\(reference)")
                }
            case .hidden(let table, let column):
                guard
                    !MigratedRelationships.allSurvive(old.destinationEntity, in: target.entity, tables.match)
                        || !MigratedRelationships.allSurvive(
                            old.declaringEntity, in: relationship.owner.entity, tables.match)
                else { continue }
                let reference = "t.\(SQLName.quoted(column.name))"
                try run(
                    "UPDATE \(destination.qualified(table)) AS t SET \(emptied(column)) "
                        + "WHERE \(reference) IS NOT NULL AND (NOT \(isThere(reference, relationship.owner)) "
                        + "OR t.\(number) NOT IN (\(destination.numbers(of: target))))")
            case .inverse, .join, .none: continue
            }
        }
    }

    private func emptied(_ column: ColumnMapping) -> String {
        [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
            .map { "\(SQLName.quoted($0)) = NULL" }.joined(separator: ", ")
    }
}
#endif
