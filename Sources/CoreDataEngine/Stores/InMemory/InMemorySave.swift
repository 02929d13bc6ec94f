import Foundation

/// One save: first everything that could go wrong is found out, then the rows are changed.
struct InMemorySave {
    let plan: SavePlan
    var contents: InMemoryContents

    /// What the save would come to, without changing anything.
    func outcome() -> SaveOutcome {
        let conflicts =
            plan.updates.compactMap { conflict($0, isDelete: false) }
            + plan.deletes.compactMap { conflict($0, isDelete: true) }
        let violations = contents.constraints.indices.flatMap { self.violations(constraintIndex: $0) }
        if conflicts.isEmpty && violations.isEmpty { return .saved(derived: []) }
        return .conflicts(conflicts, constraints: violations)
    }

    // MARK: Conflicts

    private func conflict(_ change: RowChange, isDelete: Bool) -> RowConflict? {
        guard let record = contents.record(change.reference, root: change.entity.root) else {
            return RowConflict(entity: change.entity, reference: change.reference, isDelete: isDelete, current: nil)
        }
        guard change.version >= 0, record.version != change.version else { return nil }
        return RowConflict(
            entity: record.entity, reference: change.reference, isDelete: isDelete, current: Self.slab(record))
    }

    private static func slab(_ record: InMemoryRecord) -> RowSlab {
        let slab = RowSlab(entity: record.entity, expectedCount: 1)
        slab.append(
            reference: record.reference, entity: record.entity, version: record.version, values: record.values)
        slab.timestamp = Date().timeIntervalSinceReferenceDate
        return slab
    }

    private func violations(constraintIndex index: Int) -> [ConstraintViolation] {
        let constraint = contents.constraints[index]
        var written: [String: [Int64]] = [:]
        var touched: Set<Int64> = []
        let root = constraint.entity.root
        for change in plan.deletes where change.entity.root === root { touched.insert(change.reference) }
        let records = plan.inserts.map { insertedRecord($0) } + plan.updates.compactMap { updatedRecord($0) }
        for record in records where record.entity.isKind(of: constraint.entity) {
            touched.insert(record.reference)
            guard let identity = InMemoryContents.uniqueKey(constraint, record) else { continue }
            written[identity, default: []].append(record.reference)
        }
        return written.sorted { $0.value[0] < $1.value[0] }.compactMap { identity, references in
            // A row of the plan that has the values now either keeps them, and is in the list, or gives them up.
            let holder = contents.uniqueRows[index][identity].flatMap { touched.contains($0) ? nil : $0 }
            let stored = holder.flatMap { contents.record($0, root: root) }.map { Self.slab($0) }
            guard references.count > 1 || stored != nil else { return nil }
            return ConstraintViolation(
                entity: constraint.entity, constraint: constraint.attributes, references: references, stored: stored)
        }
    }

    private func insertedRecord(_ change: RowChange) -> InMemoryRecord {
        var values = change.values
        while values.count < change.entity.slotCount { values.append(.null) }
        return InMemoryRecord(entity: change.entity, reference: change.reference, version: 1, values: values)
    }

    /// The row as it will be; `nil` if the row doesn't exist.
    private func updatedRecord(_ change: RowChange) -> InMemoryRecord? {
        guard var record = contents.record(change.reference, root: change.entity.root) else { return nil }
        for slot in change.slots where slot < change.values.count { record.values[slot] = change.values[slot] }
        if !change.keepsVersion { record.version += 1 }
        return record
    }

    // MARK: Changing

    mutating func apply() {
        for change in plan.deletes { contents.remove(change.reference, root: change.entity.root) }
        let updated = plan.updates.compactMap { updatedRecord($0) }
        // All go before any comes back: two rows may exchange values that must be unique.
        for record in updated { contents.remove(record.reference, root: record.entity.root) }
        for record in updated { contents.insert(record) }
        for change in plan.inserts { insert(change) }
        for link in plan.linkDeletes { changeLink(link, isInsert: false) }
        for link in plan.linkInserts { changeLink(link, isInsert: true) }
        for change in plan.hiddenOwners { setHiddenOwner(change) }
        for order in plan.orders {
            contents.orders[RelationshipKey(order.relationship), default: [:]][order.owner] = order.destinations
        }
    }

    private mutating func insert(_ change: RowChange) {
        contents.insert(insertedRecord(change))
        let table = change.entity.root.index
        contents.lastReferences[table] = max(contents.lastReferences[table], change.reference)
    }

    private mutating func changeLink(_ link: LinkChange, isInsert: Bool) {
        let side = link.relationship.linkSide
        var pair = LinkPair(first: link.owner, second: link.destination)
        if !side.isFirst || (side.isReflexive && pair.first > pair.second) {
            pair = LinkPair(first: pair.second, second: pair.first)
        }
        if isInsert {
            contents.links[side.key, default: []].insert(pair)
        } else {
            contents.links[side.key]?.remove(pair)
        }
    }

    private mutating func setHiddenOwner(_ change: HiddenOwnerChange) {
        let key = RelationshipKey(change.relationship)
        if let owner = change.owner {
            contents.hiddenOwners[key, default: [:]][change.destination] = owner
        } else if change.formerOwner == nil || contents.hiddenOwners[key]?[change.destination] == change.formerOwner {
            contents.hiddenOwners[key]?[change.destination] = nil
        }
    }
}
