#if PostgreSQL
import Foundation
import OpenCoreData

/// Executes a save plan on one connection.
///
/// First everything is sent as one pipeline, and the server checks the numbers of rows. If that fails because of
/// other rows, the plan is executed step by step, which finds the rows in conflict, or an order in which there is
/// none.
struct SaveExecutor {
    let runtime: PostgreSQLRuntime
    let connection: PostgreSQLConnection
    let statements: SaveStatements
    /// The metadata to write along; `nil` when the store has them.
    private(set) var metadata: [String: Any]?
    /// Says in the history whether the transaction was committed.
    let token: UUID

    enum Outcome {
        case saved(derived: [DerivedChange], transaction: Int64?)
        case blocked(conflicts: [(change: RowChange, isDelete: Bool)], violations: [FoundViolation])
    }

    init(
        _ plan: SavePlan, metadata: [String: Any]?, token: UUID, runtime: PostgreSQLRuntime,
        connection: PostgreSQLConnection
    ) {
        self.token = token
        self.runtime = runtime
        self.connection = connection
        self.metadata = metadata
        statements = SaveStatements(plan: plan, forms: runtime.forms, owners: runtime.owners)
    }

    /// - Parameter widenings: How many indexes may have to become others, one after the other.
    func run(widenings: Int = 8) throws -> Outcome {
        do {
            return try carryOut()
        } catch let error as PostgreSQLError where error.isTooLongForIndex && widenings > 0 {
            connection.rollbackSave()
            let plan = statements.plan
            try LongIndexedValues(runtime, plan.inserts + plan.updates).makeRoom(after: error, connection)
            return try run(widenings: widenings - 1)
        } catch let error as PostgreSQLError where error.kind == .foreignKeyViolation {
            connection.rollbackSave()
            // Inside of a larger transaction only its end shows what is in the way.
            guard !connection.savesTogether else { throw error }
            let conflicts = try runtime.owners.conflicts(of: statements.plan, runtime.schema, connection)
            guard !conflicts.isEmpty else { throw error }
            return .blocked(conflicts: conflicts, violations: [])
        }
    }

    private func carryOut() throws -> Outcome {
        // Another program may have changed the store's version since the statements were made.
        if metadata != nil || runtime.schema.isExisting { return try CarefulSave(self).run() }
        let plan = statements.plan
        let current = try plan.orders.isEmpty ? [] : connection.pipeline(statements.currentOrders())
        var pipeline = Pipeline()
        pipeline.add(connection.saveBeginning)
        if plan.waitsForTransactions, !connection.savesTogether { pipeline.add(runtime.transactionTurn) }
        let history = try HistoryStatements(
            plan, token: token, runtime: runtime, follows: connection.savesTogether)
        if history != nil, let version = runtime.version { pipeline.add(version.statement) }
        let numbering = try history.map { history in
            let index = pipeline.add(history.transaction)
            pipeline.add(try history.changes())
            return index
        }
        // What became of a commit whose answer is lost can then be asked.
        let mark = history == nil ? pipeline.add(connection.mark(runtime.version)) : nil
        pipeline.add(try statements.deleteLinks())
        for group in try statements.deleteGroups() { pipeline.add(try statements.delete(group)) }
        pipeline.add(try statements.traces())
        for group in try statements.updateGroups() {
            if let late = statements.lateUpdates(group, isFirst: pipeline.late.makers.isEmpty) {
                pipeline.add(late)
            } else {
                pipeline.add(try statements.update(group))
            }
        }
        for group in try statements.insertGroups() {
            if let late = statements.lateInserts(group, isFirst: pipeline.late.makers.isEmpty) {
                pipeline.add(late)
            } else {
                pipeline.add(try statements.insert(group))
            }
        }
        pipeline.add(try rest(current))
        let derived = DerivedStatements(runtime, plan: plan)
        let derivedIndexes = derived.statements.map { pipeline.add($0.statement) }
        let end = pipeline.add(connection.saveEnd)
        let endsTransaction = connection.together?.endsWithNextSave == true
        let commit = endsTransaction ? pipeline.add(.commit) : end
        // In the same round trip: who reads from replicas then needs not ask the primary.
        let asksPosition = runtime.connections.replicas != nil && (!connection.savesTogether || endsTransaction)
        let position = asksPosition ? pipeline.add(LogPosition.current) : nil
        var stored: [DerivedChange] = []
        var late = pipeline.late
        late.whileWaiting = {
            stored = storedValues()
            if derivedIndexes.isEmpty { plan.whileWaiting?(stored) }
        }
        let results: [PostgreSQLResult]
        do {
            results = try connection.pipeline(pipeline.statements, late)
        } catch let error as PostgreSQLError
            where Self.isAboutRows(error) && !(connection.savesTogether && connection.transactionState == .none)
        {
            connection.rollbackSave()
            // The server is in a state before that in which it reserved the keys.
            if Self.isAboutKeys(error), !runtime.schema.isExisting { runtime.references.forgetAll() }
            return try CarefulSave(self).run()
        } catch let error where !(error is PostgreSQLError) {
            // A value that can't be stored was found when others had been written.
            connection.rollbackSave()
            throw error
        }
        try Self.requireEnd(results[end])
        try Self.requireEnd(results[commit])
        if endsTransaction || !connection.savesTogether { CancellableRead.current?.becomeFinal() }
        if endsTransaction { connection.together?.hasEnded = true }
        if let mark { connection.recordLife(results[mark]) }
        if let position { connection.savedPosition = try savedPosition(results, position) }
        return .saved(
            derived: try derived.changes(derivedIndexes.map { results[$0] }) + stored,
            transaction: try numbering.flatMap { try results[$0].first?.integer(0) })
    }

