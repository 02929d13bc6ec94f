#if PostgreSQL
import Foundation
import OpenCoreData

/// Lays a model out in a schema. Names are those of the model in the style of SQL; the keys `table` and `column` in the
/// userInfo of an entity or a property say others.
struct PostgreSQLSchemaBuilder {
    private let name: String
    private let model: ModelLayout
    private let numbers: [String: Int64]
    private let usesForeignKeys: Bool
    private let hasRules: Bool
    private let isExisting: Bool
    private var tables: [PostgreSQLSchema.Table] = []
    private var tableNames: Set<String> = []
    private var indexNames: Set<String> = []
    /// By table: names of columns that are taken.
    private var columnNames: [Set<String>] = []
    /// By `EntityLayout.index`: the index of the table.
    private var tableByEntity: [Int?]
    /// By `EntityLayout.index`: the columns by slot.
    private var columns: [[ColumnMapping?]]
    private var hidden: [RelationshipName: (table: Int, column: ColumnMapping)] = [:]
    private var joins: [RelationshipName: JoinMapping] = [:]
    private var pairs: [PostgreSQLSchema.Pairs] = []

    /// A relationship, the same for the entity that declares it and those that inherit it.
    private struct RelationshipName: Hashable {
        var entity: String
        var name: String

        init(_ relationship: RelationshipLayout) {
            entity = relationship.description.declaringEntity?.name ?? relationship.owner.name
            name = relationship.name
        }
    }

    /// - Parameters:
    ///   - name: The schema's name.
    ///   - model: The layout of the model.
    ///   - numbers: The numbers of the entities that the store keeps, by name.
    ///   - usesForeignKeys: Whether the server guards references.
    ///   - hasRules: Whether the server refuses rows that break the model's rules.
    ///   - isExisting: Whether others have made the tables, in which elements of composite attributes are keys of JSON objects.
    init(
        name: String, model: ModelLayout, numbers: [String: Int64], usesForeignKeys: Bool, hasRules: Bool = true,
        isExisting: Bool = false
    ) {
        self.name = name
        self.model = model
        self.numbers = numbers
        self.usesForeignKeys = usesForeignKeys
        self.hasRules = hasRules
        self.isExisting = isExisting
        tableByEntity = Array(repeating: nil, count: model.entities.count)
        columns = model.entities.map { Array(repeating: nil, count: $0.slotCount) }
        tableNames = Set(PostgreSQLSchema.ownTables)
    }

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names an attribute which can't be stored.
    mutating func build() throws -> PostgreSQLSchema {
        for entity in model.entities where isKept(entity) { try layOut(entity) }
        for entity in model.entities where isKept(entity) { layOutRelationships(of: entity) }
        for entity in model.entities where isKept(entity) { addIndexes(of: entity) }
        let mapping = StoreMapping(
            entities: model.entities.map { entity in
                guard let number = numbers[entity.name], let table = tableByEntity[entity.index] else { return nil }
                return EntityMapping(
                    layout: entity, number: number, table: tables[table].name, system: PostgreSQLSchema.system,
                    columns: columns[entity.index], relationships: entity.relationships.map { self.mapping(of: $0) }
                )
            })
        let rules = TableRules(schema: name, mapping: mapping, hasRules: hasRules)
        return PostgreSQLSchema(name: name, tables: tables.map(rules.added), pairs: pairs, mapping: mapping)
    }

    private func isKept(_ entity: EntityLayout) -> Bool { numbers[entity.name] != nil }

