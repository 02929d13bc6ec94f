#if PostgreSQL
import Foundation
import OpenCoreData

/// Executes a save plan step by step, after the fast way has failed because of a changed row or of unique values.
///
/// A row whose unique values are still used by a row that is about to change waits for the others.
final class CarefulSave: ConstrainedSave {
    private(set) var executor: SaveExecutor
    private var connection: PostgreSQLConnection { executor.connection }
    private var statements: SaveStatements { executor.statements }
    var plan: SavePlan { executor.statements.plan }
    private var conflicts: [(change: RowChange, isDelete: Bool)] = []
    var waiting: [WaitingChange] = []
    /// Rows that have other unique values for the moment, by the root of their entity.
    private var aside: [ObjectIdentifier: Set<Int64>] = [:]
    /// The same for rows of existing tables, whose versions can't be negative.
    private var cleared: [ObjectIdentifier: Set<Int64>] = [:]

    var hasConflicts: Bool { !conflicts.isEmpty }

    init(_ executor: SaveExecutor) { self.executor = executor }

    func run() throws -> SaveExecutor.Outcome {
        plan.whileWaiting?(nil)
        let current = try plan.orders.isEmpty ? [] : connection.pipeline(statements.currentOrders())
        var beginning = [connection.saveBeginning]
        if plan.waitsForTransactions, !connection.savesTogether {
            beginning.append(executor.runtime.transactionTurn)
        }
        try connection.pipeline(beginning)
        do {
            try executor.begin()
            let outcome = try write(current)
            if case .blocked = outcome { connection.rollbackSave() }
            return outcome
        } catch {
            connection.rollbackSave()
            throw error
        }
    }

    private func write(_ current: [PostgreSQLResult]) throws -> SaveExecutor.Outcome {
        if statements.schema.isExisting { try refuseComputedValues() }
        var number: Int64?
        if let history = try HistoryStatements(
            plan, token: executor.token, runtime: executor.runtime, follows: connection.savesTogether)
        {
            let results = try connection.pipeline([history.transaction] + history.changes())
            number = try results.first?.first?.integer(0)
        }
        try run(statements.deleteLinks())
        if statements.schema.isExisting { try writeExisting() } else { try writeRows() }
        try settleWaiting()
        guard conflicts.isEmpty, waiting.isEmpty else {
            return .blocked(conflicts: conflicts, violations: try violations())
        }
        try run(executor.rest(current))
        let derived = DerivedStatements(executor.runtime, plan: plan)
        let results = try connection.pipeline(derived.statements.map(\.statement))
        let changes =
            try statements.schema.isExisting
            ? storedRows() : derived.changes(results) + executor.storedValues()
        try SaveExecutor.requireEnd(connection.pipeline([connection.saveEnd]).last)
        return .saved(derived: changes, transaction: number)
    }

    private func writeRows() throws {
        for group in try statements.deleteGroups() { try delete(group) }
        try run(statements.traces())
        for group in try statements.updateGroups() { try write(group, isInsert: false) }
        for group in try statements.insertGroups() { try write(group, isInsert: true) }
    }

    /// Foreign keys of others are checked with each statement: what is referred to is there before, and goes after.
    private func writeExisting() throws {
        try run([PostgreSQLStatement("SET CONSTRAINTS ALL DEFERRED", isPrepared: false)])
        for group in try statements.insertGroups().sorted(by: { rank($0) < rank($1) }) {
            try write(group, isInsert: true)
        }
        for group in try statements.updateGroups() { try write(group, isInsert: false) }
        try run(statements.traces())
        for group in try statements.deleteGroups().sorted(by: { rank($0) > rank($1) }) { try delete(group) }
    }

    /// The server computes some columns; an object that has been given another value can't be saved.
    private func refuseComputedValues() throws {
        func check(_ change: RowChange, isInsert: Bool) throws {
            guard let entity = statements.schema.mapping[change.entity],
                let columns = statements.schema.existing[entity.table]?.columns
            else { return }
            let slots = change.slots.isEmpty && isInsert ? Array(change.entity.slots.indices) : change.slots
            for case let slot? in slots.map({ change.entity.slots[$0] }) where !slot.isTransient {
                guard let name = entity.column(slot)?.name, columns[name]?.isComputed == true else { continue }
                if isInsert {
                    let value = SQLValue(stored: change.value(slot.index))
                    if value == .null || value == SQLValue(stored: change.entity.defaults[slot.index]) { continue }
                }
                throw CoreDataError.make(
                    NSManagedObjectValidationError,
                    "\(slot.name) of \(change.entity.name) can't be set: the server computes the column \(name) of the table "
                        + "\(entity.table).", userInfo: [NSValidationKeyErrorKey: slot.name])
            }
        }
        for change in plan.inserts { try check(change, isInsert: true) }
        for change in plan.updates { try check(change, isInsert: false) }
    }

