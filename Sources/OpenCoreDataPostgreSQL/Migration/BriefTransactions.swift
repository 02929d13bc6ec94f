#if PostgreSQL
import Foundation

/// Transactions that need tables for a moment, and try again if others have them: who comes later waits in a queue behind them, so
/// they give up soon.
struct BriefTransactions {
    let connection: PostgreSQLConnection
    /// How long to try each of them.
    let patience: Duration
    /// Whether a transaction is open already that will be rolled back.
    var isSimulated = false

    /// How long to wait for a table at a time.
    static let lockTimeout = "100ms"

    func run(_ statements: [String]) throws {
        try run { for statement in statements { try connection.execute(statement, isPrepared: false) } }
    }

    @discardableResult
    func run<Result>(_ body: () throws -> Result) throws -> Result {
        guard !isSimulated else { return try body() }
        let end = ContinuousClock.now.advanced(by: patience)
        while true {
            do {
                return try connection.transaction(.beginReadCommitted) {
                    try connection.execute("SET LOCAL lock_timeout = '\(Self.lockTimeout)'", isPrepared: false)
                    return try body()
                }
            } catch let error as PostgreSQLError
                where (error.kind == .lockTimeout || error.kind == .deadlock) && ContinuousClock.now < end
            {
                Self.pause()
            }
        }
    }

    /// Runs a statement that can't be part of a transaction. It waits for others as long as a transaction is tried, and nothing
    /// waits for it.
    func runOutside(_ statement: String) throws {
        let milliseconds = max(1, Int64(patience / .milliseconds(1)))
        try connection.execute("SET lock_timeout = '\(milliseconds)ms'", isPrepared: false)
        defer { _ = try? connection.execute("RESET lock_timeout", isPrepared: false) }
        try connection.runScript(statement)
    }

    /// Programs that waited have their turn.
    static func pause() { Thread.sleep(forTimeInterval: Double.random(in: 0.05...0.3)) }
}
#endif
