#if PostgreSQL
import Foundation
import OpenCoreData

/// Takes the tables of a store from one layout to another, on a connection whose transaction is open: all of it happens, or
/// nothing. Tables are changed in place as far as that is possible, and objects keep their keys.
struct SchemaMigration {
    let tables: MigratedTables
    /// The tables that are in both layouts, as they are before the migration prepares any of them.
    let original: [MigratedTable]
    /// The same, with the columns that were prepared.
    private(set) var migrated: [MigratedTable]
    /// The prepared indexes by the names that they get.
    private(set) var preparedIndexes: [String: String] = [:]
    /// The tables that have prepared columns.
    private(set) var preparations: [TablePreparation] = []
    let relationships: MigratedRelationships
    let usesForeignKeys: Bool
    let connection: PostgreSQLConnection
    let location: String

    var source: PostgreSQLSchema { tables.source }
    var destination: PostgreSQLSchema { tables.destination }
    var key: String { SQLName.quoted(PostgreSQLSchema.system.key) }
    var number: String { SQLName.quoted(PostgreSQLSchema.system.entity) }
    var version: String { SQLName.quoted(PostgreSQLSchema.system.version) }

    init(
        _ tables: MigratedTables, usesForeignKeys: Bool, connection: PostgreSQLConnection, location: String
    ) throws {
        self.tables = tables
        self.usesForeignKeys = usesForeignKeys
        self.connection = connection
        self.location = location
        original = try tables.tables()
        migrated = original
        relationships = MigratedRelationships(tables)
    }

    /// Makes use of what was prepared.
    ///
    /// - Parameter indexes: The prepared indexes that are there.
    mutating func use(_ preparations: [TablePreparation], indexes: Set<String>) {
        self.preparations = preparations
        for preparation in preparations {
            guard let index = migrated.firstIndex(where: { $0.source.name == preparation.table.source.name })
            else { continue }
            migrated[index] = original[index].prepared(preparation.names)
            for prepared in preparation.indexes where indexes.contains(prepared.name) {
                preparedIndexes[prepared.finalName] = prepared.name
            }
        }
    }

    /// - Throws: `NSMigrationError` that says what doesn't fit the new model; `PostgreSQLError`.
    func run() throws {
        for table in original { try requireFittingNumbers(in: table) }
        for link in relationships.links {
            try run("CREATE UNLOGGED TABLE \(source.qualified(link.table)) AS \(link.query)")
        }
        let keptKeys = try dropForeignKeys()
        // Also those that a program has left that was killed: they would go on writing columns that are gone.
        for trigger in try fillingTriggers() {
            for statement in trigger.endStatements(SQLName.quoted(source.name)) { try run(statement) }
        }
        for table in migrated { try dropRules(of: table) }
        try dropIndexes()
        for (index, table) in migrated.enumerated() where !table.isInPlace {
            try copy(table, to: temporaryName(index))
        }
        for table in migrated where table.isInPlace {
            try deleteLeftRows(of: table)
            try changeColumns(of: table)
        }
        try renameTables()
        try createTables()
        for pairs in relationships.pairs where pairs.isChanged { try change(pairs) }
        try fillRelationships()
        for entity in tables.entities { try requireRows(of: entity) }
        try fillDerived()
        try createIndexes()
        if usesForeignKeys { try createForeignKeys(except: keptKeys) }
    }

    func run(_ sql: String) throws { try connection.execute(sql, isPrepared: false) }

    func temporaryName(_ index: Int) -> String { "ocd_new_\(index)" }

    // MARK: Rows

    /// Objects of a table that go to several become rows of new tables.
    private func copy(_ table: MigratedTable, to name: String) throws {
        try connection.runScript(destination.createStatement(table.destination, named: name, hasRules: false))
        try keepKeys(from: table.source.name, to: name)
        for entity in table.entities {
            let columns = table.columns.filter { $0.owners.contains(entity.destination.number) }
            let names = [key, number, version] + columns.map { SQLName.quoted($0.column.name) }
            let values =
                ["s.\(key)", "\(entity.destination.number)", "s.\(version)"]
                + columns.map { value(of: $0, entity, alias: "s") { SQLName.quoted($0) } }
            try run(
                "INSERT INTO \(destination.qualified(name)) (\(names.joined(separator: ", "))) "
                    + "SELECT \(values.joined(separator: ", ")) FROM \(source.qualified(table.source.name)) AS s "
                    + "WHERE s.\(number) = \(entity.source.number)")
        }
    }

