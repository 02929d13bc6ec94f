#if PostgreSQL
import Foundation
import OpenCoreData

/// Looks for what breaks the rules of a store: rows of no entity, references that lead to nothing, counters that are too
/// low, tables, columns and indexes that are missing. Nothing is changed.
struct StoreFindings {
    let schema: PostgreSQLSchema
    let model: NSManagedObjectModel
    let metadata: StoreMetadata
    let connection: PostgreSQLConnection
    let location: String

    /// The most findings of one kind in one column; what is wrong in one row is often wrong in many.
    private static let limit = 100

    private var system: SystemColumns { PostgreSQLSchema.system }
    private var key: String { SQLName.quoted(system.key) }
    private var number: String { SQLName.quoted(system.entity) }
    private var version: String { SQLName.quoted(system.version) }

    func run(_ progress: (_ done: Int, _ total: Int) throws -> Void) throws -> [StoreFinding] {
        var findings = hashes()
        do {
            try SchemaCheck(schema, location: location).run(connection)
        } catch let error as CocoaError where error.code.rawValue == NSPersistentStoreIncompatibleSchemaError {
            // What there is no table for can't be asked.
            return findings + [StoreFinding(.damage, error.localizedDescription)]
        }
        let total = schema.tables.count + schema.pairs.count + 1
        for (index, table) in schema.tables.enumerated() {
            findings += try rows(of: table) + counter(of: table)
            try progress(index, total)
        }
        findings += try references()
        for (index, pair) in schema.pairs.enumerated() {
            findings += try pairs(pair)
            try progress(schema.tables.count + index, total)
        }
        return try findings + indexes() + history()
    }

    // MARK: Rows

    private func hashes() -> [StoreFinding] {
        let stored = metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return model.entitiesInStoreOrder.compactMap { entity in
            let name = entity.name ?? ""
            guard let hash = stored[name] else {
                return StoreFinding(.versionHash, "The store has no entity \(name), which the model has.")
            }
            guard !entity.accepts(versionHash: hash) else { return nil }
            return StoreFinding(.versionHash, "The entity \(name) of the model is of another version.")
        }
    }

    /// The numbers of the entities whose rows a table has.
    private func members(of table: String) -> String {
        schema.mapping.entities.compactMap { $0 }.filter { $0.table == table }.map { String($0.number) }
            .joined(separator: ", ")
    }

    private func rows(of table: PostgreSQLSchema.Table) throws -> [StoreFinding] {
        let from = "FROM \(schema.qualified(table.name))"
        return try find(
            .entityNumber, table.name,
            "SELECT \(key), \(number)::int8 \(from) WHERE \(number) NOT IN (\(members(of: table.name)))"
        ) { "The row's z_ent is \($0 ?? 0), which isn't the number of an entity in this table." }
            + find(.primaryKey, table.name, "SELECT \(key), \(key) \(from) WHERE \(key) <= 0") {
                "The row's key is \($0 ?? 0); keys start at 1."
            }
            + find(
                .version, table.name,
                "SELECT \(key), \(version)::int8 \(from) "
                    + "WHERE \(version) NOT BETWEEN 0 AND \(RowSlab.lastVersion - 1)"
            ) { "The row's version is \($0 ?? 0), which is out of range." }
    }

    private func counter(of table: PostgreSQLSchema.Table) throws -> [StoreFinding] {
        guard
            let root = schema.mapping.entities.compactMap({ $0 }).first(where: { $0.table == table.name })
                .flatMap({ schema.mapping[$0.layout.root] })
        else { return [] }
        let result = try connection.execute(
            "SELECT COALESCE(MAX(\(key)), 0), COALESCE((SELECT z_max FROM \(schema.qualified("ocd_key")) "
                + "WHERE number = \(root.number)), 0) FROM \(schema.qualified(table.name)) "
                // The server counts the keys of other programs.
                + "WHERE \(key) < \(PostgreSQLSchema.firstForeignKey)")
        guard let row = result.first, try row.integer(1) < row.integer(0) else { return [] }
        return [
            StoreFinding(
                .primaryKey, table: table.name,
                "The counter in ocd_key is \(try row.integer(1)), but the highest key is \(try row.integer(0)).")
        ]
    }

    // MARK: References

