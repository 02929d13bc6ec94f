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
            } catch let error as PostgreSQLError where error.kind == .connectionLost && !runtime.connections.isHeld {
                runtime.references.forgetAll()
                losses += 1
                guard losses <= Self.mostLosses else { throw error }
            }
        }
    }

    /// How often a save is repeated whose connection was lost before the commit.
    private static let mostLosses = 2
    /// Replaces the token of a save that isn't recorded, because making a new one reads random bytes from the
    /// system.
    private static let tokenOfNone = UUID()
    /// How long the server is asked what became of a commit, in seconds: it may be starting again, or another one may
    /// be taking its place.
    static let longestSearch: Double = 20

    /// Executes a plan on a connection of the pool, or on another one if the first is lost.
    ///
    /// - Throws: `PostgreSQLError.commitUnknown` if the connection was lost before the server confirmed the commit.
    func carryOut(
        _ plan: SavePlan, metadata: [String: Any]?, runtime: PostgreSQLRuntime
    ) throws -> SaveExecutor.Outcome {
        var losses = 0
        while true {
            // Nothing but the history has it.
            var token = runtime.isRecording ? HistoryStatements.newToken() : Self.tokenOfNone
            var process: Int32 = 0
            do {
                return try runtime.connections.with(isWriting: true) { connection in
                    // The history has one for the transaction.
                    if let together = connection.together?.token { token = together }
                    process = connection.serverProcess
                    return try connection.namingBlockers(
                        in: runtime.schema.name, after: connection.rollbackSave
                    ) {
                        try retrying {
                            try runtime.namingConstraints(connection, after: connection.rollbackSave) {
                                try SaveExecutor(
                                    plan, metadata: metadata, token: token, runtime: runtime, connection: connection
                                ).run()
                            }
                        }
                    }
                }
            } catch let error as PostgreSQLError where error.kind == .connectionLost {
                runtime.references.forgetAll()
                let search = CommitSearch(token: token, process: process, plan: plan, runtime: runtime)
                if error.mayBeCommitted, let outcome = try search.run(for: Self.longestSearch, after: error) {
                    // Where the save was the end of a transaction, that is committed.
                    if runtime.connections.isHeld {
                        try runtime.connections.with(isWriting: true) { $0.together?.hasEnded = true }
                    }
                    return outcome
                }
                losses += 1
                // Who has a connection around the save gets the lost one again.
                guard losses <= Self.mostLosses, !runtime.connections.isHeld else { throw error }
            }
        }
    }
}
#endif
