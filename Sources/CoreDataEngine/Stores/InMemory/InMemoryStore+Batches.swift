import Foundation

/// Batches are save plans here: there is nothing to be gained by going around the rows.
extension InMemoryStore {
    func insertRows(_ batch: BatchInsert) throws -> BatchOutcome {
        // The rows come first, because they come from the application, which may use the store while it supplies them.
        var rows: [BatchRow] = []
        while let row = try batch.rows.next() { rows.append(row) }
        let first = try allocateReferences(count: rows.count, root: batch.entity.root)
        return try changingContents { contents in
            var outcome = BatchOutcome()
            var changed = Set<Int64>()
            for (index, row) in rows.enumerated() {
                let reference = first + Int64(index)
                guard let change = try Self.change(row, reference, batch, contents) else { continue }
                outcome.count += 1
                if changed.insert(change.reference).inserted {
                    outcome.references.append(
                        ObjectReference(reference: change.reference, entityIndex: Int32(change.entity.index)))
                }
                var plan = SavePlan()
                if change.reference == reference { plan.inserts = [change] } else { plan.updates = [change] }
                try Self.apply(plan, to: &contents)
            }
            return outcome
        }
    }

    func updateRows(_ batch: BatchUpdate) throws -> BatchOutcome {
        try changingContents { contents in
            let session = InMemorySession(contents: contents, storeIdentifier: identifier)
            let rows = try session.rows(batch.query)
            var plan = SavePlan()
            plan.updates = try rows.map { row in
                var change = RowChange(entity: row.record.entity, reference: row.record.reference, version: -1)
                change.values = row.record.values
                for assignment in batch.changes {
                    let index = assignment.slot.index
                    if change.slots.last != index { change.slots.append(index) }
                    var value = try assignment.value(for: row, in: self)
                    if let leaf = assignment.leaf {
                        value = try CompositeCoding.setting(
                            leaf, to: value, in: change.values[index], slot: assignment.slot)
                    }
                    change.values[index] = value
                }
                return change
            }
            try Self.apply(plan, to: &contents)
            return outcome(rows)
        }
    }

    func deleteRows(_ batch: BatchDelete) throws -> BatchOutcome {
        try changingContents { contents in
            let session = InMemorySession(contents: contents, storeIdentifier: identifier)
            var deletion = InMemoryDeletion(session: session)
            switch batch.target {
            case .query(let query): deletion.add(try session.rows(query))
            case .references(let references):
                for (root, references) in references.sorted(by: { $0.key.index < $1.key.index }) {
                    deletion.add(references.compactMap { session.row(reference: $0, root: root) })
                }
            }
            try deletion.followRules()
            let plan = try deletion.plan()
            try Self.apply(plan, to: &contents)
            deletion.detach(&contents)
            for change in plan.deletes + plan.updates {
                rowCache.forget(reference: change.reference, root: change.entity.root)
            }
            return outcome(deletion.rows)
        }
    }

    private func outcome(_ rows: [InMemoryRow]) -> BatchOutcome {
        BatchOutcome(count: rows.count, references: rows.map(\.objectReference))
    }

    // MARK: Plans

    /// What a row of an insert becomes: a new row, a change of the one that has its unique values, or nothing.
    private static func change(
        _ row: BatchRow, _ reference: Int64, _ batch: BatchInsert, _ contents: InMemoryContents
    ) throws -> RowChange? {
        let insert = RowChange(entity: batch.entity, reference: reference, version: 0, values: row.values)
        var plan = SavePlan()
        plan.inserts = [insert]
        guard case .conflicts(_, let violations) = InMemorySave(plan: plan, contents: contents).outcome() else {
            return insert
        }
        let slots: [Int]
        switch batch.mergePolicy {
        case .errorMergePolicyType: throw clash(batch.entity, violations.first?.constraint ?? [])
        case .rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType: return nil
        case .mergeByPropertyObjectTrumpMergePolicyType: slots = row.given
        case .overwriteMergePolicyType: slots = batch.rows.slots.map(\.index)
        }
        guard let stored = violations.lazy.compactMap(\.stored).first,
            let record = contents.record(stored.reference(0), root: batch.entity.root)
        else { return nil }
        var values = record.values
        let shared = slots.filter { $0 < record.entity.slotCount && record.entity.slots[$0] === batch.entity.slots[$0] }
        for slot in shared { values[slot] = row.values[slot] }
        return RowChange(
            entity: record.entity, reference: record.reference, version: -1, values: values, slots: shared)
    }

    static func clash(_ entity: EntityLayout, _ constraint: [String]) -> CocoaError {
        CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "Objects of the entity \(entity.name) must differ in \(constraint.joined(separator: ", ")); the batch would make "
                + "a value occur twice.")
    }

    private static func apply(_ plan: SavePlan, to contents: inout InMemoryContents) throws {
        let plan = try plan.archivingTransformedValues()
        if case .conflicts(_, let violations) = InMemorySave(plan: plan, contents: contents).outcome(),
            let violation = violations.first
        {
            throw clash(violation.entity, violation.constraint)
        }
        var save = InMemorySave(plan: plan, contents: contents)
        // Emptied while the rows are changed, so that they are changed in place and not copied.
        contents = InMemoryContents(layout: nil)
        save.apply()
        contents = save.contents
    }
}