    private func rank(_ group: SaveStatements.Group) -> Int {
        statements.schema.existing[group.entity.table]?.rank ?? 0
    }

    private func delete(_ group: SaveStatements.Group) throws {
        let found = try keys(statements.deleteGivingKeys(group))
        guard group.checksVersion else { return }
        for change in group.changes where !found.contains(change.reference) { conflicts.append((change, true)) }
    }

    private func run(_ statements: [PostgreSQLStatement]) throws {
        if !statements.isEmpty { try connection.pipeline(statements) }
    }

    private func keys(_ statement: PostgreSQLStatement) throws -> Set<Int64> {
        var keys: Set<Int64> = []
        guard let result = try connection.pipeline([statement]).first else { return keys }
        try result.forEachRow { keys.insert(try $0.integer(0)) }
        return keys
    }

    // MARK: Rows

    private func write(_ group: SaveStatements.Group, isInsert: Bool) throws {
        if try attempt(group, isInsert: isInsert) == nil { return }
        for change in group.changes {
            var single = group
            single.changes = [change]
            guard let error = try attempt(single, isInsert: isInsert) else { continue }
            guard !UniqueConstraint.all(of: change.entity).isEmpty else { throw error }
            waiting.append(WaitingChange(change: change, isInsert: isInsert, error: error))
        }
    }

    private static let savepoint = PostgreSQLStatement("SAVEPOINT ocd_step", isPrepared: false)
    private static let release = PostgreSQLStatement("RELEASE SAVEPOINT ocd_step", isPrepared: false)
    private static let back = PostgreSQLStatement("ROLLBACK TO SAVEPOINT ocd_step", isPrepared: false)

