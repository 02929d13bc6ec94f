#if PostgreSQL
import Foundation
import OpenCoreData

/// Inserts the rows of a batch, some thousand at a time, inside a transaction that the caller owns.
final class PostgreSQLBatchInsert {
    private let batch: BatchInsert
    private let work: PostgreSQLBatchWork
    private let entity: EntityMapping
    private var outcome = BatchOutcome()
    private var hasUpdates = false
    private var derived: BatchDerivedRows

    /// Rows that are in memory together.
    private static let chunkSize = 1_000

    init(_ batch: BatchInsert, _ work: PostgreSQLBatchWork) throws {
        self.batch = batch
        self.work = work
        entity = try work.mapping(batch.entity)
        derived = BatchDerivedRows(work)
    }

    func run() throws -> BatchOutcome {
        try work.beginHistory(batch.author, batch.contextName)
        var chunk: [BatchRow] = []
        while let row = try batch.rows.next() {
            chunk.append(row)
            guard chunk.count == Self.chunkSize else { continue }
            try write(chunk)
            chunk.removeAll(keepingCapacity: true)
        }
        if !chunk.isEmpty { try write(chunk) }
        try derived.compute()
        try work.endHistory()
        if hasUpdates {
            // A row that was inserted, or updated, may have been updated again.
            var seen: Set<ObjectReference> = []
            outcome.references = outcome.references.filter { seen.insert($0).inserted }
        }
        return outcome
    }

    private func write(_ rows: [BatchRow]) throws {
        let first = try work.runtime.references.take(
            rows.count, number: work.mapping(batch.entity.root).number, runtime: work.runtime)
        let changes = rows.enumerated().map { index, row in
            RowChange(entity: batch.entity, reference: first + Int64(index), version: 0, values: row.values)
        }
        guard let error = try insert(changes) else {
            derived.didInsert(changes.map(\.reference), root: batch.entity.root)
            return try record(.insert, changes)
        }
        guard !UniqueConstraint.all(of: batch.entity).isEmpty else { throw error }
        // One after the other, so that later rows meet earlier ones as well.
        for (row, change) in zip(rows, changes) {
            guard let error = try insert([change]) else {
                derived.didInsert([change.reference], root: batch.entity.root)
                try record(.insert, [change])
                continue
            }
            guard let update = try settle(change, row, error) else { continue }
            hasUpdates = true
            // What the row was a member of may lose it.
            try derived.willChange("(\(update.reference))", root: update.entity.root)
            guard try self.update(update) == nil else { throw clash(error) }
            let columns = work.runtime.forms.fields(of: try work.mapping(update.entity), slots: update.slots)
            derived.didUpdate(
                [update.reference], root: update.entity.root, table: entity.table, columns: columns.map(\.column))
            try record(.update, [update])
        }
    }

    private func insert(_ changes: [RowChange]) throws -> PostgreSQLError? {
        let statements = SaveStatements(plan: SavePlan(), forms: work.runtime.forms, owners: work.runtime.owners)
        let groups = try statements.groups(changes, hasSlots: false)
        return try attempt(groups.map { try statements.insertTogether($0) }, of: changes)
    }

    private func update(_ change: RowChange) throws -> PostgreSQLError? {
        let statements = SaveStatements(plan: SavePlan(), forms: work.runtime.forms, owners: work.runtime.owners)
        let groups = try statements.groups([change], hasSlots: true)
        return try attempt(groups.map { try statements.updateGivingKeys($0) }, of: [change])
    }