    /// A cancellation that comes after the commit may have ended the question.
    private func savedPosition(_ results: [PostgreSQLResult], _ index: Int) throws -> LogPosition? {
        if results.indices.contains(index) { return LogPosition(results[index]) }
        return try connection.pipeline([LogPosition.current]).first.flatMap { LogPosition($0) }
    }

    /// Begins what is written step by step, in the transaction that writes it.
    mutating func begin() throws {
        try runtime.version?.check(connection)
        if let given = metadata {
            metadata = try StoreMetadata.withPresentVersion(
                given, runtime.schema.name, connection, location: runtime.location)
        }
    }

    /// Statements in the order in which they are sent.
    private struct Pipeline {
        var statements: [PostgreSQLStatement] = []
        /// How the values of some are made, which is done when they are sent.
        var late = LateParameters()

        @discardableResult
        mutating func add(_ statement: PostgreSQLStatement) -> Int {
            statements.append(statement)
            return statements.count - 1
        }

        mutating func add(_ statements: [PostgreSQLStatement]) { self.statements += statements }

        mutating func add(_ statements: [SaveStatements.Late]) {
            for statement in statements { late.makers[add(statement.statement)] = statement.parameters }
        }
    }

    /// What comes after the rows: pairs, hidden owners, orders and metadata.
    func rest(_ currentOrders: [PostgreSQLResult]) throws -> [PostgreSQLStatement] {
        var rest = try statements.insertLinks() + statements.hiddenOwners()
        rest += try statements.orders(currentOrders)
        if let metadata {
            rest.append(
                try StoreMetadata.statement(metadata, schema: runtime.schema.name, location: runtime.location))
        }
        return rest
    }

    static func requireEnd(_ result: PostgreSQLResult?) throws {
        guard let result, result.isCommit || result.command == "RELEASE" else {
            throw PostgreSQLError(.other, "The server rolled the transaction back instead of committing it.")
        }
    }

    /// Whether a row has the primary key of another. The server names the constraint by itself.
    private static func isAboutKeys(_ error: PostgreSQLError) -> Bool {
        error.kind == .uniqueViolation && error.constraint?.hasSuffix("_pkey") == true
    }

    /// Whether other rows are in the way of a save.
    private static func isAboutRows(_ error: PostgreSQLError) -> Bool {
        error.kind == .unexpectedRowCount || error.kind == .uniqueViolation
    }

    /// What rows have in place of what their objects would expect: dates that the server rounds, and versions of rows
    /// that were left alone.
    func storedValues() -> [DerivedChange] { roundedDates() + runtime.owners.versions(statements.plan) }

    /// The dates of the plan as the server has them, where that is not what was given.
    private func roundedDates() -> [DerivedChange] {
        var changes: [DerivedChange] = []
        func look(_ change: RowChange, _ slot: Int) {
            guard case .double(let seconds) = change.value(slot), seconds.isFinite,
                let microseconds = try? PostgreSQLDate.microseconds(
                    of: Date(timeIntervalSinceReferenceDate: seconds))
            else { return }
            let stored = PostgreSQLDate.secondsSinceReferenceDate(microseconds)
            guard stored != seconds else { return }
            changes.append(
                DerivedChange(
                    entity: change.entity, reference: change.reference, slot: slot, value: .double(stored)))
        }
        let plan = statements.plan
        var known: (entity: EntityLayout, slots: Set<Int>)?
        for change in plan.inserts {
            let slots: Set<Int>
            if let known, known.entity === change.entity {
                slots = known.slots
            } else {
                slots = runtime.dateSlots(of: change.entity)
                known = (change.entity, slots)
            }
            for slot in slots { look(change, slot) }
        }
        for change in plan.updates {
            let dates = runtime.dateSlots(of: change.entity)
            for slot in change.slots where dates.contains(slot) { look(change, slot) }
        }
        return changes
    }
}
#endif
