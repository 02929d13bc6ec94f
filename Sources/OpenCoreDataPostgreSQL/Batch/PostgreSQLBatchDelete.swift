#if PostgreSQL
import Foundation
import OpenCoreData

/// Deletes the rows of a batch and what the delete rules say, inside a transaction that the caller owns.
///
/// All rows that go are collected first in a temporary table, cascade by cascade; then deny rules and mandatory
/// relationships are checked, what points to the rows is emptied, and the rows are deleted.
struct PostgreSQLBatchDelete {
    private let batch: BatchDelete
    private let work: PostgreSQLBatchWork
    private let rowCache: RowCache
    private var derived: BatchDerivedRows
    private static let rows = "pg_temp.ocd_batch"

    init(_ batch: BatchDelete, _ work: PostgreSQLBatchWork, rowCache: RowCache) {
        self.batch = batch
        self.work = work
        self.rowCache = rowCache
        derived = BatchDerivedRows(work)
    }

    mutating func run() throws -> BatchOutcome {
        try work.connection.runScript(
            "CREATE TEMPORARY TABLE ocd_batch (root int8 NOT NULL, pk int8 NOT NULL, ent int8 NOT NULL, "
                + "level int8 NOT NULL, PRIMARY KEY (root, pk)) ON COMMIT DROP")
        try work.beginHistory(batch.author, batch.contextName)
        try collect()
        try followCascades()
        let entities = try self.entities()
        guard !entities.isEmpty else {
            try work.endHistory()
            return BatchOutcome()
        }
        for entity in entities { try checkDenials(of: entity) }
        if work.schema.isExisting {
            try work.run("SET CONSTRAINTS ALL DEFERRED")
        }
        let roots = Set(entities.map(\.layout.root))
        for root in roots { try derived.willChange(keys(of: root), root: root) }
        try detach(roots)
        for entity in entities {
            try work.record(
                .delete,
                "SELECT t.*, t.\(work.key) AS ocd_k, t.\(work.number) AS ocd_e FROM \(work.schema.qualified(entity.table)) t "
                    + "WHERE t.\(work.key) IN \(keys(of: entity.layout.root, and: "ent = \(entity.number)"))",
                tombstone: HistoryStatements.tombstone(of: entity, alias: "x"))
        }
        var outcome = BatchOutcome()
        let result = try work.run("SELECT ent, pk FROM \(Self.rows) ORDER BY level, root, pk")
        try result.forEachRow { row in
            guard let entity = work.runtime.mapping.entity(number: try row.integer(0)) else { return }
            let reference = try row.integer(1)
            rowCache.forget(reference: reference, root: entity.layout.root)
            outcome.count += 1
            guard batch.wantsReferences else { return }
            outcome.references.append(
                ObjectReference(
                    reference: reference, entityIndex: Int32(truncatingIfNeeded: entity.layout.index)))
        }
        var tables: Set<String> = []
        // Foreign keys of others are checked with each statement: what refers to a row goes before it.
        let ordered = entities.sorted { rank($0) > rank($1) }
        for entity in ordered where tables.insert(entity.table).inserted {
            try work.run(
                "DELETE FROM \(work.schema.qualified(entity.table)) "
                    + "WHERE \(work.schema.writtenKey(of: entity)) IN \(keys(of: entity.layout.root))")
        }
        try derived.compute()
        try work.endHistory()
        return outcome
    }

    private func rank(_ entity: EntityMapping) -> Int { work.schema.existing[entity.table]?.rank ?? 0 }

    // MARK: The rows

    private func columns(_ alias: String, _ root: EntityLayout, level: Int = 0) -> String {
        "\(root.root.index), \(alias).\(work.key), \(alias).\(work.number), \(level)"
    }

    /// - Returns: How many were not there yet.
    @discardableResult
    private func add(_ select: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()) throws -> Int {
        try work.run("INSERT INTO \(Self.rows) \(select) ON CONFLICT DO NOTHING", parameters).affectedCount
    }

    private func collect() throws {
        switch batch.target {
        case .query(let query):
            let selection = try NumberedStatement(
                work.runtime.builder.rows(work.runtime.leavingOutStrays(query)) { columns($0, query.entity) })
            try add(selection.sql, selection.parameters)
        case .references(let references):
            for (root, references) in references.sorted(by: { $0.key.index < $1.key.index }) {
                let entity = try work.mapping(root)
                let members = self.members(of: root.root, "t0")
                try add(
                    "SELECT \(columns("t0", root)) FROM \(work.schema.source(entity.table)) t0 "
                        + "WHERE t0.\(work.key) = ANY($1::int8[]) AND \(members)", PostgreSQLStore.keys(references))
            }
        }
    }

    private func members(of entity: EntityLayout, _ alias: String) -> String {
        let numbers = entity.subtree.compactMap { work.runtime.mapping[$0]?.number }.map(String.init)
        return "\(alias).\(work.number) IN (\(numbers.joined(separator: ", ")))"
    }

    private func keys(of root: EntityLayout, and condition: String? = nil) -> String {
        "(SELECT pk FROM \(Self.rows) WHERE root = \(root.root.index)\(condition.map { " AND \($0)" } ?? ""))"
    }

    private func entities(level: Int? = nil) throws -> [EntityMapping] {
        let condition = level.map { " WHERE level = \($0)" } ?? ""
        var entities: [EntityMapping] = []
        try work.run("SELECT DISTINCT ent FROM \(Self.rows)\(condition) ORDER BY ent").forEachRow { row in
            if let entity = work.runtime.mapping.entity(number: try row.integer(0)) { entities.append(entity) }
        }
        return entities
    }

    // MARK: Delete rules

