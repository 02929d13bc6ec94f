import Foundation

/// Finding out which uniqueness constraint held changes up, and who has the values.
extension SaveExecutor {
    /// A violation before the transaction is rolled back: the stored row is known by its number only.
    struct Violation {
        var constraint: UniqueConstraint
        var references: [Int64]
        var stored: Int64?
    }

    /// The violations behind the changes that still wait. Ask before rolling back.
    ///
    /// - Throws: The error of SQLite for a change that breaks no constraint of the model.
    func violations() throws -> [Violation] {
        var found: [Violation] = []
        // Rows of other tables have the same numbers.
        let plannedByTable = Dictionary(grouping: plan.inserts + plan.updates) { ObjectIdentifier($0.entity.root) }
            .mapValues { Set($0.map(\.reference)) }
        for entry in waiting {
            let planned = plannedByTable[ObjectIdentifier(entry.change.entity.root)] ?? []
            let entity = try mapping(entry.change.entity)
            let before = found.count
            for constraint in UniqueConstraint.all(of: entry.change.entity) {
                let values = try self.values(of: constraint, entry: entry, entity: entity)
                guard !values.contains(.null) else { continue }
                let others = try rows(with: values, of: constraint, entity: entity)
                    .filter { $0 != entry.change.reference }
                let sameRoot = waiting.filter {
                    $0.change.entity.root === entry.change.entity.root && $0.change.reference != entry.change.reference
                }
                let clashes = try sameRoot.filter { other in
                    guard other.change.entity.isKind(of: constraint.entity) else { return false }
                    let entity = try mapping(other.change.entity)
                    return try self.values(of: constraint, entry: other, entity: entity) == values
                }.map(\.change.reference)
                guard !others.isEmpty || !clashes.isEmpty else { continue }
                let inPlan = others.filter(planned.contains)
                let references = ([entry.change.reference] + clashes + inPlan).sorted()
                let stored = others.first { !planned.contains($0) }
                let isKnown = found.contains {
                    $0.constraint.entity === constraint.entity && $0.constraint.names == constraint.names
                        && $0.references == references
                }
                if !isKnown {
                    found.append(Violation(constraint: constraint, references: references, stored: stored))
                }
            }
            let isExplained = found.count > before || found.contains { $0.references.contains(entry.change.reference) }
            guard isExplained else { throw entry.error }
        }
        return found
    }

    /// The row that has the unique values of a change which waits, and its entity.
    func holder(of entry: Waiting) throws -> (reference: Int64, entity: EntityLayout)? {
        let entity = try mapping(entry.change.entity)
        for constraint in UniqueConstraint.all(of: entry.change.entity) {
            let values = try self.values(of: constraint, entry: entry, entity: entity)
            guard !values.contains(.null),
                let reference = try rows(with: values, of: constraint, entity: entity)
                    .first(where: { $0 != entry.change.reference })
            else { continue }
            let sql = "SELECT Z_ENT FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            guard case .integer(let number)? = try connection.firstValue(sql, [.integer(reference)]),
                let found = store.entity(number: number), found.layout.root === entity.layout.root
            else { continue }
            return (reference, found.layout)
        }
        return nil
    }

    /// The values that a change gives, or leaves, to the columns of a constraint.
    private func values(
        of constraint: UniqueConstraint, entry: Waiting, entity: EntityMapping
    ) throws -> [SQLValue] {
        try constraint.slots.map { slot in
            if entry.isInsert || entry.change.slots.contains(slot.index) {
                return SQLValue(entry.change.value(slot.index))
            }
            guard let column = entity.column(slot) else { return .null }
            let sql =
                "SELECT \(SQLName.quotedIfNeeded(column.name)) FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            return try connection.firstValue(sql, [.integer(entry.change.reference)]) ?? .null
        }
    }

    private func rows(
        with values: [SQLValue], of constraint: UniqueConstraint, entity: EntityMapping
    ) throws -> [Int64] {
        let columns = constraint.slots.compactMap { entity.column($0)?.name }
        guard columns.count == values.count else { return [] }
        let conditions = columns.map { "\(SQLName.quotedIfNeeded($0))=?" }.joined(separator: " AND ")
        return try connection.rows(
            "SELECT Z_PK FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE \(conditions)", values
        ).compactMap { if case .integer(let reference) = $0[0] { reference } else { nil } }
    }
}

extension SQLValue {
    /// The value as it stands in a column of its own type, for comparisons.
    package init(_ value: PropertyValue) {
        self =
            switch value {
            case .null, .object, .transformed: .null
            case .integer(let integer): .integer(integer)
            case .double(let double): .real(double)
            case .string(let string): .text(string)
            case .uri(let url): .text(url.absoluteString)
            case .data(let data): .blob(data)
            case .uuid(let uuid): .blob(uuid.data)
            case .decimal(let box): SQLNumber.value(of: box.value)
            case .reference(let target): .integer(target.reference)
            }
    }
}

extension UUID {
    /// The 16 bytes in the order of the text form.
    var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
