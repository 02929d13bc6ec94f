#if PostgreSQL
import Foundation
import OpenCoreData

/// Finds out whether a transaction was committed whose answer was lost: by its token in the history, or by what the server
/// knows of its number, where that came back in time.
struct CommitSearch {
    let token: UUID
    /// The server process that executed it.
    let process: Int32
    /// What was saved; `nil` for the end of a transaction of several saves.
    let plan: SavePlan?
    let runtime: PostgreSQLRuntime

    /// - Returns: What the save gave; nil when it was not committed, and won't be.
    /// - Throws: `PostgreSQLError` of the kind `commitUnknown`.
    func run(for seconds: Double, after loss: PostgreSQLError) throws -> SaveExecutor.Outcome? {
        // Metadata alone can be written again.
        if let plan, plan.inserts.isEmpty, plan.updates.isEmpty, plan.deletes.isEmpty { return nil }
        guard runtime.isRecording || loss.transaction != nil else {
            throw unknown(loss, "The store doesn't record its history, which would show it.")
        }
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        var pause = 0.02
        while true {
            do {
                let connection = try runtime.connections.make()
                defer { connection.close() }
                if runtime.isRecording, let outcome = try lookInHistory(connection) { return outcome }
                try endOthers(connection)
                if runtime.isRecording { return try lookInHistory(connection) }
                return try askServer(loss, connection)
            } catch let error as PostgreSQLError where error.isTransient || error.kind == .readOnly {
                guard ContinuousClock.now < end else { throw unknown(loss, "\(error)") }
                Thread.sleep(forTimeInterval: pause)
                pause = min(0.5, pause * 2)
            }
        }
    }

    /// Ends what still runs there: it could be committed after the look.
    private func endOthers(_ connection: PostgreSQLConnection) throws {
        guard runtime.connections.options.pooling == .session else { return try waitForOthers(connection) }
        let ended = try connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid = $1::int4 "
                + "AND pid <> pg_backend_pid() AND datname = current_database() AND usename = current_user "
                + "AND application_name = current_setting('application_name')", values: [.int4(process)])
        if let row = ended.first, try row.integer(0) == 0 {
            throw PostgreSQLError(
                .timeout, "The server's process \(process) does not end.", location: runtime.location)
        }
    }

    /// Waits for all running transactions. Behind a pool, it isn't known which of them is the one.
    private func waitForOthers(_ connection: PostgreSQLConnection) throws {
        func border(_ name: String) throws -> Int64 {
            let sql = "SELECT pg_snapshot_\(name)(pg_current_snapshot())::text::int8"
            return try connection.execute(sql).first?.integer(0) ?? 0
        }
        let next = try border("xmax")
        for _ in 0..<100 {
            if try border("xmin") >= next { return }
            Thread.sleep(forTimeInterval: 0.02)
        }
        throw PostgreSQLError(.timeout, "Older transactions are still running.", location: runtime.location)
    }

    private func lookInHistory(_ connection: PostgreSQLConnection) throws -> SaveExecutor.Outcome? {
        let found = try connection.execute(
            "SELECT number FROM \(runtime.schema.qualified("ocd_transaction")) WHERE token = $1::uuid",
            values: [.uuid(token)])
        return try found.first.map { try outcome(connection, transaction: $0.integer(0)) }
    }

    private func askServer(
        _ loss: PostgreSQLError, _ connection: PostgreSQLConnection
    ) throws -> SaveExecutor.Outcome? {
        guard let mark = loss.transaction else { return nil }
        let current = try connection.execute(TransactionMark.lifeStatement).first?.string(0)
        // After a crash, or on another server, the same number may be that of another transaction.
        guard current == mark.life else { throw unknown(loss, "The server was restarted or replaced in the meantime.") }
        let answer = try connection.execute(
            "SELECT pg_xact_status($1::text::xid8)", values: [.text(mark.number)]
        ).first
        switch answer.flatMap({ $0.isNull(0) ? nil : $0.string(0) }) {
        case "committed": return try outcome(connection, transaction: nil)
        case "aborted": return nil
        case "in progress":
            throw PostgreSQLError(.timeout, "The transaction is still running.", location: runtime.location)
        default: throw unknown(loss, "The server no longer knows the transaction.")
        }
    }

    private func outcome(_ connection: PostgreSQLConnection, transaction: Int64?) throws -> SaveExecutor.Outcome {
        guard let plan else { return .saved(derived: [], transaction: transaction) }
        let executor = SaveExecutor(plan, metadata: nil, token: token, runtime: runtime, connection: connection)
        // What was computed got lost with the answer, and is the same when it is computed again.
        let derived = DerivedStatements(runtime, plan: plan)
        let statements = derived.statements.map(\.statement)
        let results = statements.isEmpty ? [] : try connection.pipeline([.begin] + statements + [.commit])
        return .saved(
            derived: try derived.changes(Array(results.dropFirst().prefix(statements.count)))
                + executor.storedValues(), transaction: transaction)
    }

    private func unknown(_ loss: PostgreSQLError, _ reason: String) -> PostgreSQLError {
        var error = loss
        error.kind = .commitUnknown
        error.message =
            "The connection to the database was lost during a commit, and it isn't known whether the save "
            + "was committed: read the saved objects again. \(reason) \(loss.message)"
        return error
    }
}

