#if PostgreSQL
import Foundation
import OpenCoreData

/// Changes the rows of a batch, inside a transaction that the caller owns.
struct PostgreSQLBatchUpdate {
    private let batch: BatchUpdate
    private let work: PostgreSQLBatchWork
    private var evaluated = EvaluatedAssignments()
    private var derived: BatchDerivedRows

    init(_ batch: BatchUpdate, _ work: PostgreSQLBatchWork) {
        self.batch = batch
        self.work = work
        derived = BatchDerivedRows(work)
    }

    mutating func run() throws -> BatchOutcome {
        let entity = try work.mapping(batch.query.entity)
        let query = work.runtime.leavingOutStrays(batch.query)
        var update = try SQLUpdate(entity: entity, builder: work.runtime.builder, query: query)
        for change in batch.changes {
            try requireWritable(change.slot, of: entity)
            do {
                try set(change, in: &update, entity)
            } catch {
                guard try evaluated.take(change, work.runtime.builder, query) else { throw error }
            }
        }
        let columns = batch.changes.flatMap { names(of: $0, entity) }
        try work.beginHistory(batch.author, batch.contextName)
        let numbered = try NumberedStatement(statement(of: update, entity, columns))
        var rows: [ObjectReference] = []
        var keys: [Int64] = []
        let result = try run(numbered, entity)
        try result.forEachRow { row in
            let key = try row.integer(0)
            keys.append(key)
            guard batch.wantsReferences else { return }
            let index = work.runtime.mapping.layoutIndex(number: try row.integer(1)) ?? entity.layout.index
            rows.append(ObjectReference(reference: key, entityIndex: Int32(truncatingIfNeeded: index)))
        }
        if !evaluated.isEmpty { try writeEvaluated(keys, entity) }
        if !keys.isEmpty {
            try work.record(
                .update,
                "SELECT t.\(work.key) AS ocd_k, t.\(work.number) AS ocd_e FROM \(work.schema.qualified(entity.table)) t "
                    + "WHERE t.\(work.key) = ANY($1::int8[])",
                columns: batch.changes.map(\.slot.name), PostgreSQLStore.keys(keys))
        }
        derived.didUpdate(keys, root: entity.layout.root, table: entity.table, columns: columns)
        try derived.compute()
        try work.endHistory()
        return BatchOutcome(count: keys.count, references: rows.sorted { $0.reference < $1.reference })
    }

    /// In a save, what such an attribute was set to is ignored, and the object shows what the row has; here there would be
    /// nothing that shows it.
    private func requireWritable(_ slot: SlotLayout, of entity: EntityMapping) throws {
        guard let column = entity.column(slot)?.name,
            let reason = work.schema.existing[entity.table]?.columns[column]?.readOnlyReason
        else { return }
        throw BatchValueError.unacceptable(
            "\(slot.name) of \(slot.owner.name) can't be set: its column \(column) \(reason).", key: slot.name,
            value: nil)
    }

    /// Runs the statement that changes the rows, again if a value was too long for an index, which then takes it.
    ///
    /// - Parameter widenings: How many indexes may have to become others, one after the other.
    private func run(
        _ numbered: NumberedStatement, _ entity: EntityMapping, widenings: Int = 8
    ) throws -> PostgreSQLResult {
        let long = LongIndexedValues(work.runtime, batch.changes, of: entity)
        guard long.areThere, widenings > 0 else { return try work.run(numbered.sql, numbered.parameters) }
        let connection = work.connection
        try connection.pipeline([PostgreSQLConnection.savepoint])
        do {
            let result = try work.run(numbered.sql, numbered.parameters)
            try connection.pipeline([PostgreSQLConnection.releaseSavepoint])
            return result
        } catch let error as PostgreSQLError where error.isTooLongForIndex {
            try connection.pipeline([
                PostgreSQLConnection.rollbackToSavepoint, PostgreSQLConnection.releaseSavepoint,
            ])
            try long.makeRoom(after: error, connection)
            return try run(numbered, entity, widenings: widenings - 1)
        }
    }

    /// The columns that an assignment sets.
    private func names(of change: BatchAssignment, _ entity: EntityMapping) -> [String] {
        guard let column = entity.column(change.slot) else { return [] }
        if let leaf = change.leaf { return [column.leaves[leaf.index]] }
        return column.leaves.isEmpty ? [column.name] : column.leaves
    }

    /// The statement that changes the rows, and gives their keys and entities. Where derived attributes of others depend
    /// on what the rows had before, the rows are locked and those found first.
    private mutating func statement(
        of update: SQLUpdate, _ entity: EntityMapping, _ columns: [String]
    ) throws -> SQLQueryBuilder.Statement {
        guard let table = work.schema.existing[entity.table] else {
            var statement: SQLQueryBuilder.Statement
            if derived.dependsOnFormerValues(table: entity.table, columns: columns, root: entity.layout.root) {
                let locking = try NumberedStatement(update.values().statement)
                var keys: [String] = []
                try work.run(locking.sql, locking.parameters).forEachRow { keys.append(String(try $0.integer(0))) }
                let list = "(SELECT unnest('{\(keys.joined(separator: ","))}'::int8[]))"
                try derived.willChange(list, root: entity.layout.root)
                statement = update.statement(ofKeys: list)
            } else {
                statement = try update.statement()
            }
            statement.sql += " RETURNING \(work.key), \(work.number)"
            return statement
        }
        var (statement, columns) = try update.values()
        var assignments = table.assignments(
            columns.enumerated().map { ($0.element, "s.c\($0.offset)") }, alias: "x"
        ).map { "\(SQLName.quoted($0.column)) = \($0.value)" }
        if let version = table.version.map(SQLName.quoted) { assignments.append("\(version) = x.\(version) + 1") }
        let names = (["k"] + columns.indices.map { "c\($0)" }).joined(separator: ", ")
        let rows = "WITH s(\(names)) AS MATERIALIZED (\(statement.sql)) "
        // The server's own mark of a row's last change counts what nothing is set by as well, so nothing is changed then.
        statement.sql =
            assignments.isEmpty
            ? rows + "SELECT s.k, \(entity.number)::int8 FROM s"
            : rows + "UPDATE \(work.schema.qualified(table.name)) AS x SET \(assignments.joined(separator: ", ")) "
                + "FROM s WHERE x.\(SQLName.quoted(table.key)) = s.k "
                + "RETURNING x.\(SQLName.quoted(table.key)), \(entity.number)::int8"
        return statement
    }

