#if PostgreSQL
import Foundation
import OpenCoreData

/// Finds out what becomes of the tables of a store, by the comparison of two models and their layouts.
struct MigratedTables {
    let match: ModelMatch
    let source: PostgreSQLSchema
    let destination: PostgreSQLSchema
    let entities: [MigratedEntity]
    /// The SQL of a default value.
    private let literal: (PropertyValue, SlotLayout, PostgreSQLType) throws -> String?

    init(
        _ match: ModelMatch, source: PostgreSQLSchema, destination: PostgreSQLSchema,
        literal: @escaping (PropertyValue, SlotLayout, PostgreSQLType) throws -> String?
    ) {
        self.match = match
        self.source = source
        self.destination = destination
        self.literal = literal
        entities = match.pairs.compactMap { pair in
            guard let old = pair.source.flatMap({ source.entity(named: $0.name) }),
                let new = pair.destination.flatMap({ destination.entity(named: $0.name) })
            else { return nil }
            return MigratedEntity(match: pair, source: old, destination: new)
        }
    }

    /// The tables of the new layout that were there before.
    func tables() throws -> [MigratedTable] {
        var taken: Set<String> = []
        let groups = destination.tables.compactMap { table -> (PostgreSQLSchema.Table, [MigratedEntity])? in
            let members = entities.filter { $0.destination.table == table.name }
            return members.isEmpty ? nil : (table, members)
        }
        // Where objects of one table go to several, the one of the same name has the first claim.
        func isNamesake(_ group: (PostgreSQLSchema.Table, [MigratedEntity])) -> Bool {
            group.1.first?.source.table == group.0.name
        }
        let claims = groups.filter(isNamesake) + groups.filter { !isNamesake($0) }
        var inPlace: Set<String> = []
        for (table, members) in claims {
            if let old = members.first?.source.table, taken.insert(old).inserted { inPlace.insert(table.name) }
        }
        return try groups.compactMap { table, members in
            guard let old = source.tables.first(where: { $0.name == members.first?.source.table }) else {
                return nil
            }
            return MigratedTable(
                source: old, destination: table, entities: members, isInPlace: inPlace.contains(table.name),
                columns: try columns(of: table, members))
        }
    }

    private func columns(
        of table: PostgreSQLSchema.Table, _ members: [MigratedEntity]
    ) throws -> [MigratedTable.Column] {
        var columns = table.columns.map { MigratedTable.Column(column: $0) }
        let indexes = Dictionary(
            columns.enumerated().map { ($1.column.name, $0) }, uniquingKeysWith: { first, _ in first })
        func record(_ name: String?, _ former: String?, _ entity: MigratedEntity) -> Int? {
            guard let name, let index = indexes[name] else { return nil }
            columns[index].owners.insert(entity.destination.number)
            columns[index].former[entity.destination.number] = former
            return index
        }
        for entity in members {
            for case let slot? in entity.destination.layout.slots where !slot.isTransient {
                guard let column = entity.destination.column(slot) else { continue }
                if slot.kind == .toOne {
                    let old = formerToOne(slot, entity)
                    _ = record(column.name, old?.name, entity)
                    _ = record(column.entityColumn, old?.entityColumn, entity)
                    _ = record(column.orderColumn, old?.orderColumn, entity)
                    continue
                }
                guard let attribute = slot.attribute else { continue }
                guard column.leaves.isEmpty else {
                    for (leaf, name) in zip(slot.leaves, column.leaves) {
                        let former = formerLeaf(leaf, of: slot, entity)
                        guard let index = record(name, former?.column, entity) else { continue }
                        columns[index].convert(former?.leaf.attribute, to: leaf.attribute, of: entity)
                    }
                    continue
                }
                let former = former(attribute, entity)
                guard let index = record(column.name, former, entity) else { continue }
                columns[index].convert(entity.match.source(of: attribute), to: attribute, of: entity)
                guard former == nil || !attribute.isOptional,
                    let source = try defaultValue(of: slot, attribute, columns[index].column.type)
                else { continue }
                columns[index].fallback = source
                if former == nil || entity.match.source(of: attribute)?.isOptional == true {
                    columns[index].filled.insert(entity.destination.number)
                }
            }
        }
        recordHidden(of: table, members, record)
        return columns
    }