    /// Writes rows, unless unique values are in the way.
    ///
    /// - Returns: The error of the server when they are; then nothing was written.
    private func attempt(_ group: SaveStatements.Group, isInsert: Bool) throws -> PostgreSQLError? {
        let statement = try isInsert ? statements.insertTogether(group) : statements.updateGivingKeys(group)
        try connection.pipeline([Self.savepoint])
        do {
            let back = try isInsert ? [] : group.changes.flatMap(putBack)
            let result = try connection.pipeline([statement] + back + [Self.release]).first
            guard !isInsert, let result else { return nil }
            var found: Set<Int64> = []
            try result.forEachRow { found.insert(try $0.integer(0)) }
            for change in group.changes where !found.contains(change.reference) {
                conflicts.append((change, false))
            }
            return nil
        } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
            try connection.pipeline([Self.back, Self.release])
            return error
        } catch var error as PostgreSQLError
            where error.table == nil && statements.schema.isExisting && error.sqlState?.hasPrefix("2") == true
        {
            // Of types and domains the server doesn't say which table it was.
            error.table = group.entity.table
            throw error
        }
    }

    // MARK: Unique values

    func retry(_ entry: WaitingChange) throws {
        var change = entry.change
        // Its version was compared when it was set aside.
        if isAside(change) || cleared[ObjectIdentifier(change.entity.root)]?.contains(change.reference) == true {
            change.version = -1
        }
        for group in try statements.groups([change], hasSlots: !entry.isInsert) {
            try write(group, isInsert: entry.isInsert)
        }
    }

    private func isAside(_ change: RowChange) -> Bool {
        aside[ObjectIdentifier(change.entity.root)]?.contains(change.reference) == true
    }

    /// Sets the row aside: its unique columns have values that no row has, and its version is negative until it gets its own
    /// values, which is what checks of limits go by.
    func clearUniqueColumns(of change: RowChange) throws {
        let entity = try statements.mapping(change.entity)
        let unique = Set(UniqueConstraint.all(of: change.entity).flatMap { $0.slots.map(\.index) })
        let fields = executor.runtime.forms.fields(of: entity, slots: change.slots.filter(unique.contains))
        guard !fields.isEmpty else { return }
        let table = statements.schema.qualified(entity.table)
        let columns = statements.schema.existing[entity.table]?.columns ?? [:]
        let members = fields.filter(\.isMember).map { (column: $0.column, value: "NULL::\($0.type.sqlName)") }
        let documents = statements.schema.existing[entity.table]?.assignments(members, alias: "t") ?? []
        var assignments = documents.map { "\(SQLName.quoted($0.column)) = \($0.value)" }
        assignments += fields.filter { !$0.isMember }.map { field in
            let isOptional = field.slot.isOptional && columns[field.column]?.isMandatory != true
            return "\(SQLName.quoted(field.column)) = \(isOptional ? "NULL" : field.unusedValue(in: table))"
        }
        var condition = "\(statements.schema.writtenKey(of: entity)) = $1::int8"
        var parameters = PostgreSQLParameters()
        parameters.append(int8: change.reference)
        if !statements.schema.isExisting {
            let version = SQLName.quoted(entity.system.version)
            assignments.append("\(version) = \(version) + \(Int32.min)")
            if change.checksVersion {
                condition += " AND \(version) = $2::int8"
                parameters.append(int8: change.version)
            }
            aside[ObjectIdentifier(change.entity.root), default: []].insert(change.reference)
        } else if let existing = statements.schema.existing[entity.table] {
            if change.checksVersion {
                condition += " AND \(existing.comparedVersion("t")) = $2::int8"
                parameters.append(int8: change.version)
            }
        }
        let statement = PostgreSQLStatement(
            "UPDATE \(table) AS t SET \(assignments.joined(separator: ", ")) WHERE \(condition)", parameters)
        guard statements.schema.isExisting else {
            if try connection.pipeline([statement]).first?.affectedCount == 0 { conflicts.append((change, false)) }
            return
        }
        try clearExistingRow(of: change, statement)
    }

    /// Runs the statement that sets a row of an existing table aside. If rules of the table forbid the unused values, the row keeps
    /// its own, and the save fails because of the values that are taken.
    private func clearExistingRow(of change: RowChange, _ statement: PostgreSQLStatement) throws {
        try connection.pipeline([Self.savepoint])
        do {
            let result = try connection.pipeline([statement, Self.release]).first
            if result?.affectedCount == 0 { return conflicts.append((change, false)) }
            cleared[ObjectIdentifier(change.entity.root), default: []].insert(change.reference)
        } catch let error as PostgreSQLError where error.sqlState?.hasPrefix("2") == true || error.sqlState == "42804" {
            try connection.pipeline([Self.back, Self.release])
        }
    }

    /// Gives a row that was set aside its version again.
    private func putBack(_ change: RowChange) throws -> [PostgreSQLStatement] {
        guard isAside(change) else { return [] }
        let entity = try statements.mapping(change.entity)
        let version = SQLName.quoted(entity.system.version)
        var parameters = PostgreSQLParameters()
        parameters.append(int8: change.reference)
        return [
            PostgreSQLStatement(
                "UPDATE \(statements.schema.qualified(entity.table)) SET \(version) = \(version) - (\(Int32.min)) "
                    + "WHERE \(SQLName.quoted(entity.system.key)) = $1::int8 AND \(version) < 0", parameters)
        ]
    }

    func values(of constraint: UniqueConstraint, _ entry: WaitingChange) throws -> [SQLValue] {
        let entity = try statements.mapping(entry.change.entity)
        return try constraint.slots.map { slot in
            guard let column = entity.column(slot) else { return .null }
            if entry.isInsert || entry.change.slots.contains(slot.index) {
                let value = entry.change.value(slot.index)
                return try slot.onlyElement(of: value) ?? SQLValue(stored: value)
            }
            var parameters = PostgreSQLParameters()
            parameters.append(int8: entry.change.reference)
            let result = try connection.execute(
                "SELECT \(SQLName.quoted(column.constrainedName)) FROM \(statements.schema.source(entity.table)) s "
                    + "WHERE \(SQLName.quoted(entity.system.key)) = $1::int8", parameters)
            return try result.first?.value(0) ?? .null
        }
    }

    func rows(with values: [SQLValue], of constraint: UniqueConstraint, entity: EntityLayout) throws -> [Int64] {
        let entity = try statements.mapping(entity)
        let columns = constraint.slots.compactMap { entity.column($0)?.constrainedName }
        guard columns.count == values.count else { return [] }
        let conditions = columns.map { column in
            let type = statements.schema.type(of: column, in: entity.table)
            return "\(SQLName.quoted(column)) = ?::\(NumberedStatement.name(of: type))"
        }
        let members = constraint.entity.subtree.compactMap { statements.store[$0]?.number }.map(String.init)
        let source =
            "SELECT \(SQLName.quoted(entity.system.key)) FROM \(statements.schema.source(entity.table)) s "
            + "WHERE \(conditions.joined(separator: " AND ")) "
            + "AND \(SQLName.quoted(entity.system.entity)) IN (\(members.joined(separator: ", "))) ORDER BY 1"
        let statement = try NumberedStatement(SQLQueryBuilder.Statement(sql: source, bindings: values)).statement
        return try keys(statement).sorted()
    }
}

extension SQLValue {
    /// A value as its column has it, with all digits.
    init(stored value: PropertyValue) {
        switch value {
        case .decimal(let box): self = box.value.isNaN ? .null : .text(box.value.description)
        case .double(let number):
            if number.isNaN { self = .null } else { self = .real(number) }
        default: self = SQLValue(value)
        }
    }
}
#endif
