import Foundation

/// Finds out which uniqueness constraint delays changes, and which rows have the values.
extension SaveExecutor: ConstrainedSave {
    var hasConflicts: Bool { !conflicts.isEmpty }

    /// The row that has the unique values of a change which waits, and its entity.
    func holder(of entry: WaitingChange) throws -> (reference: Int64, entity: EntityLayout)? {
        let entity = try mapping(entry.change.entity)
        for constraint in UniqueConstraint.all(of: entry.change.entity) {
            let values = try self.values(of: constraint, entry)
            guard !values.contains(.null),
                let reference = try rows(with: values, of: constraint, entity: entry.change.entity)
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

    func values(of constraint: UniqueConstraint, _ entry: WaitingChange) throws -> [SQLValue] {
        let entity = try mapping(entry.change.entity)
        return try constraint.slots.map { slot in
            if entry.isInsert || entry.change.slots.contains(slot.index) {
                let value = entry.change.value(slot.index)
                return try slot.onlyElement(of: value) ?? SQLValue(value)
            }
            guard let column = entity.column(slot) else { return .null }
            let sql =
                "SELECT \(SQLName.quotedIfNeeded(column.constrainedName)) FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            return try connection.firstValue(sql, [.integer(entry.change.reference)]) ?? .null
        }
    }

    func rows(with values: [SQLValue], of constraint: UniqueConstraint, entity: EntityLayout) throws -> [Int64] {
        let entity = try mapping(entity)
        let columns = constraint.slots.compactMap { entity.column($0)?.constrainedName }
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