/// What a server knows a transaction by, as long as it is not started again.
struct TransactionMark: Sendable, Hashable {
    let number: String
    /// Differs after each start of the server, also after one that follows a crash.
    let life: String

    private static let lifeValue =
        "(pg_postmaster_start_time()::text || ' ' || COALESCE((SELECT stats_reset::text FROM pg_stat_bgwriter), ''))"

    static let lifeStatement = "SELECT \(lifeValue)"

    /// Returns the mark of the transaction in which it runs, at once.
    ///
    /// - Parameters:
    ///   - hasLife: Whether the statement also returns the server's life, or it is known.
    ///   - check: An expression that is also computed, and fails if the transaction has to.
    static func statement(
        hasLife: Bool, checking check: (value: String, parameters: PostgreSQLParameters)? = nil
    ) -> PostgreSQLStatement {
        let values = ["pg_current_xact_id()::text", hasLife ? lifeValue : "NULL::text", check?.value]
        var statement = PostgreSQLStatement(
            "SELECT \(values.compactMap { $0 }.joined(separator: ", "))",
            check?.parameters ?? PostgreSQLParameters())
        statement.isAnsweredAtOnce = true
        return statement
    }

    private static let withLife = statement(hasLife: true)
    private static let withoutLife = statement(hasLife: false)

    static func unchecked(hasLife: Bool) -> PostgreSQLStatement { hasLife ? withLife : withoutLife }

    /// - Parameter life: What is known of the server, where the row doesn't have it.
    init?(_ row: PostgreSQLRow?, life: String?) {
        guard let row, row.columnCount >= 2, !row.isNull(0),
            let life = row.isNull(1) ? life : row.string(1)
        else { return nil }
        number = row.string(0)
        self.life = life
    }
}

extension PostgreSQLConnection {
    /// Begins a save without history: returns the mark of its transaction, and fails for a retired version of the
    /// model. Only the first save of a connection asks for the server's life, which ends with the connection at the
    /// latest; with a pool in transaction mode, the next server may be another one.
    func mark(_ version: ModelVersions.Guard?) -> PostgreSQLStatement {
        let hasLife = serverLife == nil || options.pooling == .transaction
        guard let version else { return TransactionMark.unchecked(hasLife: hasLife) }
        return hasLife ? version.markWithLife : version.mark
    }

    /// Records the server's life from the answer to the mark.
    func recordLife(_ result: PostgreSQLResult) {
        if let row = result.first, row.columnCount >= 2, !row.isNull(1) { serverLife = row.string(1) }
    }
}
#endif
