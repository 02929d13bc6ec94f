import CSQLite
import Foundation

/// Changes the rows of a batch, inside a transaction that the caller owns.
final class BatchUpdateExecutor {
    private let batch: BatchUpdate
    private let work: BatchWork
    private let store: SQLiteStore
    private var evaluated = EvaluatedAssignments()
    /// Values that go to a file, for each row one of its own.
    private var largeValues: [(column: ColumnMapping, value: Data)] = []

    init(_ batch: BatchUpdate, _ work: BatchWork, store: SQLiteStore) {
        self.batch = batch
        self.work = work
        self.store = store
    }

    func run() throws -> BatchOutcome {
        do {
            return try update()
        } catch let error as SQLiteError where error.code == SQLITE_RANGE {
            throw BatchValueError.unfitting(error.message, of: batch.query.entity)
        }
    }

    private func update() throws -> BatchOutcome {
        let entity = try work.mapping(batch.query.entity)
        let external = batch.changes.compactMap { entity.column($0.slot) }.filter(\.isExternal)
        let builder = work.runtime.builder
        var query = batch.query
        query.leavesOutStrays = true
        var update = try SQLUpdate(entity: entity, builder: builder, query: query)
        for change in batch.changes {
            do {
                try set(change, in: &update, entity)
            } catch {
                guard try evaluated.take(change, builder, query) else { throw error }
            }
        }
        guard batch.wantsReferences || work.history != nil || !external.isEmpty || !evaluated.isEmpty else {
            let statement = try update.statement()
            return BatchOutcome(count: try work.connection.run(statement.sql, statement.bindings))
        }
        let rows = try BatchRowTable(work)
        let selection = try builder.rows(query) { BatchRowTable.columns(alias: $0, root: query.entity) }
        try rows.add(selection.sql, selection.bindings)
        try recordReplacedFiles(entity, external)
        let statement = update.statement(ofKeys: BatchRowTable.keys(of: batch.query.entity))
        var outcome = BatchOutcome(count: try work.connection.run(statement.sql, statement.bindings))
        try writeLargeValues(entity, rows)
        if !evaluated.isEmpty { try writeEvaluated(entity, rows) }
        try writeHistory(rows)
        if batch.wantsReferences { outcome.references = try rows.references() }
        try rows.empty()
        return outcome
    }

    private func set(_ change: BatchAssignment, in update: inout SQLUpdate, _ entity: EntityMapping) throws {
        guard let column = entity.column(change.slot) else {
            throw BatchValueError.unknown(change.slot.name, of: entity.layout)
        }
        guard column.leaves.isEmpty else { return try set(change, ofComposite: column, in: &update) }
        switch change.value {
        case .expression(let expression): try update.set(change.slot, column, to: expression)
        case .constant(let value):
            update.set(column.name, to: try stored(value, change.slot, column))
            guard let entityColumn = column.entityColumn else { return }
            var number: SQLValue = .null
            if case .reference(let target) = value,
                let destination = work.runtime.mapping.entities[Int(target.entityIndex)]
            {
                number = .integer(destination.number)
            }
            update.set(entityColumn, to: number)
        }
    }

    /// Sets a composite attribute or one of its elements.
    private func set(_ change: BatchAssignment, ofComposite column: ColumnMapping, in update: inout SQLUpdate) throws {
        switch (change.value, change.leaf) {
        case (.constant(let value), let leaf?): update.set(column.leaves[leaf.index], to: try leaf.stored(value))
        case (.expression(let expression), let leaf?):
            try update.set(leaf, ColumnMapping(name: column.leaves[leaf.index]), to: expression)
        case (.constant(let value), nil):
            var packed: Data?
            if case .transformed(let box) = value { packed = try change.slot.archived(box.value) }
            let values = packed.map(CompositeCoding.unpack) ?? []
            for (index, leaf) in column.leaves.enumerated() {
                update.set(leaf, to: index < values.count ? values[index] : .null)
            }
        case (.expression, nil): throw BatchValueError.unknown(change.slot.name, of: change.slot.owner)
        }
    }

    private func stored(_ value: PropertyValue, _ slot: SlotLayout, _ column: ColumnMapping) throws -> SQLValue {
        var value = value
        if case .transformed(let box) = value, let attribute = slot.attribute {
            value = .data(try TransformableCoding.encode(box.value, attribute: attribute))
        }
        guard column.isExternal, case .data(let data) = value else { return SQLValue(value) }
        guard data.count < ExternalData.threshold else {
            largeValues.append((column, data))
            return .null
        }
        return .blob(try work.files.encode(data))
    }

    private func recordReplacedFiles(_ entity: EntityMapping, _ columns: [ColumnMapping]) throws {
        for column in columns {
            let sql =
                "SELECT \(SQLName.quotedIfNeeded(column.name)) FROM \(SQLName.quotedIfNeeded(entity.table)) "
                + "WHERE Z_PK IN \(BatchRowTable.keys(of: entity.layout))"
            try work.forEachRow(sql) { work.files.recordReplaced($0.value(at: 0)) }
        }
    }

    private func writeLargeValues(_ entity: EntityMapping, _ rows: BatchRowTable) throws {
        for (column, data) in largeValues {
            let sql =
                "UPDATE \(SQLName.quotedIfNeeded(entity.table)) SET \(SQLName.quotedIfNeeded(column.name))=? WHERE Z_PK=?"
            try rows.visit { _, reference in
                try work.connection.run(sql, [.blob(try work.files.encode(data)), .integer(reference)])
            }
        }
    }

    private func writeEvaluated(_ entity: EntityMapping, _ rows: BatchRowTable) throws {
        let columns = try evaluated.assignments.map { try name(of: $0, entity) }
        let assignments = columns.map { "\(SQLName.quotedIfNeeded($0))=?" }.joined(separator: ", ")
        let sql = "UPDATE \(SQLName.quotedIfNeeded(entity.table)) SET \(assignments) WHERE Z_PK=?"
        let references = try rows.references().map(\.reference)
        try evaluated.evaluate(references, of: batch.query.entity, in: store) { rows in
            for row in rows {
                let values = try zip(evaluated.assignments, row.values).map { change, value in
                    try change.leaf.map { try $0.stored(value) } ?? SQLValue(value)
                }
                try work.connection.run(sql, values + [.integer(row.reference)])
            }
        }
    }

    /// The name of the column that an assignment sets.
    private func name(of change: BatchAssignment, _ entity: EntityMapping) throws -> String {
        guard let column = entity.column(change.slot) else {
            throw BatchValueError.unknown(change.slot.name, of: entity.layout)
        }
        guard !column.isExternal else {
            throw BatchValueError.unacceptable(
                "'\(change.slot.name)' of the entity \(entity.layout.name) can't be computed in a store.",
                key: change.slot.name, value: nil)
        }
        return change.leaf.map { column.leaves[$0.index] } ?? column.name
    }

    private func writeHistory(_ rows: BatchRowTable) throws {
        guard let history = work.history else { return }
        let names = batch.changes.map(\.slot.name)
        try rows.visit { entity, reference in
            try history.add(.update, entity, reference: reference, names: names)
        }
    }
}
