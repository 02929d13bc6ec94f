import Foundation

/// Copies the rows of one entity: attributes, to-one relationships and order keys.
struct SQLEntityCopy {
    let plan: SQLMigrationPlan
    let pair: SQLMigrationPlan.EntityPair

    private struct Assignment {
        var column: SQLColumn
        var value: String
    }

    private var values: [SQLValue] = []
    private var assignments: [Assignment] = []

    init(plan: SQLMigrationPlan, pair: SQLMigrationPlan.EntityPair) {
        self.plan = plan
        self.pair = pair
    }

    /// Copies.
    ///
    /// - Throws: `SQLiteError`; `NSMigrationError` when a new mandatory attribute has no default value.
    mutating func run() throws {
        for attribute in pair.destination.attributes { try assign(attribute) }
        for relationship in pair.destination.relationships { assign(relationship) }
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + assignments.map(\.column.sql)
        let expressions = ["s.Z_PK", "\(pair.destination.number)", "s.Z_OPT"] + assignments.map(\.value)
        // Rows of no entity of their table stay behind (`SQLStrayRows`).
        let condition = "s.Z_ENT = \(pair.source.number) AND +s.Z_PK >= 0"
        try plan.run(
            "INSERT INTO main.\(pair.destination.table.sql) (\(columns.joined(separator: ", "))) "
                + "SELECT \(expressions.joined(separator: ", ")) FROM source.\(pair.source.table.sql) AS s"
                + " WHERE \(condition)",
            values)
        try requireNoAbstractRows()
        for attribute in pair.destination.attributes { try requireValues(of: attribute) }
    }

    // MARK: Attributes

    private mutating func assign(_ attribute: SQLAttribute) throws {
        let old = source(of: attribute)
        let former = try old.map { try formerValue($0, for: attribute) }
        let fallback = try fallback(for: attribute, was: old)
        let bound = presence(of: attribute).map { "CASE WHEN \($0) THEN ? END" } ?? "?"
        switch (former, fallback) {
        case (let former?, nil): assignments.append(Assignment(column: attribute.column, value: former))
        case (let former?, let value?):
            values.append(value)
            assignments.append(Assignment(column: attribute.column, value: "ifnull(\(former), \(bound))"))
        case (nil, let value?):
            values.append(value)
            assignments.append(Assignment(column: attribute.column, value: bound))
        case (nil, nil): break
        }
    }

    /// The condition that an optional composite attribute has a value in the old row; nil for other attributes.
    ///
    /// A default value of one leaf would make a composite of nothing.
    private func presence(of attribute: SQLAttribute) -> String? {
        guard let composite = attribute.composite, composite.isOptional, let old = pair.match.source(of: composite)
        else { return nil }
        let leaves = pair.source.attributes.filter { $0.composite?.name == old.name }
        return leaves.isEmpty ? nil : leaves.map { "s.\($0.column.sql) IS NOT NULL" }.joined(separator: " OR ")
    }

    /// What an attribute was, in the new type.
    ///
    /// - Throws: `NSMigrationError` that names the object with a value that doesn't fit.
    private func formerValue(_ old: SQLAttribute, for attribute: SQLAttribute) throws -> String {
        let column = "s.\(old.column.sql)"
        guard let conversion = AttributeConversion.conversion(from: old.attribute, to: attribute.attribute) else {
            return column
        }
        let converted = conversion.sql(column)
        let misfits = try plan.connection.rows(
            "SELECT s.Z_PK, \(column) FROM source.\(pair.source.table.sql) AS s WHERE s.Z_ENT = \(pair.source.number) "
                + "AND \(column) IS NOT NULL AND \(converted) IS NULL LIMIT 1")
        guard let misfit = misfits.first, let key = misfit.first?.integer, let value = misfit.last else {
            return converted
        }
        throw AttributeConversion.misfit(
            value.shown, ofType: attribute.attribute.attributeType, entity: pair.destination.name,
            attribute: attribute.name, object: "\(pair.source.name)/p\(key)")
    }

    /// What stands in for a value that is not there.
    ///
    /// A default value that can't be written is an error only where it is needed for certain.
    private func fallback(for attribute: SQLAttribute, was old: SQLAttribute?) throws -> SQLValue? {
        guard old != nil else { return try defaultValue(of: attribute) }
        return attribute.attribute.isOptional ? nil : try? defaultValue(of: attribute)
    }

    /// The column's former self; for a leaf of a composite attribute the leaf of the same path.
    private func source(of attribute: SQLAttribute) -> SQLAttribute? {
        guard let composite = attribute.composite else {
            return pair.match.source(of: attribute.attribute).flatMap { pair.source.attribute(named: $0.name) }
        }
        guard let old = pair.match.source(of: composite) as? NSCompositeAttributeDescription,
            let path = composite.formerPath(of: attribute.name.split(separator: ".").dropFirst(), in: old)
        else { return nil }
        return pair.source.attribute(named: "\(old.name).\(path)")
    }