    /// Numbers whose type changes must fit the new one.
    private func requireFittingNumbers(in table: MigratedTable) throws {
        for entity in table.entities {
            for column in table.columns {
                guard let conversion = column.conversions[entity.destination.number],
                    let former = column.former[entity.destination.number].map({ "s.\(SQLName.quoted($0))" })
                else { continue }
                let misfits = try connection.execute(
                    "SELECT s.\(key)::text, \(former)::text FROM \(source.qualified(table.source.name)) AS s "
                        + "WHERE s.\(number) = \(entity.source.number) AND \(former) IS NOT NULL "
                        + "AND NOT (\(conversion.fits(former))) LIMIT 1")
                guard let row = misfits.first else { continue }
                let layout = entity.destination.layout
                throw AttributeConversion.misfit(
                    row.string(1), ofType: conversion.destination, entity: layout.name,
                    attribute: entity.destination.attributeName(ofColumn: column.column.name),
                    object: "\(entity.source.layout.name)/p\(row.string(0))")
            }
        }
    }

    /// What a column of a row gets.
    ///
    /// - Parameter isGuarded: Whether a number that doesn't fit becomes NULL, and isn't an error.
    func value(
        of column: MigratedTable.Column, _ entity: MigratedEntity, alias: String, isGuarded: Bool = false,
        _ name: (String) -> String
    ) -> String {
        let conversion = column.conversions[entity.destination.number]
        let former = column.former[entity.destination.number].map { former in
            let value = "\(alias).\(name(former))"
            guard let conversion else { return value }
            guard isGuarded else { return conversion.sql(value) }
            return "CASE WHEN \(conversion.fits(value)) THEN \(conversion.sql(value)) END"
        }
        let fallback = column.filled.contains(entity.destination.number) ? column.fallback : nil
        return switch (former, fallback) {
        case (let former?, let fallback?): "COALESCE(\(former), \(fallback))"
        case (let former?, nil): former
        case (nil, let fallback?): fallback
        case (nil, nil): "NULL"
        }
    }

    /// The numbers of the entities whose rows a table doesn't keep.
    func leftNumbers(of table: MigratedTable) -> [Int64] {
        let kept = Set(table.entities.map(\.source.number))
        let all = source.mapping.entities.compactMap { $0 }.filter { $0.table == table.source.name }.map(\.number)
        return all.filter { !kept.contains($0) }
    }

    /// Rows of entities that are gone, or have a table of their own now.
    private func deleteLeftRows(of table: MigratedTable) throws {
        let left = leftNumbers(of: table)
        guard !left.isEmpty else { return }
        try run(
            "DELETE FROM \(source.qualified(table.source.name)) "
                + "WHERE \(number) IN (\(left.map(String.init).joined(separator: ", ")))")
    }

    /// A mandatory attribute must have got values, and an abstract entity has no objects.
    private func requireRows(of entity: MigratedEntity) throws {
        let mapping = entity.destination
        let rows = "SELECT 1 FROM \(destination.qualified(mapping.table)) WHERE \(number) = \(mapping.number)"
        if mapping.layout.entity.isAbstract, try connection.execute("\(rows) LIMIT 1").count > 0 {
            throw CoreDataError.make(
                NSMigrationError,
                "The store \(location) can't be migrated: \(mapping.layout.name) is abstract now, and there are objects of "
                    + "it.", userInfo: ["entity": mapping.layout.name, "reason": "Destination entity is abstract"])
        }
        for case let slot? in mapping.layout.slots where !slot.isTransient && slot.leaves.isEmpty {
            guard let attribute = slot.attribute, !attribute.isOptional,
                !(attribute is NSDerivedAttributeDescription), let column = mapping.column(slot),
                entity.match.source(of: attribute)?.isOptional ?? true, !isFilled(column.name, entity),
                try connection.execute("\(rows) AND \(SQLName.quoted(column.name)) IS NULL LIMIT 1").count > 0
            else { continue }
            throw CoreDataError.make(
                NSMigrationError,
                "The store \(location) can't be migrated: \(mapping.layout.name).\(slot.name) is mandatory now, has no "
                    + "default value, and there are objects without a value.",
                userInfo: [
                    "entity": mapping.layout.name, "attribute": slot.name,
                    "reason": "Validation error missing attribute values on mandatory destination attribute",
                ])
        }
    }

