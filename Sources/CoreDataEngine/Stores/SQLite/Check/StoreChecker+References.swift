/// References from row to row: each leads to a row that is there, and both sides of a pair agree.
extension StoreChecker {
    /// Foreign keys of to-one relationships.
    mutating func checkToOnes(_ schema: SQLSchema) throws {
        for entity in schema.entities {
            for relationship in entity.relationships where isDeclared(relationship, by: entity) {
                guard case .toOne(let toOne) = relationship.storage,
                    let destination = relationship.destinationNumber.flatMap({ schema.entity(number: $0) })
                else { continue }
                // Nothing clears it when its object is deleted.
                let inverse = relationship.relationship.inverseRelationship
                let isLeft = inverse == nil || inverse?.deleteRule == .noActionDeleteRule
                try checkReferences(
                    of: "t.\(toOne.column.sql)", named: relationship.name, entity, leadTo: destination,
                    level: isLeft ? .notice : .damage)
                try checkEntityColumn(toOne, relationship, of: entity, destination)
                try checkOrder(toOne, relationship, of: entity)
            }
        }
    }

    private mutating func checkReferences(
        of column: String, named name: String, _ entity: SQLEntity, leadTo destination: SQLEntity,
        level: StoreFinding.Level
    ) throws {
        let condition = destination.condition(includingSubentities: true, alias: "d.").map { " AND \($0)" } ?? ""
        let own = entity.condition(includingSubentities: true, alias: "t.").map { " AND \($0)" } ?? ""
        try addRows(
            .danglingReference, level: level, table: entity.table.name,
            """
            SELECT t.Z_PK, \(column) FROM \(entity.table.sql) AS t WHERE \(column) IS NOT NULL\(own) AND NOT EXISTS \
            (SELECT 1 FROM \(destination.table.sql) AS d WHERE d.Z_PK = \(column)\(condition))
            """
        ) { row in
            "\(name) leads to \(destination.name) \(row[1].described), which doesn't exist."
        }
    }

    /// The column with the entity number of the row pointed to.
    private mutating func checkEntityColumn(
        _ toOne: SQLRelationship.ToOne, _ relationship: SQLRelationship, of entity: SQLEntity, _ destination: SQLEntity
    ) throws {
        guard let column = toOne.entityColumn else { return }
        let own = entity.condition(includingSubentities: true, alias: "t.").map { " AND \($0)" } ?? ""
        try addRows(
            .danglingReference, table: entity.table.name,
            """
            SELECT t.Z_PK, t.\(column.sql), d.Z_ENT FROM \(entity.table.sql) AS t JOIN \(destination.table.sql) AS d \
            ON d.Z_PK = t.\(toOne.column.sql) WHERE t.\(column.sql) IS NOT d.Z_ENT\(own)
            """
        ) { row in
            "\(column.name) is \(row[1].described), but \(relationship.name) leads to an object of entity \(row[2].described)."
        }
    }

    /// The position in an ordered to-many relationship.
    private mutating func checkOrder(
        _ toOne: SQLRelationship.ToOne, _ relationship: SQLRelationship, of entity: SQLEntity
    ) throws {
        guard let order = toOne.orderColumn else { return }
        let own = entity.condition(includingSubentities: true, alias: "t.").map { " AND \($0)" } ?? ""
        try addRows(
            .order, table: entity.table.name,
            """
            SELECT t.Z_PK FROM \(entity.table.sql) AS t WHERE t.\(toOne.column.sql) IS NOT NULL \
            AND t.\(order.sql) IS NULL\(own)
            """
        ) { _ in
            "\(relationship.name) is set, but \(order.name) gives no position in the order."
        }
    }

    /// Both ends of each row of a many-to-many relationship.
    mutating func checkJoinTables(_ schema: SQLSchema) throws {
        var checked: Set<String> = []
        for entity in schema.entities {
            for relationship in entity.relationships where isDeclared(relationship, by: entity) {
                guard case .manyToMany(let join) = relationship.storage,
                    let destination = relationship.destinationNumber.flatMap({ schema.entity(number: $0) })
                else { continue }
                try checkEnd(join.ownColumn, of: join.table, leadsTo: entity, &checked)
                try checkEnd(join.otherColumn, of: join.table, leadsTo: destination, &checked)
            }
        }
    }

    private mutating func checkEnd(
        _ column: SQLColumn, of table: SQLJoinTable, leadsTo entity: SQLEntity, _ checked: inout Set<String>
    ) throws {
        guard checked.insert("\(table.name).\(column.name)").inserted else { return }
        let condition = entity.condition(includingSubentities: true, alias: "d.").map { " AND \($0)" } ?? ""
        try addRows(
            .danglingReference, table: table.name,
            """
            SELECT j.rowid, j.\(column.sql) FROM \(table.sql) AS j WHERE NOT EXISTS \
            (SELECT 1 FROM \(entity.table.sql) AS d WHERE d.Z_PK = j.\(column.sql)\(condition))
            """
        ) { row in
            "\(column.name) leads to \(entity.name) \(row[1].described), which doesn't exist."
        }
    }

    /// Foreign keys of to-many relationships without inverse, which stand in the rows of the destination.
    mutating func checkHiddenColumns(_ schema: SQLSchema) throws {
        for entity in schema.entities {
            for relationship in entity.relationships where isDeclared(relationship, by: entity) {
                guard case .toManyHiddenColumn(let hidden) = relationship.storage,
                    let destination = relationship.destinationNumber.flatMap({ schema.entity(number: $0) })
                else { continue }
                try checkReferences(
                    of: "t.\(hidden.column.sql)", named: "\(hidden.column.name) (\(relationship.name))", destination,
                    leadTo: entity,
                    level: relationship.relationship.deleteRule == .noActionDeleteRule ? .notice : .damage)
            }
        }
    }

    /// One-to-one relationships, which are stored on both sides.
    mutating func checkInverses(_ schema: SQLSchema) throws {
        for entity in schema.entities {
            for relationship in entity.relationships where isDeclared(relationship, by: entity) {
                guard case .toOne(let toOne) = relationship.storage,
                    let inverse = relationship.relationship.inverseRelationship, !inverse.isToMany,
                    let destination = relationship.destinationNumber.flatMap({ schema.entity(number: $0) }),
                    case .toOne(let back)? = destination.relationship(named: inverse.name)?.storage
                else { continue }
                let own = entity.condition(includingSubentities: true, alias: "t.").map { " AND \($0)" } ?? ""
                try addRows(
                    .inverse, table: entity.table.name,
                    """
                    SELECT t.Z_PK, d.Z_PK, d.\(back.column.sql) FROM \(entity.table.sql) AS t \
                    JOIN \(destination.table.sql) AS d ON d.Z_PK = t.\(toOne.column.sql) \
                    WHERE d.\(back.column.sql) IS NOT t.Z_PK\(own)
                    """
                ) { row in
                    """
                    \(relationship.name) leads to \(destination.name) \(row[1].described), whose \(inverse.name) \
                    is \(row[2].described).
                    """
                }
            }
        }
    }

    /// Whether an entity is the first in its tree to have the relationship; the rows of its subentities are checked with
    /// its own.
    private func isDeclared(_ relationship: SQLRelationship, by entity: SQLEntity) -> Bool {
        guard entity.superNumber != 0, let parent = entity.entity.superentity else { return true }
        return parent.propertiesByName[relationship.name] == nil
    }
}
