import Foundation

/// Inserts the rows of a batch, some hundred at a time, inside a transaction that the caller owns.
final class BatchInsertExecutor {
    private let batch: BatchInsert
    private let work: BatchWork
    private var outcome = BatchOutcome()
    private var hasUpdates = false

    /// Rows that are in memory together.
    private static let chunkSize = 500

    init(_ batch: BatchInsert, _ work: BatchWork) {
        self.batch = batch
        self.work = work
    }

    func run() throws -> BatchOutcome {
        guard let table = work.runtime.schema.entity(for: batch.entity.entity)?.table else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The entity \(batch.entity.name) is not kept in this store.")
        }
        var chunk: [BatchRow] = []
        while let row = try batch.rows.next() {
            chunk.append(row)
            guard chunk.count == Self.chunkSize else { continue }
            try write(chunk, table)
            chunk.removeAll(keepingCapacity: true)
        }
        if !chunk.isEmpty { try write(chunk, table) }
        if hasUpdates {
            // A row that was inserted, or updated, may have been updated again.
            var seen: Set<ObjectReference> = []
            outcome.references = outcome.references.filter { seen.insert($0).inserted }
        }
        return outcome
    }

    private func write(_ rows: [BatchRow], _ table: SQLTable) throws {
        let keys = try PrimaryKeys(work.connection).reserve(rows.count, in: table)
        var plan = SavePlan()
        plan.inserts = zip(rows, keys).map { row, key in
            RowChange(entity: batch.entity, reference: key, version: 0, values: row.values)
        }
        let executor = self.executor(plan)
        try executor.run()
        let left = Set(executor.waiting.map(\.change.reference))
        for change in plan.inserts where !left.contains(change.reference) { try record(.insert, change) }
        var updates = SavePlan()
        for entry in executor.waiting {
            let row = rows[Int(entry.change.reference - keys.lowerBound)]
            if let update = try settle(entry, row, executor) { updates.updates.append(update) }
        }
        guard !updates.updates.isEmpty else { return }
        hasUpdates = true
        let updating = self.executor(updates)
        try updating.run()
        if let entry = updating.waiting.first { throw clash(entry) }
        for change in updates.updates { try record(.update, change) }
    }

    private func executor(_ plan: SavePlan) -> SaveExecutor {
        SaveExecutor(
            plan: plan, store: work.runtime.mapping, forms: work.runtime.saveStatements, connection: work.connection,
            externalData: work.files.encode)
    }

    private func record(_ type: HistoryTransaction.ChangeType, _ change: RowChange) throws {
        outcome.count += 1
        if batch.wantsReferences {
            outcome.references.append(
                ObjectReference(
                    reference: change.reference, entityIndex: Int32(truncatingIfNeeded: change.entity.index)))
        }
        guard let history = work.history else { return }
        let names = type == .update ? change.slots.compactMap { change.entity.slots[$0]?.name } : nil
        try history.add(type, work.mapping(change.entity), reference: change.reference, names: names)
    }

    // MARK: Unique values

    /// What becomes of a row whose unique values another one has: a change of that one, or nothing.
    private func settle(_ entry: WaitingChange, _ row: BatchRow, _ executor: SaveExecutor) throws -> RowChange? {
        let slots: [Int]
        switch batch.mergePolicy {
        case .errorMergePolicyType: throw clash(entry)
        case .rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType: return nil
        case .mergeByPropertyObjectTrumpMergePolicyType: slots = row.given
        case .overwriteMergePolicyType: slots = batch.rows.slots.map(\.index)
        }
        guard let (reference, entity) = try executor.holder(of: entry) else { throw entry.error }
        // The stored row may be of another entity of the tree, which has the slots of common ancestors only.
        let shared = slots.filter { $0 < entity.slotCount && entity.slots[$0] === batch.entity.slots[$0] }
        let change = RowChange(
            entity: entity, reference: reference, version: -1, values: row.values, slots: shared.sorted())
        var replaced = SavePlan()
        replaced.updates = [change]
        try work.files.recordReplaced(by: replaced, store: work.runtime.mapping, connection: work.connection)
        return change
    }

    private func clash(_ entry: WaitingChange) -> CocoaError {
        let constraints = UniqueConstraint.all(of: entry.change.entity).map { $0.names.joined(separator: ", ") }
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "Objects of the entity \(batch.entity.name) must differ in \(constraints.joined(separator: "; and in ")); "
                + "the batch insert would make a value occur twice.", underlying: entry.error)
    }
}