    private func references() throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        var known: Set<String> = []
        for case let entity? in schema.mapping.entities {
            for relationship in entity.layout.relationships {
                guard let destination = schema.mapping[relationship.destination] else { continue }
                switch entity.mapping(relationship) {
                case .toOne(let column) where known.insert("\(entity.table).\(column.name)").inserted:
                    findings += try dangling(
                        entity.table, column.name, destination, "\(relationship.name) of \(entity.layout.name)")
                case .hidden(let table, let column) where known.insert("\(table).\(column.name)").inserted:
                    findings += try dangling(
                        table, column.name, entity, "the owner in \(relationship.name) of \(entity.layout.name)")
                default: continue
                }
            }
        }
        return findings
    }

    private func dangling(
        _ table: String, _ column: String, _ destination: EntityMapping, _ what: String
    ) throws -> [StoreFinding] {
        let name = SQLName.quoted(column)
        return try find(
            .danglingReference, table,
            "SELECT t.\(key), t.\(name) FROM \(schema.qualified(table)) t WHERE t.\(name) IS NOT NULL "
                + "AND NOT EXISTS (\(row(of: destination, "t.\(name)")))"
        ) { "A reference, \(what), refers to row \($0 ?? 0) of \(destination.table), which doesn't exist." }
    }

    private func row(of entity: EntityMapping, _ reference: String) -> String {
        let numbers = entity.layout.subtree.compactMap { schema.mapping[$0]?.number }.map(String.init)
        return "SELECT 1 FROM \(schema.qualified(entity.table)) d WHERE d.\(key) = \(reference) "
            + "AND d.\(number) IN (\(numbers.joined(separator: ", ")))"
    }

    private func pairs(_ pair: PostgreSQLSchema.Pairs) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        var known: Set<String> = []
        for case let entity? in schema.mapping.entities {
            for relationship in entity.layout.relationships {
                guard case .join(let join) = entity.mapping(relationship), join.table == pair.name,
                    known.insert(join.ownerColumn).inserted, let root = schema.mapping[relationship.owner]
                else { continue }
                let columns = join.isReflexive ? [join.ownerColumn, join.destinationColumn] : [join.ownerColumn]
                for column in columns.map(SQLName.quoted) {
                    findings += try find(
                        .danglingReference, pair.name,
                        "SELECT NULL::int8, j.\(column) FROM \(schema.qualified(pair.name)) j "
                            + "WHERE NOT EXISTS (\(row(of: root, "j.\(column)")))"
                    ) {
                        "A pair of \(relationship.name) refers to row \($0 ?? 0) of \(root.table), which doesn't exist."
                    }
                }
            }
        }
        return findings
    }

    // MARK: Indexes and history

    private func indexes() throws -> [StoreFinding] {
        let result = try connection.execute(
            "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                + "JOIN pg_index i ON i.indexrelid = c.oid WHERE n.nspname = $1::text AND i.indisvalid",
            values: [.text(schema.name)])
        var there: Set<String> = []
        result.forEachRow { there.insert($0.string(0)) }
        return schema.tables.flatMap { table in
            table.indexes.filter { !there.contains($0.name) }.map { index in
                StoreFinding(
                    .index, table: table.name,
                    "There is no \(index.isUnique ? "unique " : "")index \(index.name) that is valid.")
            }
        }
    }

    private func history() throws -> [StoreFinding] {
        try find(
            .history, "ocd_change",
            "SELECT NULL::int8, c.number FROM \(schema.qualified("ocd_change")) c WHERE NOT EXISTS "
                + "(SELECT 1 FROM \(schema.qualified("ocd_transaction")) t WHERE t.number = c.number) "
                + "GROUP BY c.number"
        ) { "Changes belong to the transaction \($0 ?? 0), which doesn't exist." }
    }

    // MARK: Parts

    /// Findings out of a select of keys and numbers.
    private func find(
        _ kind: StoreFinding.Kind, _ table: String, _ select: String, _ sentence: (Int64?) -> String
    ) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        let result = try connection.execute("\(select) ORDER BY 1, 2 LIMIT \(Self.limit)", isPrepared: false)
        try result.forEachRow { row in
            findings.append(
                StoreFinding(
                    kind, table: table, row: row.isNull(0) ? nil : try row.integer(0),
                    sentence(row.isNull(1) ? nil : try row.integer(1))))
        }
        return findings
    }
}
#endif
