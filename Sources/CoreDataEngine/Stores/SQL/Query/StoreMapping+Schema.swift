extension StoreMapping {
    /// The mapping of a model's layout to the schema of a store.
    package convenience init(schema: SQLSchema, model: ModelLayout) {
        self.init(
            entities: model.entities.map { layout in
                schema.entity(for: layout.entity).map { EntityMapping(layout: layout, entity: $0) }
            })
    }
}

extension EntityMapping {
    fileprivate convenience init(layout: EntityLayout, entity: SQLEntity) {
        self.init(
            layout: layout, number: Int64(entity.number), table: entity.table.name,
            columns: layout.slots.map { slot in slot.flatMap { ColumnMapping(slot: $0, entity: entity) } },
            relationships: layout.relationships.map {
                RelationshipMapping(entity.relationship(named: $0.name)?.storage ?? .none)
            })
    }
}

extension ColumnMapping {
    fileprivate init?(slot: SlotLayout, entity: SQLEntity) {
        if slot.kind == .toOne {
            guard case .toOne(let toOne) = entity.relationship(named: slot.name)?.storage else { return nil }
            self.init(toOne)
        } else if !slot.leaves.isEmpty {
            let columns = slot.leaves.compactMap { entity.attribute(named: $0.name)?.column.name }
            guard let first = columns.first, columns.count == slot.leaves.count else { return nil }
            self.init(name: first)
            leaves = columns
        } else {
            guard let attribute = entity.attribute(named: slot.name) else { return nil }
            self.init(name: attribute.column.name, isExternal: attribute.hasExternalStorage)
        }
    }

    fileprivate init(_ toOne: SQLRelationship.ToOne) {
        self.init(
            name: toOne.column.name, entityColumn: toOne.entityColumn?.name, orderColumn: toOne.orderColumn?.name)
    }
}

extension RelationshipMapping {
    fileprivate init(_ storage: SQLRelationship.Storage) {
        switch storage {
        case .toOne(let toOne): self = .toOne(ColumnMapping(toOne))
        case .toManyInverseForeignKey(let inverse):
            self = .inverse(
                table: inverse.table.name,
                ColumnMapping(
                    name: inverse.column.name, entityColumn: inverse.entityColumn?.name,
                    orderColumn: inverse.orderColumn?.name))
        case .toManyHiddenColumn(let hidden):
            self = .hidden(
                table: hidden.table.name,
                ColumnMapping(name: hidden.column.name, orderColumn: hidden.orderColumn?.name))
        case .manyToMany(let pairs):
            self = .join(
                JoinMapping(
                    table: pairs.table.name, ownerColumn: pairs.ownColumn.name,
                    destinationColumn: pairs.otherColumn.name, orderColumn: pairs.orderColumn?.name,
                    inverseOrderColumn: pairs.inverseOrderColumn?.name, isReflexive: pairs.isReflexive))
        case .none: self = .none
        }
    }
}