    /// Runs statements, unless unique values are in the way.
    ///
    /// - Parameter widenings: How many indexes may have to become others, one after the other.
    private func attempt(
        _ statements: [PostgreSQLStatement], of changes: [RowChange], widenings: Int = 8
    ) throws -> PostgreSQLError? {
        try work.connection.pipeline([PostgreSQLStatement("SAVEPOINT ocd_batch", isPrepared: false)])
        do {
            try work.connection.pipeline(statements + [Self.release])
            return nil
        } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
            try work.connection.pipeline([Self.back, Self.release])
            return error
        } catch let error as PostgreSQLError where error.isTooLongForIndex && widenings > 0 {
            try work.connection.pipeline([Self.back, Self.release])
            try LongIndexedValues(work.runtime, changes).makeRoom(after: error, work.connection)
            return try attempt(statements, of: changes, widenings: widenings - 1)
        }
    }

    private static let release = PostgreSQLStatement("RELEASE SAVEPOINT ocd_batch", isPrepared: false)
    private static let back = PostgreSQLStatement("ROLLBACK TO SAVEPOINT ocd_batch", isPrepared: false)

    private func record(_ type: NSPersistentHistoryChangeType, _ changes: [RowChange]) throws {
        outcome.count += changes.count
        if batch.wantsReferences {
            outcome.references += changes.map {
                ObjectReference(reference: $0.reference, entityIndex: Int32(truncatingIfNeeded: $0.entity.index))
            }
        }
        guard work.runtime.isRecording, let first = changes.first else { return }
        let names = type == .update ? first.slots.compactMap { first.entity.slots[$0]?.name } : nil
        let number = try work.mapping(first.entity).number
        try work.record(
            type, "SELECT u.k AS ocd_k, \(number) AS ocd_e FROM unnest($1::int8[]) AS u(k)", columns: names,
            PostgreSQLStore.keys(changes.map(\.reference)))
    }

    // MARK: Unique values

    /// What becomes of a row whose unique values another one has: a change of that one, or nothing.
    private func settle(_ change: RowChange, _ row: BatchRow, _ error: PostgreSQLError) throws -> RowChange? {
        let slots: [Int]
        switch batch.mergePolicy {
        case .errorMergePolicyType: throw clash(error)
        case .rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType: return nil
        case .mergeByPropertyObjectTrumpMergePolicyType: slots = row.given
        case .overwriteMergePolicyType: slots = batch.rows.slots.map(\.index)
        }
        guard let (reference, entity) = try holder(of: change) else { throw error }
        // The stored row may be of another entity of the tree, which has the slots of common ancestors only.
        let shared = slots.filter { $0 < entity.slotCount && entity.slots[$0] === batch.entity.slots[$0] }
        return RowChange(
            entity: entity, reference: reference, version: -1, values: row.values, slots: shared.sorted())
    }

    /// The row that has the unique values of a change, and its entity.
    private func holder(of change: RowChange) throws -> (reference: Int64, entity: EntityLayout)? {
        for constraint in UniqueConstraint.all(of: change.entity) {
            let values = try constraint.slots.map { slot in
                let value = change.value(slot.index)
                return try slot.onlyElement(of: value) ?? SQLValue(stored: value)
            }
            let columns = constraint.slots.compactMap { entity.column($0)?.constrainedName }
            guard !values.contains(.null), columns.count == values.count else { continue }
            let conditions = columns.map { column in
                let type = work.schema.type(of: column, in: entity.table)
                return "\(SQLName.quoted(column)) = ?::\(NumberedStatement.name(of: type))"
            }
            let members = constraint.entity.subtree.compactMap { work.runtime.mapping[$0]?.number }.map(String.init)
            let source =
                "SELECT \(work.key), \(work.number) FROM \(work.schema.source(entity.table)) s "
                + "WHERE \(conditions.joined(separator: " AND ")) AND \(work.number) IN (\(members.joined(separator: ", "))) "
                + "LIMIT 1"
            let statement = try NumberedStatement(SQLQueryBuilder.Statement(sql: source, bindings: values))
                .statement
            guard let row = try work.connection.pipeline([statement]).first?.first,
                let found = work.runtime.mapping.entity(number: try row.integer(1)),
                found.layout.root === entity.layout.root
            else { continue }
            return (try row.integer(0), found.layout)
        }
        return nil
    }

    private func clash(_ error: PostgreSQLError) -> CocoaError {
        let constraints = UniqueConstraint.all(of: batch.entity).map { $0.names.joined(separator: ", ") }
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "Objects of the entity \(batch.entity.name) must differ in \(constraints.joined(separator: "; and in ")); "
                + "the batch insert would make a value occur twice.", underlying: error)
    }
}
#endif
