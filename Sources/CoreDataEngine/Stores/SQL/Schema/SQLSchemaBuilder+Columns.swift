import Foundation

extension SQLSchemaBuilder {
    /// Attributes and to-one relationships, with the columns that accompany them.
    mutating func layOutProperties() throws {
        for index in drafts.indices {
            for entity in drafts[index].members {
                let properties = ownProperties(of: entity)
                let names = try resolveNames(of: properties, entity: entity, in: index)
                for case let attribute as NSAttributeDescription in properties {
                    try layOut(attribute, names: names[ObjectIdentifier(attribute)] ?? [], of: entity, in: index)
                }
                for case let relationship as NSRelationshipDescription in properties where !relationship.isToMany {
                    let name = names[ObjectIdentifier(relationship)]?.first?.name
                    layOut(toOne: relationship, name: name ?? "", in: index)
                }
            }
        }
    }

    /// A value of an attribute, and the column that holds it.
    typealias NamedColumn = (path: String, leaf: NSAttributeDescription?, name: String)

    /// The column names that a property would have if no other property had the same: one for each element of a
    /// composite attribute, none for a to-many relationship.
    func columnNames(of property: NSPropertyDescription) -> [NamedColumn] {
        switch property {
        case let composite as NSCompositeAttributeDescription:
            let leaves =
                naming == .byPath
                ? composite.leaves(path: composite.name) : composite.declaredLeaves(path: composite.name)
            return leaves.map { path, leaf in
                let name = naming == .byPath ? path.replacing(".", with: "_") : leaf.name
                return (path, leaf, "Z" + name.uppercased())
            }
        case let relationship as NSRelationshipDescription where relationship.isToMany: return []
        default: return [(property.name, property as? NSAttributeDescription, "Z" + property.name.uppercased())]
        }
    }

    /// Assigns column names to every property of an entity, in the order of the properties' names.
    ///
    /// Only elements of composite attributes (and names that differ in case) clash within one entity. In an entity
    /// without them, attributes come before relationships, so that existing stores are read as they were written.
    private mutating func resolveNames(
        of properties: [NSPropertyDescription], entity: NSEntityDescription, in index: Int
    ) throws -> [ObjectIdentifier: [NamedColumn]] {
        let composites = properties.compactMap { $0 as? NSCompositeAttributeDescription }
        if naming == .byElement, let nested = composites.lazy.compactMap(\.nestedElement).first {
            try refuse(nested, of: entity)
        }
        var ordered = properties
        if composites.isEmpty || naming == .byPath {
            ordered =
                properties.filter { $0 is NSAttributeDescription }
                + properties.filter { !($0 is NSAttributeDescription) }
        }
        var names: [ObjectIdentifier: [NamedColumn]] = [:]
        for property in ordered {
            names[ObjectIdentifier(property)] = columnNames(of: property).map { path, leaf, base in
                (path, leaf, resolve(base, in: index))
            }
        }
        return names
    }

    /// A composite attribute within a composite attribute: what its columns are named is not known.
    private mutating func refuse(_ nested: NSCompositeAttributeDescription, of entity: NSEntityDescription) throws {
        guard layout == nil else {
            missing.append("columns of the composite element \(nested.name) of entity “\(entity.name ?? "")”")
            return
        }
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The composite attribute “\(nested.name)” of entity “\(entity.name ?? "")” is an element of another one; "
                + "how an SQLite store keeps composites within composites is not known. Make it an attribute of the "
                + "entity, or put its elements in its place.")
    }

    private mutating func layOut(
        _ attribute: NSAttributeDescription, names: [NamedColumn], of entity: NSEntityDescription, in index: Int
    ) throws {
        guard attribute is NSCompositeAttributeDescription else {
            for (_, _, name) in names {
                columns[PropertyKey(index, attribute)] = try column(for: attribute, name: name, of: entity, in: index)
            }
            return
        }
        leafColumns[PropertyKey(index, attribute)] = try names.map { path, leaf, name in
            let leaf = leaf ?? attribute
            return (path, leaf, try column(for: leaf, name: name, of: entity, in: index))
        }
    }

    private mutating func column(
        for attribute: NSAttributeDescription, name: String, of entity: NSEntityDescription, in index: Int
    ) throws -> SQLColumn {
        guard let (group, kind) = Self.storage(of: attribute.attributeType) else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The attribute “\(attribute.name)” of entity “\(entity.name ?? "")” has a type that an SQLite store "
                    + "cannot keep.",
                path: layout?.path)
        }
        let column = SQLColumn(name, kind)
        drafts[index].groups[group.rawValue].append(column)
        return column
    }

    private mutating func layOut(toOne relationship: NSRelationshipDescription, name: String, in index: Int) {
        let key = PropertyKey(index, relationship)
        let column = SQLColumn(name, .integer)
        let body = String(column.name.dropFirst())
        columns[key] = column
        drafts[index].groups[ColumnGroup.integersAndToOnes.rawValue].append(column)
        if let destination = relationship.destinationEntity, contains(destination), hasSubentities(destination) {
            let name = resolveNumbered("Z", number(of: destination), "_" + body, in: index)
            let companion = SQLColumn(name, .integer)
            entityColumns[key] = companion
            drafts[index].groups[ColumnGroup.integersAndToOnes.rawValue].append(companion)
        }
        if let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered {
            let order = SQLColumn(resolve("Z_FOK_" + body, in: index), .integer)
            orderColumns[key] = order
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
