/// A change that a uniqueness constraint held up.
package struct WaitingChange {
    package var change: RowChange
    package var isInsert: Bool
    /// What the database said.
    package var error: any Error

    package init(change: RowChange, isInsert: Bool, error: any Error) {
        self.change = change
        self.isInsert = isInsert
        self.error = error
    }
}

/// A violation before the transaction is rolled back: the stored row is known by its number only.
package struct FoundViolation {
    package var constraint: UniqueConstraint
    package var references: [Int64]
    package var stored: Int64?
}

/// A save whose changes wait for each other where one has the unique values of another.
package protocol ConstrainedSave: AnyObject {
    var plan: SavePlan { get }
    /// Whether rows were changed or deleted elsewhere.
    var hasConflicts: Bool { get }
    /// Changes whose unique values another row has.
    var waiting: [WaitingChange] { get set }
    /// Applies a change again; it waits again if the values are still taken.
    func retry(_ entry: WaitingChange) throws
    /// Empties the columns of a row that a change gives other unique values.
    func clearUniqueColumns(of change: RowChange) throws
    /// The values that a change gives, or leaves, to the columns of a constraint.
    func values(of constraint: UniqueConstraint, _ entry: WaitingChange) throws -> [SQLValue]
    /// The rows in the table of an entity that have values in the columns of a constraint.
    func rows(with values: [SQLValue], of constraint: UniqueConstraint, entity: EntityLayout) throws -> [Int64]
}

extension ConstrainedSave {
    /// Tries the changes that had to wait again, as long as that helps. Rows that exchange their values block each
    /// other; for those the unique columns are emptied first.
    package func settleWaiting() throws {
        var isCleared = false
        while !waiting.isEmpty, !hasConflicts {
            let before = waiting
            waiting = []
            for entry in before { try retry(entry) }
            guard waiting.count == before.count else { continue }
            if isCleared || !waiting.contains(where: { !$0.isInsert }) { return }
            isCleared = true
            for entry in waiting where !entry.isInsert { try clearUniqueColumns(of: entry.change) }
        }
    }

    /// The violations behind the changes that still wait. Ask before rolling back.
    ///
    /// - Throws: The database's error for a change that breaks no constraint of the model.
    package func violations() throws -> [FoundViolation] {
        var found: [FoundViolation] = []
        // Rows of other tables have the same numbers.
        let plannedByTable = Dictionary(grouping: plan.inserts + plan.updates) { ObjectIdentifier($0.entity.root) }
            .mapValues { Set($0.map(\.reference)) }
        for entry in waiting {
            let planned = plannedByTable[ObjectIdentifier(entry.change.entity.root)] ?? []
            let before = found.count
            for constraint in UniqueConstraint.all(of: entry.change.entity) {
                let values = try self.values(of: constraint, entry)
                guard !values.contains(.null) else { continue }
                let others = try rows(with: values, of: constraint, entity: entry.change.entity)
                    .filter { $0 != entry.change.reference }
                let clashes = try self.clashes(with: entry, values, constraint)
                guard !others.isEmpty || !clashes.isEmpty else { continue }
                let references = ([entry.change.reference] + clashes + others.filter(planned.contains)).sorted()
                let isKnown = found.contains {
                    $0.constraint.entity === constraint.entity && $0.constraint.names == constraint.names
                        && $0.references == references
                }
                if !isKnown {
                    found.append(
                        FoundViolation(
                            constraint: constraint, references: references,
                            stored: others.first { !planned.contains($0) }))
                }
            }
            let isExplained = found.count > before || found.contains { $0.references.contains(entry.change.reference) }
            guard isExplained else { throw entry.error }
        }
        return found
    }

    /// Other changes that wait and have the same values.
    private func clashes(
        with entry: WaitingChange, _ values: [SQLValue], _ constraint: UniqueConstraint
    ) throws -> [Int64] {
        try waiting.filter { other in
            guard other.change.entity.root === entry.change.entity.root,
                other.change.reference != entry.change.reference, other.change.entity.isKind(of: constraint.entity)
            else { return false }
            return try self.values(of: constraint, other) == values
        }.map(\.change.reference)
    }
}

extension SaveOutcome {
    /// What stands in the way of a plan, with the rows as a store has them now.
    package static func blocked(
        by conflicts: [(change: RowChange, isDelete: Bool)], _ violations: [FoundViolation], in store: some RowReading
    ) throws -> SaveOutcome {
        .conflicts(
            try conflicts.map { change, isDelete in
                let current = try store.fetchRows(
                    references: [change.reference], entity: change.entity.root, includesValues: true)
                return RowConflict(
                    entity: change.entity, reference: change.reference, isDelete: isDelete,
                    current: current.count > 0 ? current : nil)
            },
            constraints: try violations.map { violation in
                let stored = try violation.stored.map {
                    try store.fetchRows(
                        references: [$0], entity: violation.constraint.entity.root, includesValues: true)
                }
                return ConstraintViolation(
                    entity: violation.constraint.entity, constraint: violation.constraint.names,
                    references: violation.references, stored: stored)
            })
    }
}