    /// Whether the rows of an entity get a default value where they have none.
    private func isFilled(_ column: String, _ entity: MigratedEntity) -> Bool {
        guard let table = original.first(where: { $0.destination.name == entity.destination.table }) else {
            return false
        }
        return table.columns.contains {
            $0.column.name == column && $0.fallback != nil && $0.filled.contains(entity.destination.number)
        }
    }

    /// Computes derived attributes that are new or are computed otherwise than before.
    private func fillDerived() throws {
        for case let mapping? in destination.mapping.entities {
            for case let slot? in mapping.layout.slots where slot.property is NSDerivedAttributeDescription {
                guard mapping.layout.parent.map({ $0.slotCount <= slot.index }) ?? true,
                    let table = migrated.first(where: { $0.destination.name == mapping.table }),
                    let column = table.columns.first(where: { $0.column.name == mapping.column(slot)?.name }),
                    column.former.count < column.owners.count,
                    let attribute = DerivedAttribute(slot, of: mapping, in: destination)
                else { continue }
                try connection.pipeline([attribute.statementForAll])
            }
        }
    }
}

// MARK: Columns and tables

extension SchemaMigration {
    private func changeColumns(of table: MigratedTable) throws {
        let name = source.qualified(table.source.name)
        func alter(_ change: String) throws { try run("ALTER TABLE \(name) \(change)") }
        // No two columns have one name at any time.
        var present: [String: String] = [:]
        for (index, column) in table.leftColumns.enumerated() {
            present[column.name] = "ocd_left_\(index)"
            try alter("RENAME COLUMN \(SQLName.quoted(column.name)) TO ocd_left_\(index)")
        }
        let renamed = table.columns.enumerated().filter { $1.origin != nil && $1.origin != $1.column.name }
        for (index, column) in renamed {
            try alter("RENAME COLUMN \(SQLName.quoted(column.origin ?? "")) TO ocd_column_\(index)")
        }
        for (index, column) in renamed {
            try alter("RENAME COLUMN ocd_column_\(index) TO \(SQLName.quoted(column.column.name))")
        }
        let types = Dictionary(
            table.source.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for column in table.columns {
            let quoted = SQLName.quoted(column.column.name)
            if let origin = column.origin {
                present[origin] = column.column.name
                if types[origin]?.type != column.column.type {
                    try alter("ALTER COLUMN \(quoted) TYPE \(column.column.type.sqlName)")
                }
                if let fallback = column.fallback, preparations.contains(where: { $0.names.values.contains(origin) }) {
                    try alter("ALTER COLUMN \(quoted) SET DEFAULT \(fallback)")
                }
                if let was = types[origin]?.isExternal, was != column.column.isExternal {
                    try alter(
                        "ALTER COLUMN \(quoted) SET STORAGE \(column.column.isExternal ? "EXTERNAL" : "EXTENDED")")
                }
            } else {
                // Programs of the old version, which don't know the column, get the default value too.
                try alter("ADD COLUMN \(definition(of: column, named: column.column.name, in: table))")
                if let fallback = column.fallback, !table.isForAll(column) {
                    try alter("ALTER COLUMN \(quoted) SET DEFAULT \(fallback)")
                }
                if column.column.isExternal { try alter("ALTER COLUMN \(quoted) SET STORAGE EXTERNAL") }
            }
        }
        try fillColumns(of: table, name, present)
        for index in table.leftColumns.indices { try alter("DROP COLUMN ocd_left_\(index)") }
    }

    /// A column as it is added to a table.
    func definition(of column: MigratedTable.Column, named name: String, in table: MigratedTable) -> String {
        let isForAll = table.isForAll(column)
        var added = column.column
        added.name = name
        added.fallback = isForAll ? column.fallback : nil
        return destination.definition(added, hasRules: isForAll && added.fallback != nil)
    }

    private func fillColumns(of table: MigratedTable, _ name: String, _ present: [String: String]) throws {
        for entity in table.entities {
            let number = entity.destination.number
            let columns = table.columns.filter { column in
                guard column.owners.contains(number) else { return false }
                if column.origin != nil { return column.filled.contains(number) }
                return column.former[number] != nil || (column.filled.contains(number) && !table.isForAll(column))
            }
            guard !columns.isEmpty else { continue }
            let assignments = columns.map { column in
                let value = value(of: column, entity, alias: "s") { SQLName.quoted(present[$0] ?? $0) }
                return "\(SQLName.quoted(column.column.name)) = \(value)"
            }
            let missing = columns.map { "s.\(SQLName.quoted($0.column.name)) IS NULL" }
            try run(
                "UPDATE \(name) AS s SET \(assignments.joined(separator: ", ")) "
                    + "WHERE s.\(self.number) = \(entity.source.number) AND (\(missing.joined(separator: " OR ")))")
        }
    }

    private func renameTables() throws {
        let kept = Set(migrated.filter(\.isInPlace).map(\.source.name))
        let keptPairs = Set(relationships.pairs.map(\.source.name))
        for pairs in source.pairs where !keptPairs.contains(pairs.name) {
            try run("DROP TABLE \(source.qualified(pairs.name))")
        }
        for table in source.tables where !kept.contains(table.name) {
            try run("DROP TABLE \(source.qualified(table.name))")
        }
        var names: [(old: String, new: String)] = []
        for (index, table) in migrated.enumerated() {
            names.append((table.isInPlace ? table.source.name : temporaryName(index), table.destination.name))
        }
        names += relationships.pairs.map { ($0.source.name, $0.destination.name) }
        let renamed = names.enumerated().filter { $1.old != $1.new }
        for (index, name) in renamed {
            try run("ALTER TABLE \(source.qualified(name.old)) RENAME TO ocd_table_\(index)")
        }
        for (index, name) in renamed {
            try run("ALTER TABLE \(source.qualified("ocd_table_\(index)")) RENAME TO \(SQLName.quoted(name.new))")
        }
    }

    private func createTables() throws {
        let there = Set(migrated.map(\.destination.name))
        for table in destination.tables where !there.contains(table.name) {
            let statements = [destination.createStatement(table, named: table.name)]
            try connection.runScript(
                (statements + destination.comments(of: table).map(\.statement)).joined(separator: "; "))
        }
        let therePairs = Set(relationships.pairs.map(\.destination.name))
        for pairs in destination.pairs where !therePairs.contains(pairs.name) {
            try run(destination.createStatement(pairs))
            try run(destination.reverseIndexStatement(pairs))
        }
    }

    private func change(_ pairs: MigratedPairs) throws {
        let table = destination.qualified(pairs.destination.name)
        for order in pairs.leftOrders { try run("ALTER TABLE \(table) DROP COLUMN \(SQLName.quoted(order.name))") }
        let renamed = pairs.names.filter { $0.key != $0.value }.sorted { $0.key < $1.key }.enumerated()
        for (index, name) in renamed {
            try run("ALTER TABLE \(table) RENAME COLUMN \(SQLName.quoted(name.key)) TO ocd_column_\(index)")
        }
        for (index, name) in renamed {
            try run("ALTER TABLE \(table) RENAME COLUMN ocd_column_\(index) TO \(SQLName.quoted(name.value))")
        }
        for order in pairs.addedOrders {
            try run("ALTER TABLE \(table) ADD COLUMN \(destination.definition(order))")
        }
        guard !pairs.keepsAll else { return }
        let ends = [
            (pairs.join.ownerColumn, pairs.relationship.owner),
            (pairs.join.destinationColumn, pairs.relationship.destination),
        ]
        let conditions = ends.map { "NOT \(isThere("p.\(SQLName.quoted($0))", $1))" }
        try run("DELETE FROM \(table) AS p WHERE \(conditions.joined(separator: " OR "))")
    }

    /// The condition that a key leads to an object of an entity.
    func isThere(_ key: String, _ entity: EntityLayout) -> String {
        guard let mapping = destination.mapping[entity] else { return "FALSE" }
        return "EXISTS (SELECT 1 FROM \(destination.qualified(mapping.table)) AS x WHERE x.\(self.key) = \(key) "
            + "AND x.\(number) IN (\(destination.numbers(of: entity))))"
    }
}
#endif
