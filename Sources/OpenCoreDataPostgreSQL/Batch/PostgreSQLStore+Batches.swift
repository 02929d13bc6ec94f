#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore {
    package func insertRows(_ batch: BatchInsert) throws -> BatchOutcome {
        // The source supplies its rows only once, so the transaction can't be repeated.
        try inTransaction(isRepeatable: false) { work in
            try PostgreSQLBatchInsert(batch, work).run()
        }
    }

    package func updateRows(_ batch: BatchUpdate) throws -> BatchOutcome {
        try answering(batch.query) { query in
            var batch = batch
            batch.query = query
            return try inTransaction { work in
                var update = PostgreSQLBatchUpdate(batch, work)
                return try update.run()
            }
        } evaluating: { _ in
            throw PostgreSQLError(.other, "The request can't be executed in SQL.")
        }
    }

    package func deleteRows(_ batch: BatchDelete) throws -> BatchOutcome {
        guard case .query(let query) = batch.target else {
            return try translatingErrors(NSPersistentStoreSaveError) {
                try inTransaction { work in
                    var delete = PostgreSQLBatchDelete(batch, work, rowCache: rowCache)
                    return try delete.run()
                }
            }
        }
        return try answering(query) { query in
            var batch = batch
            batch.target = .query(query)
            return try inTransaction { work in
                var delete = PostgreSQLBatchDelete(batch, work, rowCache: rowCache)
                return try delete.run()
            }
        } evaluating: { _ in
            throw PostgreSQLError(.other, "The request can't be executed in SQL.")
        }
    }

    private func inTransaction(
        isRepeatable: Bool = true, _ body: (PostgreSQLBatchWork) throws -> BatchOutcome
    ) throws -> BatchOutcome {
        try translatingErrors(NSPersistentStoreSaveError) {
            let runtime = try writableRuntime()
            return try runtime.connections.with(isWriting: true) { connection in
                var number: Int64?
                func together() throws -> BatchOutcome {
                    try runtime.version?.check(connection)
                    let outcome = try body(
                        PostgreSQLBatchWork(store: self, runtime: runtime, connection: connection))
                    if runtime.isRecording {
                        number = try connection.execute(
                            "SELECT \(HistoryStatements.number(runtime.numberBase))"
                        ).first?.integer(0)
                    }
                    return outcome
                }
                func once() throws -> BatchOutcome {
                    // The rows that a predicate matched, evaluated in a snapshot, are changed outside of it.
                    if connection.savesTogether { return try together() }
                    if connection.transactionState != .none { connection.rollback() }
                    return try connection.transaction { try together() }
                }
                let outcome: BatchOutcome
                do {
                    outcome = try connection.namingBlockers(in: runtime.schema.name, after: {}) {
                        try runtime.namingConstraints(connection, after: {}) {
                            isRepeatable ? try retrying(once) : try once()
                        }
                    }
                } catch let error as PostgreSQLError where error.kind == .uniqueViolation {
                    throw error.cocoaError(NSManagedObjectConstraintMergeError)
                }
                if let number { feed.didCommit(number, isCached: false) }
                return outcome
            }
        }
    }
}

/// What the parts of a batch share while its transaction is open.
struct PostgreSQLBatchWork {
    let store: PostgreSQLStore
    let runtime: PostgreSQLRuntime
    let connection: PostgreSQLConnection

    var schema: PostgreSQLSchema { runtime.schema }
    var key: String { SQLName.quoted(PostgreSQLSchema.system.key) }
    var number: String { SQLName.quoted(PostgreSQLSchema.system.entity) }
    var version: String { SQLName.quoted(PostgreSQLSchema.system.version) }

    func mapping(_ entity: EntityLayout) throws -> EntityMapping {
        if let mapping = runtime.mapping[entity] { return mapping }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The entity \(entity.name) is not kept in this store.")
    }

    @discardableResult
    func run(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws -> PostgreSQLResult {
        try connection.execute(sql, parameters, isPrepared: false)
    }

    // MARK: History

    /// Begins the transaction in the history, where the store has one.
    func beginHistory(_ author: String?, _ contextName: String?) throws {
        guard runtime.isRecording else { return }
        let token = connection.together?.token ?? HistoryStatements.newToken()
        try connection.pipeline([HistoryStatements.transaction(author, contextName, token: token, runtime)])
    }

    /// Records changes of the rows that a select returns as `ocd_k` and `ocd_e`, in the order of their keys.
    func record(
        _ type: NSPersistentHistoryChangeType, _ rows: String, columns: [String]? = nil, tombstone: String = "NULL",
        _ given: PostgreSQLParameters = PostgreSQLParameters()
    ) throws {
        guard runtime.isRecording else { return }
        var parameters = given
        if let columns {
            try parameters.append(text: columns.joined(separator: ","))
        } else {
            parameters.appendNull(.text)
        }
        let changes = schema.qualified("ocd_change")
        let current = HistoryStatements.number(runtime.numberBase)
        try run(
            "INSERT INTO \(changes) (number, ordinal, type, entity, reference, columns, tombstone) "
                + "SELECT \(current), (SELECT COALESCE(MAX(ordinal), 0) FROM \(changes) WHERE number = \(current)) "
                + "+ row_number() OVER (ORDER BY x.ocd_e, x.ocd_k), \(type.rawValue), x.ocd_e, x.ocd_k, $\(parameters.count)::text, "
                + "\(tombstone) FROM (\(rows)) AS x", parameters)
    }

    /// Takes a transaction without changes out of the history.
    func endHistory() throws {
        guard runtime.isRecording else { return }
        let current = HistoryStatements.number(runtime.numberBase)
        try run(
            "DELETE FROM \(schema.qualified("ocd_transaction")) WHERE number = \(current) AND NOT EXISTS "
                + "(SELECT 1 FROM \(schema.qualified("ocd_change")) WHERE number = \(current))")
    }
}
#endif
