#if PostgreSQL
import Foundation
import OpenCoreData

extension SchemaMigration {
    /// Whether programs of the old version can go on working beside those of the new one: there are only new entities, and
    /// new attributes and relationships that may be left out.
    var isAdditive: Bool {
        let match = tables.match
        guard match.pairs.allSatisfy({ $0.destination != nil }), relationships.links.isEmpty,
            relationships.pairs.allSatisfy({ !$0.isChanged })
        else { return false }
        guard original.allSatisfy(isAdditive) else { return false }
        return match.pairs.allSatisfy { pair in
            guard let new = pair.destination else { return false }
            guard let old = pair.source else { return isAdditive(new: new) }
            return isAdditive(old, new, pair)
        }
    }

    /// Every old column is where it was, and nothing that is written by the old rules breaks a new one.
    private func isAdditive(_ table: MigratedTable) -> Bool {
        guard table.isInPlace, table.source.name == table.destination.name, table.leftColumns.isEmpty,
            table.unchangedColumns.count == table.source.columns.count
        else { return false }
        let unique = table.source.indexes.filter(\.isUnique).map { [$0.name, $0.columns, $0.condition ?? ""] }
        return table.destination.indexes.filter(\.isUnique).allSatisfy {
            unique.contains([$0.name, $0.columns, $0.condition ?? ""])
        }
    }

    private func isAdditive(new entity: NSEntityDescription) -> Bool {
        // Objects of an entity that the old version doesn't know would stand among those of one that it knows.
        guard entity.superentity == nil || isNew(entity.superentity) else { return false }
        return entity.relationshipsByName.values.allSatisfy { isAdditive(new: $0, of: entity) }
    }

    private func isAdditive(
        _ old: NSEntityDescription, _ new: NSEntityDescription, _ pair: EntityMatch
    ) -> Bool {
        guard old.name == new.name, old.isAbstract == new.isAbstract,
            old.superentity?.name == new.superentity?.name
        else { return false }
        let oldProperties = old.properties.filter { !($0 is NSFetchedPropertyDescription) }
        for property in oldProperties {
            guard let now = new.propertiesByName[property.name], now.versionHash == property.versionHash else {
                return false
            }
            // The hash of a derived attribute doesn't contain its type.
            let types = [now, property].map { ($0 as? NSAttributeDescription)?.attributeType }
            guard types[0] == types[1] else { return false }
        }
        let names = Set(oldProperties.map(\.name))
        return new.properties.filter { !names.contains($0.name) && !($0 is NSFetchedPropertyDescription) }
            .allSatisfy { property in
                switch property {
                case _ where property.isTransient: true
                case is NSDerivedAttributeDescription: false
                case let attribute as NSAttributeDescription:
                    attribute.isOptional || attribute.defaultValue != nil
                case let relationship as NSRelationshipDescription: isAdditive(new: relationship, of: new)
                default: false
                }
            }
    }

    /// What the old version deletes must not be left in a relationship that it doesn't know.
    private func isAdditive(new relationship: NSRelationshipDescription, of owner: NSEntityDescription) -> Bool {
        guard !relationship.isTransient, let target = relationship.destinationEntity else { return true }
        if !isNew(owner), !relationship.isOptional || relationship.minCount > 0 { return false }
        if isNew(owner), isNew(target) { return true }
        guard let inverse = relationship.inverseRelationship else { return isNew(target) && !relationship.isToMany }
        if relationship.isToMany, inverse.isToMany { return false }
        if relationship.isToMany, relationship.isOrdered, !isNew(target) { return false }
        // The key is in the table of the to-one's owner, and the server guards what it leads to.
        let (toOne, end) = relationship.isToMany ? (inverse, owner) : (relationship, target)
        return isNew(end)
            || (usesForeignKeys && toOne.inverseRelationship?.deleteRule != .noActionDeleteRule)
    }

    private func isNew(_ entity: NSEntityDescription?) -> Bool {
        tables.match.match(destination: entity).map { $0.source == nil } ?? false
    }
}
#endif
