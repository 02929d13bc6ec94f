/// Where a model's entities stand in one store: entity numbers, tables and columns, by the names the file really has.
///
/// Made once when a store is opened, from the model's layout and the schema found in the file.
package final class StoreMapping: Sendable {
    /// By `EntityLayout.index`; `nil` for an entity that the store does not keep.
    package let entities: [EntityMapping?]
    private let indexByNumber: [Int64: Int]

    package init(entities: [EntityMapping?]) {
        self.entities = entities
        var indexByNumber: [Int64: Int] = [:]
        for case let entity? in entities { indexByNumber[entity.number] = entity.layout.index }
        self.indexByNumber = indexByNumber
    }

    package subscript(layout: EntityLayout) -> EntityMapping? {
        layout.index < entities.count ? entities[layout.index] : nil
    }

    /// The index in the model (`EntityLayout.index`) of an entity number (`Z_ENT`).
    package func layoutIndex(number: Int64) -> Int? { indexByNumber[number] }

    package func entity(number: Int64) -> EntityMapping? { indexByNumber[number].flatMap { entities[$0] } }
}

/// The columns that every table of objects has, beside those of the properties.
package struct SystemColumns: Sendable, Hashable {
    /// The primary key.
    package var key = "Z_PK"
    /// The number of the row's entity.
    package var entity = "Z_ENT"
    /// Counts the changes of the row.
    package var version = "Z_OPT"

    package init(key: String = "Z_PK", entity: String = "Z_ENT", version: String = "Z_OPT") {
        self.key = key
        self.entity = entity
        self.version = version
    }
}

/// Where one entity stands in a store.
package final class EntityMapping: Sendable {
    package let layout: EntityLayout
    /// `Z_ENT`.
    package let number: Int64
    /// The table of the entity's root.
    package let table: String
    package let system: SystemColumns
    /// By slot; `nil` for transient properties and for the slot after a polymorphic to-one.
    package let columns: [ColumnMapping?]
    /// By `RelationshipLayout.index`.
    package let relationships: [RelationshipMapping]
    /// Whether values of the entity may be in files of their own.
    package let hasExternalColumns: Bool

    package init(
        layout: EntityLayout, number: Int64, table: String, system: SystemColumns = SystemColumns(),
        columns: [ColumnMapping?], relationships: [RelationshipMapping]
    ) {
        self.layout = layout
        self.number = number
        self.table = table
        self.system = system
        self.columns = columns
        self.relationships = relationships
        hasExternalColumns = columns.contains { $0?.isExternal ?? false }
    }

    package func column(_ slot: SlotLayout) -> ColumnMapping? { columns[slot.index] }

    package func mapping(_ relationship: RelationshipLayout) -> RelationshipMapping {
        relationships[relationship.index]
    }
}

/// The column of an attribute or to-one relationship.
package struct ColumnMapping: Sendable {
    package var name: String
    /// For a to-one whose destination has subentities: the column with the destination's entity number.
    package var entityColumn: String?
    /// For an ordered to-many's inverse: the column with the row's position in the order.
    package var orderColumn: String?
    /// Whether values begin with the byte that distinguishes inline data from the name of a file.
    package var isExternal = false
    /// For a composite attribute: the columns of its leaves, in the order of `SlotLayout.leaves`.
    package var leaves: [String] = []

    package init(name: String, entityColumn: String? = nil, orderColumn: String? = nil, isExternal: Bool = false) {
        self.name = name
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.isExternal = isExternal
    }
}

/// How a relationship is kept.
package enum RelationshipMapping: Sendable {
    /// A foreign key in the entity's own table.
    case toOne(ColumnMapping)
    /// The inverse's foreign key, in the table of the destination.
    case inverse(table: String, ColumnMapping)
    /// A foreign key in the table of the destination that no property of the destination represents.
    case hidden(table: String, ColumnMapping)
    /// A table of pairs.
    case join(JoinMapping)
    /// Not in the store: transient, or the destination is kept elsewhere.
    case none
}

/// A join table seen from one of its two sides.
package struct JoinMapping: Sendable, Hashable {
    package var table: String
    /// Holds the primary key of the row whose relationship it is.
    package var ownerColumn: String
    /// Holds the primary key of the destination.
    package var destinationColumn: String
    /// Orders the destinations of one owner.
    package var orderColumn: String?
    /// Orders the owners of one destination, when the inverse is ordered.
    package var inverseOrderColumn: String?
    /// Whether the relationship is its own inverse, so that a pair may stand in either direction.
    package var isReflexive: Bool

    package init(
        table: String, ownerColumn: String, destinationColumn: String, orderColumn: String? = nil,
        inverseOrderColumn: String? = nil, isReflexive: Bool = false
    ) {
        self.table = table
        self.ownerColumn = ownerColumn
        self.destinationColumn = destinationColumn
        self.orderColumn = orderColumn
        self.inverseOrderColumn = inverseOrderColumn
        self.isReflexive = isReflexive
    }
}
