import Foundation

extension SQLSchemaBuilder {
    /// The finished description of an entity, once all columns are known.
    func describe(_ entity: NSEntityDescription, tables: [SQLTable]) -> SQLEntity {
        let index = draftIndex[ObjectIdentifier(entity)] ?? 0
        let properties = entity.properties.filter(\.isPersistent)
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let subtree = [entity] + entity.descendants.filter { contains($0) }
        return SQLEntity(
            entity: entity,
            number: number(of: entity),
            superNumber: entity.superentity.map(number(of:)) ?? 0,
            subtreeNumbers: subtree.map(number(of:)).sorted(),
            table: tables[index],
            attributes: properties.flatMap { property in
                (property as? NSAttributeDescription).map { describe($0, in: index) } ?? []
            },
            relationships: properties.compactMap { property in
                (property as? NSRelationshipDescription).map { describe($0, in: index, tables: tables) }
            })
    }

    private func describe(_ attribute: NSAttributeDescription, in index: Int) -> [SQLAttribute] {
        let key = PropertyKey(index, attribute)
        if let column = columns[key] {
            return [SQLAttribute(name: attribute.name, attribute: attribute, composite: nil, column: column)]
        }
        return (leafColumns[key] ?? []).map { path, leaf, column in
            SQLAttribute(
                name: path, attribute: leaf, composite: attribute as? NSCompositeAttributeDescription, column: column)
        }
    }

    private func describe(
        _ relationship: NSRelationshipDescription, in index: Int, tables: [SQLTable]
    ) -> SQLRelationship {
        let destination = relationship.destinationEntity
        return SQLRelationship(
            relationship: relationship,
            storage: storage(of: relationship, in: index, tables: tables),
            destinationNumber: destination.flatMap { numbers[ObjectIdentifier($0)] })
    }

    private func storage(
        of relationship: NSRelationshipDescription, in index: Int, tables: [SQLTable]
    ) -> SQLRelationship.Storage {
        let key = PropertyKey(index, relationship)
        if let column = columns[key] {
            return .toOne(
                .init(column: column, entityColumn: entityColumns[key], orderColumn: orderColumns[key]))
        }
        if let manyToMany = manyToMany[ObjectIdentifier(relationship)] { return .manyToMany(manyToMany) }
        if let hidden = hiddenColumns[ObjectIdentifier(relationship)] {
            return .toManyHiddenColumn(
                .init(table: tables[hidden.table], column: hidden.column, orderColumn: hidden.order))
        }
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
            let owner = relationship.destinationEntity, let table = draftIndex[ObjectIdentifier(owner)],
            let column = columns[PropertyKey(table, inverse)]
        else { return .none }
        let inverseKey = PropertyKey(table, inverse)
        return .toManyInverseForeignKey(
            .init(
                table: tables[table], column: column, entityColumn: entityColumns[inverseKey],
                orderColumn: orderColumns[inverseKey], inverseName: inverse.name))
    }
}
