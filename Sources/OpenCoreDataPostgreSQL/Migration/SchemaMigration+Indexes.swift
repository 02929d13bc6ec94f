#if PostgreSQL
import Foundation
import OpenCoreData

// MARK: Indexes

extension SchemaMigration {
    /// The index of the old layout that an index of the new one was, by columns and not by name.
    private func former(of index: PostgreSQLSchema.Index, of table: MigratedTable) -> PostgreSQLSchema.Index? {
        guard let parts = formerParts(of: index, in: table) else { return nil }
        let types = Dictionary(
            table.source.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        guard
            parts.allSatisfy({ part in
                let column = table.columns.first { $0.origin == part.column }?.column
                return column == nil || types[part.column] == column?.type
            })
        else { return nil }
        let same = table.source.indexes.filter { other in
            other.isUnique == index.isUnique && other.condition == index.condition
                && other.parts.map { $0.column + $0.direction } == parts.map { $0.column + $0.direction }
        }
        // Of two that are alike, the namesake.
        return same.first { $0.name == index.name } ?? same.first
    }

    /// The parts of an index with the names that the columns have in the old table; nil where one is new.
    func formerParts(
        of index: PostgreSQLSchema.Index, in table: MigratedTable
    ) -> [PostgreSQLSchema.Index.Part]? {
        var parts: [PostgreSQLSchema.Index.Part] = []
        for part in index.parts {
            guard let column = table.columns.first(where: { $0.column.name == part.column })?.origin else { return nil }
            parts.append(.init(column: column, direction: part.direction))
        }
        return parts
    }

    /// By the name of an index of the new layout, the name of the one that becomes it.
    func keptIndexes(of table: MigratedTable) -> [String: String] {
        guard table.isInPlace else { return [:] }
        var kept: [String: String] = [:]
        for index in table.destination.indexes {
            guard let old = former(of: index, of: table), !kept.values.contains(old.name) else { continue }
            kept[index.name] = old.name
        }
        return kept
    }

    /// The indexes that a table doesn't keep.
    func droppedIndexes(of table: MigratedTable) -> [PostgreSQLSchema.Index] {
        guard table.isInPlace else { return [] }
        let kept = Set(keptIndexes(of: table).values)
        return table.source.indexes.filter { !kept.contains($0.name) }
    }

    func dropIndexes() throws {
        for table in migrated {
            for index in droppedIndexes(of: table) {
                try run("DROP INDEX IF EXISTS \(source.qualified(index.name))")
                guard index.isUnique, !source.longColumns(of: index, in: table.source.name).isEmpty else {
                    continue
                }
                try run("DROP INDEX IF EXISTS \(source.qualified(source.equalityName(of: index)))")
            }
        }
    }

    func createIndexes() throws {
        try renameIndexes()
        for table in destination.tables {
            let kept = migrated.first { $0.destination.name == table.name }.map(keptIndexes) ?? [:]
            for index in table.indexes where kept[index.name] == nil && preparedIndexes[index.name] == nil {
                try run(destination.statementForRows(index, of: table.name))
            }
        }
    }

    private func renameIndexes() throws {
        var names: [(old: String, new: String)] = preparedIndexes.sorted { $0.key < $1.key }.map { ($1, $0) }
        for table in migrated {
            for (new, old) in keptIndexes(of: table).sorted(by: { $0.key < $1.key }) where new != old {
                names.append((old, new))
                guard let index = table.source.indexes.first(where: { $0.name == old }), index.isUnique,
                    let now = table.destination.indexes.first(where: { $0.name == new }),
                    !source.longColumns(of: index, in: table.source.name).isEmpty
                else { continue }
                names.append((source.equalityName(of: index), destination.equalityName(of: now)))
            }
        }
        for (index, name) in names.enumerated() {
            try run("ALTER INDEX IF EXISTS \(source.qualified(name.old)) RENAME TO ocd_index_\(index)")
        }
        for (index, name) in names.enumerated() {
            try run(
                "ALTER INDEX IF EXISTS \(source.qualified("ocd_index_\(index)")) RENAME TO \(SQLName.quoted(name.new))")
        }
    }
}

// MARK: Foreign keys

extension SchemaMigration {
    /// A foreign key that the server has.
    private struct ServerKey {
        var table: String
        var name: String
        var column: String
        var target: String
    }

    /// A column that has a foreign key.
    struct KeyColumn: Hashable {
        var table: String
        var column: String
    }

