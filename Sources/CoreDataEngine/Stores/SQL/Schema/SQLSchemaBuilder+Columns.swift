import Foundation

extension SQLSchemaBuilder {
    /// Attributes and to-one relationships, with the columns that accompany them.
    mutating func layOutProperties() throws {
        for index in drafts.indices {
            for entity in drafts[index].members {
                let properties = ownProperties(of: entity)
                for case let attribute as NSAttributeDescription in properties {
                    try layOut(attribute, of: entity, in: index)
                }
                for case let relationship as NSRelationshipDescription in properties where !relationship.isToMany {
                    layOut(toOne: relationship, in: index)
                }
            }
        }
    }

    private mutating func layOut(
        _ attribute: NSAttributeDescription, of entity: NSEntityDescription, in index: Int
    ) throws {
        guard let composite = attribute as? NSCompositeAttributeDescription else {
            let column = try column(for: attribute, base: "Z" + attribute.name.uppercased(), of: entity, in: index)
            columns[Place(index, attribute)] = column
            return
        }
        leafColumns[Place(index, attribute)] = try composite.leaves(path: composite.name).map { path, leaf in
            let base = "Z" + path.uppercased().replacing(".", with: "_")
            return (path, leaf, try column(for: leaf, base: base, of: entity, in: index))
        }
    }

    private mutating func column(
        for attribute: NSAttributeDescription, base: String, of entity: NSEntityDescription, in index: Int
    ) throws -> SQLColumn {
        guard let (group, kind) = Self.storage(of: attribute.attributeType) else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The attribute “\(attribute.name)” of entity “\(entity.name ?? "")” has a type that an SQLite store "
                    + "cannot keep.",
                path: layout?.path)
        }
        let column = SQLColumn(resolve(base, in: index), kind)
        drafts[index].groups[group.rawValue].append(column)
        return column
    }

    private mutating func layOut(toOne relationship: NSRelationshipDescription, in index: Int) {
        let place = Place(index, relationship)
        let column = SQLColumn(resolve("Z" + relationship.name.uppercased(), in: index), .integer)
        let body = String(column.name.dropFirst())
        columns[place] = column
        drafts[index].groups[ColumnGroup.integersAndToOnes.rawValue].append(column)
        if let destination = relationship.destinationEntity, contains(destination), hasSubentities(destination) {
            let name = resolveNumbered("Z", number(of: destination), "_" + body, in: index)
            let companion = SQLColumn(name, .integer)
            entityColumns[place] = companion
            drafts[index].groups[ColumnGroup.integersAndToOnes.rawValue].append(companion)
        }
        if let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered {
            let order = SQLColumn(resolve("Z_FOK_" + body, in: index), .integer)
            orderColumns[place] = order
            drafts[index].groups[ColumnGroup.orders.rawValue].append(order)
        }
    }

    /// To-many relationships without inverse: a column in the table of the destination.
    mutating func layOutHiddenColumns() {
        for entity in entities {
            for case let relationship as NSRelationshipDescription in ownProperties(of: entity)
            where relationship.isToMany && relationship.inverseRelationship == nil {
                guard let destination = relationship.destinationEntity,
                    let index = draftIndex[ObjectIdentifier(destination)]
                else { continue }
                let name = resolveNumbered("Z", number(of: entity), relationship.name.uppercased(), in: index)
                let column = SQLColumn(name, .integer)
                drafts[index].groups[ColumnGroup.hidden.rawValue].append(column)
                var order: SQLColumn?
                if relationship.isOrdered {
                    let column = SQLColumn(resolve("Z_FOK_" + name.dropFirst(), in: index), .integer)
                    drafts[index].groups[ColumnGroup.orders.rawValue].append(column)
                    order = column
                }
                hiddenColumns[ObjectIdentifier(relationship)] = (index, column, order)
            }
        }
    }

    /// The column name for a base name: the base, or the base with the next free number when it is taken.
    private mutating func resolve(_ base: String, in index: Int) -> String {
        var name = base
        var suffix = 0
        while drafts[index].claimed.contains(name) {
            suffix += 1
            name = base + String(suffix)
        }
        if let layout, layout.has(table: drafts[index].name), !layout.has(column: name, in: drafts[index].name) {
            let others = layout.columns(prefix: base, number: false, body: "", in: drafts[index].name)
            name = unclaimed(others, in: index) ?? reportMissing(name, in: index)
        }
        drafts[index].claimed.insert(name)
        return name
    }

    /// The column name made of a prefix, an entity number and a body.
    private mutating func resolveNumbered(_ prefix: String, _ number: Int, _ body: String, in index: Int) -> String {
        var name = "\(prefix)\(number)\(body)"
        if let layout, layout.has(table: drafts[index].name), !layout.has(column: name, in: drafts[index].name) {
            let others = layout.columns(prefix: prefix, number: true, body: body, in: drafts[index].name)
            name = unclaimed(others, in: index) ?? reportMissing(name, in: index)
        } else if layout == nil {
            var suffix = 0
            while drafts[index].claimed.contains(name) {
                suffix += 1
                name = "\(prefix)\(number)\(body)\(suffix)"
            }
        }
        drafts[index].claimed.insert(name)
        return name
    }

    private func unclaimed(_ names: [String], in index: Int) -> String? {
        names.first { !drafts[index].claimed.contains($0) && !drafts[index].plainNames.contains($0) }
    }

    private mutating func reportMissing(_ name: String, in index: Int) -> String {
        missing.append("column \(name) of table \(drafts[index].name)")
        return name
    }

    /// The column group and type for a kind of value; nil for what cannot be stored.
    private static func storage(of type: NSAttributeType) -> (ColumnGroup, SQLColumn.Kind)? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            (.integersAndToOnes, .integer)
        case .doubleAttributeType, .floatAttributeType: (.realsAndDates, .float)
        case .dateAttributeType: (.realsAndDates, .timestamp)
        case .decimalAttributeType: (.decimals, .decimal)
        case .stringAttributeType: (.strings, .varchar)
        case .UUIDAttributeType: (.identifiers, .blob)
        case .URIAttributeType: (.locations, .varchar)
        case .transformableAttributeType: (.transformables, .blob)
        case .binaryDataAttributeType: (.bytes, .blob)
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
        }
    }
}