    private func defaultValue(
        of slot: SlotLayout, _ attribute: NSAttributeDescription, _ type: PostgreSQLType
    ) throws -> String? {
        guard attribute.defaultValue != nil, !(attribute is NSDerivedAttributeDescription) else { return nil }
        return try literal(slot.owner.defaults[slot.index], slot, type)
    }

    private func former(_ attribute: NSAttributeDescription, _ entity: MigratedEntity) -> String? {
        guard let old = entity.match.source(of: attribute), let slot = entity.source.layout.slot(named: old.name)
        else { return nil }
        if let derived = attribute as? NSDerivedAttributeDescription {
            guard let before = old as? NSDerivedAttributeDescription, before.attributeType == derived.attributeType,
                before.derivationText == derived.derivationText
            else { return nil }
        }
        return entity.source.column(slot)?.name
    }

    private func formerLeaf(
        _ leaf: SlotLayout, of slot: SlotLayout, _ entity: MigratedEntity
    ) -> (column: String, leaf: SlotLayout)? {
        guard let composite = slot.property as? NSCompositeAttributeDescription,
            let old = entity.match.source(of: composite) as? NSCompositeAttributeDescription,
            let path = composite.formerPath(of: leaf.name.split(separator: ".").dropFirst(), in: old),
            let oldSlot = entity.source.layout.slot(named: old.name), let column = entity.source.column(oldSlot),
            let index = oldSlot.leaves.firstIndex(where: { $0.name == "\(old.name).\(path)" })
        else { return nil }
        return (column.leaves[index], oldSlot.leaves[index])
    }

    private func formerToOne(_ slot: SlotLayout, _ entity: MigratedEntity) -> ColumnMapping? {
        guard let new = slot.relationship?.description, let old = entity.match.source(of: new), !old.isToMany,
            let layout = entity.source.layout.relationship(named: old.name),
            case .toOne(let column) = entity.source.mapping(layout)
        else { return nil }
        return column
    }

    /// The columns of to-many relationships without an inverse, which stand in the table of the destination.
    private func recordHidden(
        of table: PostgreSQLSchema.Table, _ members: [MigratedEntity],
        _ record: (String?, String?, MigratedEntity) -> Int?
    ) {
        for owner in entities {
            for relationship in owner.destination.layout.relationships {
                guard case .hidden(table.name, let column) = owner.destination.mapping(relationship),
                    let old = owner.match.source(of: relationship.description),
                    let layout = owner.source.layout.relationship(named: old.name),
                    case .hidden(let oldTable, let oldColumn) = owner.source.mapping(layout),
                    oldTable == members.first?.source.table
                else { continue }
                for member in members {
                    _ = record(column.name, oldColumn.name, member)
                    _ = record(column.orderColumn, oldColumn.orderColumn, member)
                }
            }
        }
    }
}

extension MigratedTable.Column {
    /// Records that the numbers of an attribute change their type, if they do.
    fileprivate mutating func convert(
        _ old: NSAttributeDescription?, to new: NSAttributeDescription?, of entity: MigratedEntity
    ) {
        guard former[entity.destination.number] != nil, let old, let new,
            let conversion = AttributeConversion.conversion(from: old, to: new), !conversion.isWidening
        else { return }
        conversions[entity.destination.number] = conversion
    }
}

extension PostgreSQLSchema {
    /// An entity of the layout by its name.
    func entity(named name: String?) -> EntityMapping? {
        mapping.entities.lazy.compactMap { $0 }.first { $0.layout.name == name }
    }

    /// The numbers of an entity and those that inherit from it, as a list in SQL.
    func numbers(of entity: EntityLayout) -> String {
        entity.subtree.compactMap { mapping[$0]?.number }.map(String.init).joined(separator: ", ")
    }
}
#endif