    private func serverKeys() throws -> [ServerKey] {
        var keys: [ServerKey] = []
        try connection.execute(
            "SELECT r.relname::text, c.conname::text, COALESCE((SELECT a.attname FROM pg_attribute a "
                + "WHERE a.attrelid = r.oid AND a.attnum = c.conkey[1] AND cardinality(c.conkey) = 1), '')::text, "
                + "t.relname::text FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid "
                + "JOIN pg_class t ON t.oid = c.confrelid JOIN pg_namespace n ON n.oid = r.relnamespace "
                + "WHERE c.contype = 'f' AND n.nspname = $1::text ORDER BY 1, 2", values: [.text(source.name)]
        ).forEachRow {
            keys.append(ServerKey(table: $0.string(0), name: $0.string(1), column: $0.string(2), target: $0.string(3)))
        }
        let own = Set(source.tables.map(\.name) + source.pairs.map(\.name))
        return keys.filter { own.contains($0.table) }
    }

    /// What a foreign key is in the new layout, if it can stay as it is.
    private func successor(of key: ServerKey) -> KeyColumn? {
        guard isLight, usesForeignKeys,
            let target = migrated.first(where: { $0.source.name == key.target })?.destination.name
        else { return nil }
        let found: (table: String, column: String?, keys: [PostgreSQLSchema.ForeignKey])
        if let table = migrated.first(where: { $0.source.name == key.table }) {
            let column = table.columns.first { $0.origin == key.column }?.column.name
            found = (table.destination.name, column, table.destination.foreignKeys)
        } else if let pairs = relationships.pairs.first(where: { $0.source.name == key.table }) {
            found = (pairs.destination.name, pairs.names[key.column], pairs.destination.foreignKeys)
        } else {
            return nil
        }
        guard let column = found.column, found.keys.contains(where: { $0.column == column && $0.table == target })
        else { return nil }
        return KeyColumn(table: found.table, column: column)
    }

    /// Removes the foreign keys that the new layout doesn't have, and all of them where they would be looked at in between, when
    /// not everything is in its place.
    ///
    /// - Returns: The keys of the new layout that are there.
    func dropForeignKeys() throws -> Set<KeyColumn> {
        var kept: Set<KeyColumn> = []
        for key in try serverKeys() {
            if let successor = successor(of: key) {
                kept.insert(successor)
            } else if isAdditive {
                kept.insert(KeyColumn(table: key.table, column: key.column))
            } else {
                try run(
                    "ALTER TABLE \(source.qualified(key.table)) DROP CONSTRAINT \(SQLName.quoted(key.name))")
            }
        }
        return kept
    }

    /// The keys guard what is written from then on. `SchemaCompletion` looks at the rows there are.
    func createForeignKeys(except kept: Set<KeyColumn>) throws {
        for (table, keys) in destination.tables.map({ ($0.name, $0.foreignKeys) })
            + destination.pairs.map({ ($0.name, $0.foreignKeys) })
        {
            for key in keys where !kept.contains(KeyColumn(table: table, column: key.column)) {
                if isAdditive, isInBoth(key, of: table) { continue }
                try run(destination.foreignKeyStatement(key, of: table) + " NOT VALID")
            }
        }
    }

    /// Whether a key is one of the old layout too: where it isn't there, the table was made without.
    private func isInBoth(_ key: PostgreSQLSchema.ForeignKey, of table: String) -> Bool {
        let former =
            source.tables.first { $0.name == table }?.foreignKeys
            ?? source.pairs.first { $0.name == table }?.foreignKeys ?? []
        return former.contains { $0.column == key.column && $0.table == key.table }
    }
}

// MARK: Locks

extension SchemaMigration {
    /// Whether tables are changed by definitions alone, so that no row of theirs goes elsewhere.
    var isLight: Bool {
        relationships.links.isEmpty
            && migrated.allSatisfy { $0.isInPlace && leftNumbers(of: $0).isEmpty }
            && relationships.pairs.allSatisfy { $0.keepsAll && $0.addedOrders.isEmpty }
    }

    /// The tables that programs must not use while they change.
    func lockedTables() throws -> [String] {
        guard isLight else { return ["ocd_model"] + source.tables.map(\.name) + source.pairs.map(\.name) }
        var concerned: Set<String> = []
        for table in migrated {
            let isConcerned =
                table.isChanged || !droppedRules(of: table).isEmpty || !droppedIndexes(of: table).isEmpty
            if isConcerned { concerned.insert(table.source.name) }
        }
        let kept = Set(migrated.map(\.source.name))
        concerned.formUnion(source.tables.map(\.name).filter { !kept.contains($0) })
        let keptPairs = Set(relationships.pairs.filter { !$0.isChanged }.map(\.source.name))
        concerned.formUnion(source.pairs.map(\.name).filter { !keptPairs.contains($0) })
        if !isAdditive {
            for key in try serverKeys() where successor(of: key) == nil {
                concerned.formUnion([key.table, key.target])
            }
        }
        let own = Set(source.tables.map(\.name))
        concerned.formUnion(try fillingTriggers().map(\.table).filter(own.contains))
        return (isAdditive ? [] : ["ocd_model"]) + concerned.sorted()
    }
}
#endif
