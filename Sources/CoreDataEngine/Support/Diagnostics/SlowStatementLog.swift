import Foundation
import Synchronization

/// Logs statements that take long, with their plans and without values, but not more of them than a log can take.
///
/// Shared by the connections of a store; safe to use from any thread.
package final class SlowStatementLog: Sendable {
    private struct State {
        /// When the minute began that the numbers are of.
        var start: ContinuousClock.Instant?
        var written = 0
        var leftOut = 0
        /// Texts whose plans were logged in this minute.
        var explained: Set<String> = []
    }

    /// How many seconds are too many.
    package let limit: Double
    private let writeLine: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// How many are logged in a minute.
    package static let mostInAMinute = 30
    private static let mostCharacters = 4_000

    /// - Parameters:
    ///   - limit: How many seconds are too many.
    ///   - write: Writes a line.
    package init(
        limit: Double, write: @escaping @Sendable (String) -> Void = { DiagnosticLog.warn("OpenCoreData.SQL", $0) }
    ) {
        self.limit = limit
        writeLine = write
    }

    /// The limit of this program for stores whose options have none: `OPENCOREDATA_SLOW_STATEMENT`, in seconds.
    package static let launchedLimit = launchedLimit(ProcessInfo.processInfo.environment)

    package static func launchedLimit(_ environment: [String: String]) -> Double? {
        environment["OPENCOREDATA_SLOW_STATEMENT"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Logs a statement that took longer than the limit.
    ///
    /// - Parameters:
    ///   - note: What else there is to say of it, such as how many rows it gave.
    ///   - plan: Asks for the lines of its plan; `nil` for one that has none. It is asked once a minute for each text.
    package func write(
        _ sql: String, seconds: Double, note: String = "", at now: ContinuousClock.Instant = .now,
        plan: () -> [String]?
    ) {
        guard let (asksForPlan, leftOut) = admit(sql, now) else { return }
        let time = (seconds * 1_000).rounded() / 1_000
        var line = "A statement took \(time) s\(note): \(sql.prefix(Self.mostCharacters))"
        if asksForPlan, let plan = plan(), !plan.isEmpty { line += "\nIts plan: \(plan.joined(separator: "\n"))" }
        if leftOut > 0 { line += "\nIn the minute before, \(leftOut) more took too long." }
        writeLine(line)
    }

    /// - Returns: Whether to ask for the plan, and how many were left out before; `nil` for one that is left out.
    private func admit(_ sql: String, _ now: ContinuousClock.Instant) -> (asksForPlan: Bool, leftOut: Int)? {
        state.withLock { state in
            var leftOut = 0
            if state.start.map({ $0.duration(to: now) >= .seconds(60) }) ?? true {
                leftOut = state.leftOut
                state = State(start: now)
            }
            guard state.written < Self.mostInAMinute else {
                state.leftOut += 1
                return nil
            }
            state.written += 1
            return (state.explained.insert(sql).inserted, leftOut)
        }
    }
}