    /// Refuses what files refuse, so that a store on a server can be copied to a file.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names a composite attribute within a composite attribute.
    static func refuseNestedComposites(in entities: [NSEntityDescription]) throws {
        for entity in entities {
            let composites = entity.properties.lazy.compactMap { $0 as? NSCompositeAttributeDescription }
            guard let nested = composites.compactMap(\.nestedElement).first else { continue }
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The composite attribute “\(nested.name)” of entity “\(entity.name ?? "")” is an element of another one, "
                    + "which stores that use SQL can't keep. Make it an attribute of the entity, or put its elements in its "
                    + "place.")
        }
    }

    // MARK: Tables and columns

    private mutating func layOut(_ entity: EntityLayout) throws {
        if let parent = entity.parent, let table = tableByEntity[parent.index] {
            tableByEntity[entity.index] = table
            for index in columns[parent.index].indices {
                columns[entity.index][index] = columns[parent.index][index]
            }
        } else {
            let wanted = Self.name("table", entity.entity.userInfo) ?? PostgreSQLName.snake(entity.name)
            tableByEntity[entity.index] = tables.count
            tables.append(
                PostgreSQLSchema.Table(name: PostgreSQLName.unique(wanted, in: &tableNames), columns: []))
            let system = PostgreSQLSchema.system
            columnNames.append([system.key, system.entity, system.version])
        }
        guard let table = tableByEntity[entity.index] else { return }
        for case let slot? in entity.slots where !slot.isTransient && columns[entity.index][slot.index] == nil {
            columns[entity.index][slot.index] = try layOut(slot, of: entity, in: table)
        }
    }

    private mutating func layOut(_ slot: SlotLayout, of entity: EntityLayout, in table: Int) throws
        -> ColumnMapping?
    {
        let base = Self.name("column", slot.property.userInfo) ?? PostgreSQLName.snake(slot.name)
        if slot.kind == .toOne { return layOut(toOne: slot, base, in: table) }
        guard slot.leaves.isEmpty else {
            let names = try slot.leaves.map { leaf in
                let name =
                    isExisting
                    ? JSONMember.columnName(base, leaf) : PostgreSQLName.snake(leaf.name.replacing(".", with: "_"))
                return addColumn(name, try columnType(of: leaf, entity), to: table)
            }
            var mapping = ColumnMapping(name: names.first ?? "")
            mapping.leaves = names
            return mapping
        }
        let type = try columnType(of: slot, entity)
        let isExternal = type == .bytea && slot.attribute?.allowsExternalBinaryDataStorage == true
        return ColumnMapping(name: addColumn(base, type, to: table, isExternal: isExternal))
    }

    private mutating func layOut(toOne slot: SlotLayout, _ base: String, in table: Int) -> ColumnMapping? {
        guard let relationship = slot.relationship, isKept(relationship.destination) else { return nil }
        var mapping = ColumnMapping(name: addColumn(base, .int8, to: table))
        if slot.entitySlot != nil { mapping.entityColumn = addColumn(base + "_entity", .int2, to: table) }
        if let inverse = relationship.inverse, inverse.isToMany, inverse.isOrdered {
            mapping.orderColumn = addColumn(base + "_order", .int8, to: table)
        }
        return mapping
    }

    private mutating func addColumn(
        _ name: String, _ type: PostgreSQLType, to table: Int, isExternal: Bool = false
    ) -> String {
        let name = PostgreSQLName.unique(name, in: &columnNames[table])
        tables[table].columns.append(PostgreSQLSchema.Column(name: name, type: type, isExternal: isExternal))
        return name
    }

    private func columnType(of slot: SlotLayout, _ entity: EntityLayout) throws -> PostgreSQLType {
        if let type = PostgreSQLSchema.type(of: slot.kind) { return type }
        throw CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "The attribute “\(slot.name)” of entity “\(entity.name)” has a type that a PostgreSQL store cannot keep."
        )
    }

    private static func name(_ key: String, _ userInfo: [AnyHashable: Any]?) -> String? {
        guard let name = userInfo?[key] as? String, !name.isEmpty, !name.utf8.contains(0) else { return nil }
        return name
    }

    // MARK: Relationships

    private mutating func layOutRelationships(of entity: EntityLayout) {
        guard let table = tableByEntity[entity.index] else { return }
        for relationship in entity.relationships where !relationship.isTransient {
            guard isKept(relationship.destination), let target = tableByEntity[relationship.destination.index]
            else {
                continue
            }
            if let slot = relationship.slot, let column = columns[entity.index][slot] {
                addReference(relationship, column.name, table: table, target: target)
            } else if relationship.isToMany, relationship.inverse == nil {
                layOutHidden(relationship, target: target)
            } else if relationship.isToMany, relationship.inverse?.isToMany == true {
                layOutPairs(relationship)
            }
        }
    }

    /// The index of a to-one's column, and its foreign key where no reference may be left behind.
    private mutating func addReference(
        _ relationship: RelationshipLayout, _ column: String, table: Int, target: Int
    ) {
        let name = "\(tables[table].name)_\(column)_index"
        guard !tables[table].indexes.contains(where: { $0.columns == SQLName.quoted(column) }) else { return }
        tables[table].indexes.append(
            PostgreSQLSchema.Index(
                name: PostgreSQLName.unique(name, in: &indexNames), parts: [.init(column: column)]))
        guard usesForeignKeys, let inverse = relationship.inverse, inverse.deleteRule != .noActionDeleteRule else {
            return
        }
        tables[table].foreignKeys.append(
            PostgreSQLSchema.ForeignKey(
                column: column, table: tables[target].name, key: PostgreSQLSchema.system.key))
    }

    private mutating func layOutHidden(_ relationship: RelationshipLayout, target: Int) {
        let key = RelationshipName(relationship)
        guard hidden[key] == nil else { return }
        let base = PostgreSQLName.snake(key.entity) + "_" + PostgreSQLName.snake(relationship.name)
        var column = ColumnMapping(name: addColumn(base, .int8, to: target))
        if relationship.isOrdered { column.orderColumn = addColumn(base + "_order", .int8, to: target) }
        tables[target].indexes.append(
            PostgreSQLSchema.Index(
                name: PostgreSQLName.unique("\(tables[target].name)_\(column.name)_index", in: &indexNames),
                parts: [.init(column: column.name)]))
        hidden[key] = (target, column)
    }

    private mutating func layOutPairs(_ relationship: RelationshipLayout) {
        let key = RelationshipName(relationship)
        guard joins[key] == nil, let inverse = relationship.inverse, isKept(inverse.owner) else { return }
        let other = RelationshipName(inverse)
        let isReflexive = key == other
        let table = PostgreSQLName.unique(
            Self.name("table", relationship.description.userInfo)
                ?? PostgreSQLName.snake(key.entity) + "_" + PostgreSQLName.snake(relationship.name), in: &tableNames
        )
        var taken: Set<String> = []
        // Each column is named after the relationship whose destinations it has.
        func column(of relationship: RelationshipLayout) -> String {
            Self.name("column", relationship.description.userInfo) ?? PostgreSQLName.snake(relationship.name)
        }
        let destination = PostgreSQLName.unique(column(of: relationship), in: &taken)
        let owner = PostgreSQLName.unique(isReflexive ? "owner" : column(of: inverse), in: &taken)
        var orders: [PostgreSQLSchema.Column] = []
        func order(_ relationship: RelationshipLayout, _ column: String) -> String? {
            guard relationship.isOrdered else { return nil }
            let name = PostgreSQLName.unique(column + "_order", in: &taken)
            orders.append(PostgreSQLSchema.Column(name: name, type: .int8))
            return name
        }
        let destinationOrder = order(relationship, destination)
        let ownerOrder = isReflexive ? nil : order(inverse, owner)
        joins[key] = JoinMapping(
            table: table, ownerColumn: owner, destinationColumn: destination, orderColumn: destinationOrder,
            inverseOrderColumn: ownerOrder, isReflexive: isReflexive)
        if !isReflexive {
            joins[other] = JoinMapping(
                table: table, ownerColumn: destination, destinationColumn: owner, orderColumn: ownerOrder,
                inverseOrderColumn: destinationOrder)
        }
        let name = { (relationship: RelationshipLayout, key: RelationshipName) in "\(key.entity).\(relationship.name)" }
        var pair = PostgreSQLSchema.Pairs(
            name: table, first: .init(name: owner, type: .int8), second: .init(name: destination, type: .int8),
            orders: orders, foreignKeys: [])
        pair.comment = [name(relationship, key), name(inverse, other)].joined(separator: ", ")
        pair.first.comment = isReflexive ? key.entity : name(inverse, other)
        pair.second.comment = name(relationship, key)
        if usesForeignKeys {
            pair.foreignKeys = [(owner, relationship.owner), (destination, relationship.destination)]
                .compactMap { column, entity in
                    tableByEntity[entity.index].map {
                        PostgreSQLSchema.ForeignKey(
                            column: column, table: tables[$0].name, key: PostgreSQLSchema.system.key)
                    }
                }
        }
        pairs.append(pair)
    }

    private func mapping(of relationship: RelationshipLayout) -> RelationshipMapping {
        guard !relationship.isTransient, isKept(relationship.destination) else { return .none }
        if let slot = relationship.slot {
            return columns[relationship.owner.index][slot].map { .toOne($0) } ?? .none
        }
        if let join = joins[RelationshipName(relationship)] { return .join(join) }
        if let hidden = hidden[RelationshipName(relationship)] {
            return .hidden(table: tables[hidden.table].name, hidden.column)
        }
        let destination = relationship.destination
        guard let inverse = relationship.inverse, let slot = inverse.slot,
            let column = columns[destination.index][slot], let table = tableByEntity[destination.index]
        else { return .none }
        return .inverse(table: tables[table].name, column)
    }

    // MARK: Indexes

    private mutating func addIndexes(of entity: EntityLayout) {
        guard let table = tableByEntity[entity.index] else { return }
        for index in SQLSchema.indexes(of: entity.entity) where !index.isSpatial {
            let parts = index.elements.compactMap { element in
                column(named: element.propertyName ?? "", of: entity).map {
                    PostgreSQLSchema.Index.Part(
                        column: $0, direction: element.isAscending ? " ASC NULLS FIRST" : " DESC NULLS LAST")
                }
            }
            guard !parts.isEmpty else { continue }
            add(index.name, "index", parts, table)
        }
        for names in entity.entity.uniquenessConstraintNames {
            let parts = names.compactMap { column(named: $0, of: entity) }
                .map { PostgreSQLSchema.Index.Part(column: $0) }
            guard !parts.isEmpty, parts.count == names.count else { continue }
            // Inherited attributes are also columns of other entities' rows, to which the constraint doesn't apply.
            let isWhole = entity.parent.map { !isKept($0) } ?? true
            let members = entity.subtree.compactMap { numbers[$0.name] }.map(String.init).joined(separator: ", ")
            add(
                names.map(PostgreSQLName.snake).joined(separator: "_"), "key", parts, table, isUnique: true,
                condition: isWhole ? nil : "\(SQLName.quoted(PostgreSQLSchema.system.entity)) IN (\(members))")
        }
    }

    private mutating func add(
        _ base: String, _ suffix: String, _ parts: [PostgreSQLSchema.Index.Part], _ table: Int,
        isUnique: Bool = false, condition: String? = nil
    ) {
        let name = "\(tables[table].name)_\(PostgreSQLName.snake(base))_\(suffix)"
        tables[table].indexes.append(
            PostgreSQLSchema.Index(
                name: PostgreSQLName.unique(name, in: &indexNames), parts: parts, condition: condition,
                isUnique: isUnique))
    }

    private func column(named name: String, of entity: EntityLayout) -> String? {
        if let slot = entity.slot(named: name) {
            // A composite attribute has a column for each element.
            return columns[entity.index][slot.index].flatMap { $0.leaves.count > 1 ? nil : $0.constrainedName }
        }
        let head = name.prefix { $0 != "." }
        guard let slot = entity.slot(named: String(head)),
            let leaf = slot.leaves.first(where: { $0.name == name }), let column = columns[entity.index][slot.index]
        else { return nil }
        return column.leaves[leaf.index]
    }
}
#endif
