import Foundation

/// Deletes the rows of a batch and what the delete rules say, inside a transaction that the caller owns.
///
/// All rows that go are collected first, cascade by cascade; then deny rules and mandatory relationships are checked,
/// what points to the rows is emptied, and the rows are deleted.
final class BatchDeleteExecutor {
    private let batch: BatchDelete
    private let work: BatchWork
    private let rowCache: RowCache

    init(_ batch: BatchDelete, _ work: BatchWork, rowCache: RowCache) {
        self.batch = batch
        self.work = work
        self.rowCache = rowCache
    }

    func run() throws -> BatchOutcome {
        let rows = try BatchRowTable(work)
        try collect(into: rows)
        try followCascades(rows)
        let entities = try rows.entities()
        guard !entities.isEmpty else { return BatchOutcome() }
        for entity in entities { try checkDenials(of: entity) }
        try BatchDetaching(work, rowCache: rowCache).detach(Set(entities.map(\.layout.root)))
        for entity in entities { try recordFiles(of: entity) }
        try writeHistory(entities)
        var outcome = BatchOutcome(count: try rows.count())
        if batch.wantsReferences { outcome.references = try rows.references() }
        for root in Set(entities.map(\.layout.root)).sorted(by: { $0.index < $1.index }) {
            guard
                let table = work.runtime.mapping[root]?.table
                    ?? entities.first(where: { $0.layout.root == root })?.table
            else { continue }
            try work.connection.run(
                "DELETE FROM \(SQLName.quotedIfNeeded(table)) WHERE Z_PK IN \(BatchRowTable.keys(of: root))")
        }
        try rows.visit { entity, reference in rowCache.forget(reference: reference, root: entity.layout.root) }
        try rows.empty()
        return outcome
    }

    private func collect(into rows: BatchRowTable) throws {
        switch batch.target {
        case .query(var query):
            query.leavesOutStrays = true
            let selection = try work.runtime.builder.rows(query) {
                BatchRowTable.columns(alias: $0, root: query.entity)
            }
            try rows.add(selection.sql, selection.bindings)
        case .references(let references):
            for (root, references) in references { try rows.add(references, work.mapping(root)) }
        }
    }

    // MARK: Delete rules

    private func followCascades(_ rows: BatchRowTable) throws {
        var level = 0
        var added = 1
        while added > 0 {
            added = 0
            for entity in try rows.entities(level: level) {
                for relationship in entity.layout.relationships where relationship.deleteRule == .cascadeDeleteRule {
                    guard let source = destinations(of: relationship, entity, level: level) else { continue }
                    let columns = BatchRowTable.columns(alias: "d", root: relationship.destination, level: level + 1)
                    added += try rows.add("SELECT \(columns) \(source)")
                }
            }
            level += 1
        }
    }

    private func checkDenials(of entity: EntityMapping) throws {
        for relationship in entity.layout.relationships where relationship.deleteRule == .denyDeleteRule {
            guard let source = destinations(of: relationship, entity) else { continue }
            let left = BatchRowTable.keys(of: relationship.destination.root)
            let sql = "SELECT 1 \(source) AND d.Z_PK NOT IN \(left) LIMIT 1"
            guard try work.connection.firstValue(sql) != nil else { continue }
            throw CoreDataError.make(
                NSValidationRelationshipDeniedDeleteError,
                "\(entity.layout.name) can't be deleted while its relationship \(relationship.name) has objects.",
                userInfo: [NSValidationKeyErrorKey: relationship.name])
        }
    }

    /// `FROM … WHERE …` of the destinations, as `d`, of the rows of one entity that are to be deleted.
    private func destinations(of relationship: RelationshipLayout, _ entity: EntityMapping, level: Int? = nil)
        -> String?
    {
        let isMember = work.runtime.mapping.membershipCondition(of: relationship.destination.subtree, alias: "d")
        return allDestinations(of: relationship, entity, level: level).map { "\($0) AND \(isMember)" }
    }

    /// The same, stray rows among them.
    private func allDestinations(of relationship: RelationshipLayout, _ entity: EntityMapping, level: Int?) -> String? {
        guard let destination = work.runtime.mapping[relationship.destination] else { return nil }
        let table = SQLName.quotedIfNeeded(destination.table)
        let condition = "ent=\(entity.number)" + (level.map { " AND level=\($0)" } ?? "")
        let owners = BatchRowTable.keys(of: entity.layout, and: condition)
        switch entity.mapping(relationship) {
        case .toOne(let column):
            let own = SQLName.quotedIfNeeded(entity.table)
            let name = SQLName.quotedIfNeeded(column.name)
            return "FROM \(table) d WHERE d.Z_PK IN (SELECT s.\(name) FROM \(own) s WHERE s.Z_PK IN \(owners))"
        case .inverse(let table, let column), .hidden(let table, let column):
            return "FROM \(SQLName.quotedIfNeeded(table)) d WHERE d.\(SQLName.quotedIfNeeded(column.name)) IN \(owners)"
        case .join(let join):
            let pairs = SQLName.quotedIfNeeded(join.table)
            let owner = SQLName.quotedIfNeeded(join.ownerColumn)
            let other = SQLName.quotedIfNeeded(join.destinationColumn)
            var keys = "SELECT \(other) FROM \(pairs) WHERE \(owner) IN \(owners)"
            if join.isReflexive { keys += " UNION SELECT \(owner) FROM \(pairs) WHERE \(other) IN \(owners)" }
            return "FROM \(table) d WHERE d.Z_PK IN (\(keys))"
        case .none: return nil
        }
    }

    // MARK: What the rows leave behind

    private func recordFiles(of entity: EntityMapping) throws {
        guard entity.hasExternalColumns else { return }
        for case let column? in entity.columns where column.isExternal {
            let sql =
                "SELECT \(SQLName.quotedIfNeeded(column.name)) FROM \(SQLName.quotedIfNeeded(entity.table)) "
                + "WHERE Z_PK IN \(BatchRowTable.keys(of: entity.layout, and: "ent=\(entity.number)"))"
            try work.forEachRow(sql) { work.files.recordReplaced($0.value(at: 0)) }
        }
    }

    private func writeHistory(_ entities: [EntityMapping]) throws {
        guard let history = work.history else { return }
        for entity in entities {
            let slots = HistoryTables.tombstones(of: entity).prefix(work.runtime.history.tombstoneColumns)
            let names = ["Z_PK"] + slots.compactMap { entity.column($0)?.name }
            let sql =
                "SELECT \(names.map(SQLName.quotedIfNeeded).joined(separator: ",")) "
                + "FROM \(SQLName.quotedIfNeeded(entity.table)) "
                + "WHERE Z_PK IN \(BatchRowTable.keys(of: entity.layout, and: "ent=\(entity.number)")) ORDER BY Z_PK"
            try work.forEachRow(sql) { row in
                let tombstone = (1..<Int32(names.count)).map { row.value(at: $0) }
                try history.add(.delete, entity, reference: row.int64(at: 0), tombstone: tombstone)
            }
        }
    }
}