    private func writeEvaluated(_ keys: [Int64], _ entity: EntityMapping) throws {
        let fields = try evaluated.assignments.map { change in
            guard let column = entity.column(change.slot) else {
                throw BatchValueError.unknown(change.slot.name, of: entity.layout)
            }
            let name = change.leaf.map { column.leaves[$0.index] } ?? column.name
            return ColumnValues.Field(
                slot: change.target, column: name, type: work.schema.type(of: name, in: entity.table), part: .value,
                json: work.schema.existing[entity.table]?.columns[name]?.json,
                isMember: work.schema.existing[entity.table]?.columns[name]?.member != nil)
        }
        let sql = SaveForms.assignment(of: fields, to: entity, work.schema)
        try evaluated.evaluate(keys, of: batch.query.entity, in: work.store) { rows in
            var parameters = PostgreSQLParameters()
            parameters.append(SaveStatements.array(rows.map(\.reference)))
            for (index, field) in fields.enumerated() {
                var column = ColumnValues(field, capacity: rows.count)
                for row in rows { try column.append(row.values[index], in: work.runtime.mapping) }
                parameters.append(column.builder)
            }
            try work.run(sql, parameters)
        }
    }

    private func set(_ change: BatchAssignment, in update: inout SQLUpdate, _ entity: EntityMapping) throws {
        guard let column = entity.column(change.slot) else {
            throw BatchValueError.unknown(change.slot.name, of: entity.layout)
        }
        guard column.leaves.isEmpty else { return try set(change, ofComposite: column, in: &update, entity) }
        switch change.value {
        case .expression(let expression): try update.set(change.slot, column, to: expression)
        case .constant(let value):
            try set(column.name, to: value, change.slot, in: &update, entity)
            guard let entityColumn = column.entityColumn else { return }
            var number = SQLValue.null
            if case .reference(let target) = value,
                let destination = work.runtime.mapping.entities[Int(target.entityIndex)]
            {
                number = .integer(destination.number)
            }
            update.set(entityColumn, to: "\(value: number)::int2" as SQLFragment)
        }
    }

    /// Sets a composite attribute or one of its elements.
    private func set(
        _ change: BatchAssignment, ofComposite column: ColumnMapping, in update: inout SQLUpdate,
        _ entity: EntityMapping
    ) throws {
        switch (change.value, change.leaf) {
        case (.constant(let value), let leaf?):
            try set(column.leaves[leaf.index], to: value, leaf, in: &update, entity)
        case (.expression(let expression), let leaf?):
            try update.set(leaf, ColumnMapping(name: column.leaves[leaf.index]), to: expression)
        case (.constant(let value), nil):
            var packed: Data?
            switch value {
            case .transformed(let box): packed = try change.slot.archived(box.value)
            case .data(let data): packed = data
            default: break
            }
            let values = packed.map(CompositeCoding.unpack) ?? []
            for (index, leaf) in column.leaves.enumerated() {
                let value = index < values.count ? values[index] : .null
                try set(leaf, to: value, change.slot.leaves[index], in: &update, entity)
            }
        case (.expression, nil): throw BatchValueError.unknown(change.slot.name, of: change.slot.owner)
        }
    }

    private func set(
        _ column: String, to value: PropertyValue, _ slot: SlotLayout, in update: inout SQLUpdate,
        _ entity: EntityMapping
    ) throws {
        var value = value
        if case .transformed(let box) = value { value = try slot.archived(box.value).map { .data($0) } ?? .null }
        try set(column, to: SQLValue(stored: value), slot, in: &update, entity)
    }

    private func set(
        _ column: String, to value: SQLValue, _ slot: SlotLayout, in update: inout SQLUpdate,
        _ entity: EntityMapping
    ) throws {
        if case .text(let string) = value, string.utf8.contains(0) {
            throw BatchValueError.unacceptable(
                "The value of \(slot.name) of \(slot.owner.name) has the character U+0000, which PostgreSQL can't store.",
                key: slot.name, value: string)
        }
        if case .blob(let data) = value,
            let problem = work.schema.existing[entity.table]?.columns[column]?.json?.problem(of: data)
        {
            throw BatchValueError.unacceptable(
                "The value of \(slot.name) of \(slot.owner.name) \(problem).", key: slot.name, value: nil)
        }
        if case .real(let number) = value, number.isInfinite,
            work.schema.existing[entity.table]?.columns[column]?.member != nil
        {
            throw BatchValueError.unacceptable(
                "The value of \(slot.name) of \(slot.owner.name) is infinite, which JSON has no number for.",
                key: slot.name,
                value: number)
        }
        let type = work.schema.type(of: column, in: entity.table)
        update.set(column, to: "\(value: value)::\(name: NumberedStatement.name(of: type))" as SQLFragment)
    }
}
#endif
