#if PostgreSQL
    import Foundation
    import OpenCoreData

    extension PostgreSQLStore {
        /// Runs what may be done twice, on another connection if the first is lost.
        func reconnecting<Result>(_ runtime: PostgreSQLRuntime, _ body: () throws -> Result) throws -> Result {
            var losses = 0
            while true {
                do {
                    return try body()
                } catch let error as PostgreSQLError where error.kind == .connectionLost && !runtime.connections.isHeld
                {
                    losses += 1
                    guard losses <= Self.mostLosses else { throw error }
                }
            }
        }

        /// How often a save is carried out again whose connection was lost before the commit.
        private static let mostLosses = 2
        /// How long the server is asked what became of a commit, in seconds: it may be starting again, or another one may
        /// be taking its place.
        private static let longestSearch: Double = 20

        /// Carries a plan out on a connection of the pool, on another one if the first is lost.
        ///
        /// - Throws: `PostgreSQLError` of the kind `commitUnknown` when nobody can tell whether the plan was carried out.
        func carryOut(
            _ plan: SavePlan, metadata: [String: Any]?, runtime: PostgreSQLRuntime
        ) throws -> SaveExecutor.Outcome {
            var losses = 0
            while true {
                let token = UUID()
                var process: Int32 = 0
                do {
                    return try runtime.connections.with(isWriting: true) { connection in
                        process = connection.serverProcess
                        return try retrying {
                            try SaveExecutor(
                                plan, metadata: metadata, token: token, runtime: runtime, connection: connection
                            ).run()
                        }
                    }
                } catch let error as PostgreSQLError where error.kind == .connectionLost && !runtime.connections.isHeld
                {
                    let search = CommitSearch(token: token, process: process, plan: plan, runtime: runtime)
                    if error.mayBeCommitted, let outcome = try search.run(for: Self.longestSearch, after: error) {
                        return outcome
                    }
                    losses += 1
                    guard losses <= Self.mostLosses else { throw error }
                }
            }
        }
    }

    /// Finds out whether a transaction was committed whose answer was lost, by its token in the history.
    private struct CommitSearch {
        let token: UUID
        /// The process of the server that carried it out.
        let process: Int32
        let plan: SavePlan
        let runtime: PostgreSQLRuntime

        /// - Returns: What the save gave; nil when it was not committed, and won't be.
        /// - Throws: `PostgreSQLError` of the kind `commitUnknown`.
        func run(for seconds: Double, after loss: PostgreSQLError) throws -> SaveExecutor.Outcome? {
            // Metadata alone can be written again.
            if plan.inserts.isEmpty, plan.updates.isEmpty, plan.deletes.isEmpty { return nil }
            guard runtime.isRecording else {
                throw unknown(loss, "A store that records its history could have been asked.")
            }
            let end = ContinuousClock.now.advanced(by: .seconds(seconds))
            var pause = 0.02
            while true {
                do {
                    let connection = try runtime.connections.make()
                    defer { connection.close() }
                    return try look(connection)
                } catch let error as PostgreSQLError where error.isTransient || error.kind == .readOnly {
                    guard ContinuousClock.now < end else { throw unknown(loss, "\(error)") }
                    Thread.sleep(forTimeInterval: pause)
                    pause = min(0.5, pause * 2)
                }
            }
        }

        private func look(_ connection: PostgreSQLConnection) throws -> SaveExecutor.Outcome? {
            // What still runs there could be committed after the look.
            try connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid = $1::int4 "
                    + "AND pid <> pg_backend_pid() AND datname = current_database() AND usename = current_user "
                    + "AND application_name = current_setting('application_name')", values: [.int4(process)])
            let found = try connection.execute(
                "SELECT number FROM \(runtime.schema.qualified("ocd_transaction")) WHERE token = $1::uuid",
                values: [.uuid(token)])
            guard let number = try found.first?.integer(0) else { return nil }
            let executor = SaveExecutor(
                plan, metadata: nil, token: token, runtime: runtime, connection: connection)
            // What was computed got lost with the answer, and is the same when it is computed again.
            let derived = DerivedStatements(runtime, plan: plan)
            let statements = derived.statements.map(\.statement)
            let results = statements.isEmpty ? [] : try connection.pipeline([.begin] + statements + [.commit])
            return .saved(
                derived: try derived.changes(Array(results.dropFirst().prefix(statements.count)))
                    + executor.roundedDates(), transaction: number)
        }

        private func unknown(_ loss: PostgreSQLError, _ reason: String) -> PostgreSQLError {
            var error = loss
            error.kind = .commitUnknown
            error.message =
                "The connection to the database was lost while a save was being committed, and whether it was can't be "
                + "found out: read what was to be saved again. \(reason) \(loss.message)"
            return error
        }
    }
#endif