    private func followCascades() throws {
        var level = 0
        var added = 1
        while added > 0 {
            added = 0
            for entity in try entities(level: level) {
                for relationship in entity.layout.relationships where relationship.deleteRule == .cascadeDeleteRule {
                    guard let source = destinations(of: relationship, entity, level: level) else { continue }
                    let list = columns("d", relationship.destination, level: level + 1)
                    added += try add("SELECT DISTINCT \(list) \(source)")
                }
            }
            level += 1
        }
    }

    private func checkDenials(of entity: EntityMapping) throws {
        for relationship in entity.layout.relationships where relationship.deleteRule == .denyDeleteRule {
            guard let source = destinations(of: relationship, entity) else { continue }
            let left = keys(of: relationship.destination.root)
            guard try work.run("SELECT 1 \(source) AND d.\(work.key) NOT IN \(left) LIMIT 1").count > 0 else {
                continue
            }
            throw CoreDataError.make(
                NSValidationRelationshipDeniedDeleteError,
                "\(entity.layout.name) can't be deleted while its relationship \(relationship.name) has objects.",
                userInfo: [NSValidationKeyErrorKey: relationship.name])
        }
    }

    /// `FROM … WHERE …` of the destinations, as `d`, of the rows of one entity that are to be deleted.
    private func destinations(
        of relationship: RelationshipLayout, _ entity: EntityMapping, level: Int? = nil
    ) -> String? {
        guard let destination = work.runtime.mapping[relationship.destination] else { return nil }
        let table = work.schema.source(destination.table)
        let owners = keys(
            of: entity.layout, and: "ent = \(entity.number)" + (level.map { " AND level = \($0)" } ?? ""))
        let condition: String
        switch entity.mapping(relationship) {
        case .toOne(let column):
            condition =
                "d.\(work.key) IN (SELECT s.\(SQLName.quoted(column.name)) FROM \(work.schema.source(entity.table)) s "
                + "WHERE s.\(work.key) IN \(owners))"
        case .inverse(_, let column), .hidden(_, let column):
            condition = "d.\(SQLName.quoted(column.name)) IN \(owners)"
        case .join(let join):
            let pairs = join.source(work.runtime.dialect).sql
            condition =
                "d.\(work.key) IN (SELECT j.\(SQLName.quoted(join.destinationColumn)) FROM \(pairs) j "
                + "WHERE j.\(SQLName.quoted(join.ownerColumn)) IN \(owners))"
        case .none: return nil
        }
        return "FROM \(table) d WHERE \(condition) AND \(members(of: relationship.destination, "d"))"
    }

    // MARK: What points to the rows

    private mutating func detach(_ roots: Set<EntityLayout>) throws {
        var known: Set<String> = []
        for case let entity? in work.runtime.mapping.entities {
            for relationship in entity.layout.relationships {
                switch entity.mapping(relationship) {
                case .toOne(let column):
                    guard roots.contains(relationship.destination.root),
                        known.insert("\(entity.table).\(column.name)").inserted
                    else { continue }
                    let slot = relationship.slot.flatMap { entity.layout.slots[$0] }
                    try empty(entity.table, column, target: relationship.destination.root, entity.layout.root, slot)
                case .hidden(let table, let column):
                    guard roots.contains(entity.layout.root), known.insert("\(table).\(column.name)").inserted
                    else {
                        continue
                    }
                    try empty(table, column, target: entity.layout.root, nil, nil)
                case .join(let join):
                    let sides = [
                        (join.ownerColumn, entity.layout.root),
                        (join.destinationColumn, relationship.destination.root),
                    ]
                    for (column, root) in sides
                    where roots.contains(root) && known.insert("\(join.table).\(column)").inserted {
                        try work.run(
                            "DELETE FROM \(work.schema.qualified(join.table)) "
                                + "WHERE \(SQLName.quoted(column)) IN \(keys(of: root))")
                    }
                case .inverse, .none: continue
                }
            }
        }
    }

    private mutating func empty(
        _ tableName: String, _ column: ColumnMapping, target: EntityLayout, _ owner: EntityLayout?,
        _ slot: SlotLayout?
    ) throws {
        let table = work.schema.qualified(tableName)
        let existing = work.schema.existing[tableName]
        let key = existing.map { SQLName.quoted($0.key) } ?? work.key
        var condition = "\(SQLName.quoted(column.name)) IN \(keys(of: target))"
        // Rows that are deleted as well may refer to any row.
        if let owner { condition += " AND \(key) NOT IN \(keys(of: owner))" }
        if let slot, !slot.isOptional, try work.run("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1").count > 0 {
            throw CoreDataError.make(
                NSValidationMissingMandatoryPropertyError,
                "The batch delete would leave \(slot.name) of \(slot.owner.name), which is a required value, without an "
                    + "object.", userInfo: [NSValidationKeyErrorKey: slot.name])
        }
        if let slot {
            try work.record(
                .update,
                "SELECT \(work.key) AS ocd_k, \(work.number) AS ocd_e FROM \(table) WHERE \(condition)",
                columns: [slot.name])
        }
        // The row keeps its version, as with a foreign key that the database empties: who changes something else of it
        // has no conflict.
        let columns = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
            .map { "\(SQLName.quoted($0)) = NULL" }
        let update = "UPDATE \(table) SET \(columns.joined(separator: ", ")) WHERE \(condition)"
        guard slot != nil, existing == nil, let owner else {
            try work.run(update)
            return
        }
        var emptied: [Int64] = []
        try work.run("\(update) RETURNING \(key)").forEachRow { row in
            let reference = try row.integer(0)
            rowCache.forget(reference: reference, root: owner)
            emptied.append(reference)
        }
        derived.didEmpty(emptied, root: owner, table: tableName, column: column.name)
    }
}
#endif