    private func defaultValue(of attribute: SQLAttribute) throws -> SQLValue? {
        if let value = try freshDefault(of: attribute) { return value }
        guard attribute.composite == nil, !attribute.isDerived, attribute.attribute.defaultValue != nil,
            let slot = pair.destination.entity.layout?.slot(named: attribute.name)
        else { return nil }
        let value = slot.owner.defaults[slot.index]
        return try SQLDefaultValue.value(of: value, attribute: attribute)
    }

    /// The value of an attribute, or of an element of a composite one, that a model made in code makes.
    private func freshDefault(of attribute: SQLAttribute) throws -> SQLValue? {
        guard let value = attribute.attribute.freshDefault?(), !attribute.isDerived else { return nil }
        let layout = pair.destination.entity.layout
        let slot =
            attribute.composite.flatMap { layout?.slot(named: $0.name) }
            .map { composite in composite.leaves.first { $0.name == attribute.name } }
            ?? layout?.slot(named: attribute.name)
        return try slot.flatMap { try SQLDefaultValue.value(of: $0.propertyValue(from: value), attribute: attribute) }
    }

    /// A mandatory attribute must have got values.
    private func requireValues(of attribute: SQLAttribute) throws {
        guard !attribute.attribute.isOptional, attribute.composite == nil, !attribute.isDerived,
            source(of: attribute).map({ $0.attribute.isOptional }) ?? true
        else { return }
        let missing = try plan.connection.firstValue(
            "SELECT 1 FROM main.\(pair.destination.table.sql) WHERE Z_ENT = \(pair.destination.number) "
                + "AND \(attribute.column.sql) IS NULL LIMIT 1")
        guard missing != nil else { return }
        throw CoreDataError.make(
            NSMigrationError,
            "The store can't be migrated: \(pair.destination.name).\(attribute.name) is mandatory now, has no default "
                + "value, and there are objects without a value.",
            userInfo: [
                "entity": pair.destination.name, "attribute": attribute.name,
                "reason": "Validation error missing attribute values on mandatory destination attribute",
            ])
    }

    private func requireNoAbstractRows() throws {
        guard pair.destination.entity.isAbstract else { return }
        let row = try plan.connection.firstValue(
            "SELECT 1 FROM main.\(pair.destination.table.sql) WHERE Z_ENT = \(pair.destination.number) LIMIT 1")
        guard row != nil else { return }
        throw CoreDataError.make(
            NSMigrationError,
            "The store can't be migrated: \(pair.destination.name) is abstract now, and there are objects of it.",
            userInfo: ["entity": pair.destination.name, "reason": "Destination entity is abstract"])
    }

    // MARK: To-one relationships

    private mutating func assign(_ relationship: SQLRelationship) {
        guard case .toOne(let new) = relationship.storage,
            let oldDescription = pair.match.source(of: relationship.relationship),
            let oldRelationship = pair.source.relationship(named: oldDescription.name),
            case .toOne(let old) = oldRelationship.storage
        else { return }
        let targets = plan.survivors(
            of: oldDescription.destinationEntity, in: relationship.relationship.destinationEntity)
        guard let table = targets.first?.table else { return }
        let key = "s.\(old.column.sql)"
        let lookup = "FROM source.\(table.sql) AS t WHERE t.Z_PK = \(key)"
        let keepsAll = plan.allSurvive(targets, of: oldDescription.destinationEntity)
        let filter = keepsAll ? nil : plan.condition(targets, alias: "t")
        let reachable = filter.map { "(SELECT t.Z_PK \(lookup) AND \($0))" } ?? key
        assignments.append(Assignment(column: new.column, value: reachable))
        if let entityColumn = new.entityColumn {
            let numbers = targets.compactMap { target -> String? in
                let became = plan.match.match(source: target.entity)?.destination
                return became.flatMap { plan.destination.entity(for: $0) }
                    .map { "WHEN \(target.number) THEN \($0.number)" }
            }
            assignments.append(
                Assignment(
                    column: entityColumn,
                    value: "(SELECT CASE t.Z_ENT \(numbers.joined(separator: " ")) END \(lookup))"))
        }
        if let order = new.orderColumn, let oldOrder = old.orderColumn {
            let value = "s.\(oldOrder.sql)"
            assignments.append(
                Assignment(
                    column: order,
                    value: keepsAll ? value : "CASE WHEN \(reachable) IS NULL THEN NULL ELSE \(value) END"))
        }
    }
}
