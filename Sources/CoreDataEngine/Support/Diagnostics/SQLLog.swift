import Foundation

/// Writes what a store's connections do to the log, where `-com.apple.CoreData.SQLDebug` or `OPENCOREDATA_SQL_DEBUG` asks
/// for it.
package struct SQLLog: Sendable {
    /// How much is written. Each level has what the ones below have.
    package enum Level: Int, Sendable, Comparable {
        /// The text of each statement, without values, and how long it took.
        case statements = 1
        /// Which faults were filled from the store, and how many objects with them.
        case faults = 2
        /// The statements with the values they ran with. Values are the application's data: not for a log that others
        /// read.
        case values = 3
        /// The database's plan for each query, the first time a connection runs it.
        case plans = 4

        package static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
    }

    package let level: Level
    package let write: @Sendable (String) -> Void

    package init(level: Level, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.write = write
    }

    /// The setting that the program was started with; `nil` if it isn't set.
    package static let launched = launched(by: .current)

    static func launched(by settings: LaunchSettings) -> SQLLog? {
        guard let asked = settings.level(.sqlDebug), asked > 0 else { return nil }
        let level = Level(rawValue: min(asked, Level.plans.rawValue)) ?? .statements
        return SQLLog(level: level, write: DiagnosticLog.writer("OpenCoreData.SQL"))
    }

    // MARK: Lines

    private static let mostCharacters = 4_000

    /// Writes the text of a statement that has run, with how long that took.
    ///
    /// - Parameter note: What else there is to say of it, such as how many rows it gave.
    package func didRun(_ sql: String, nanoseconds: Int64, note: String = "") {
        write("sql: \(Self.shortened(sql)) (\(Self.seconds(nanoseconds))\(note))")
    }

    /// Writes a statement with the values that it ran with.
    package func didRun(expanded sql: String) { write("values: \(Self.shortened(sql))") }

    /// Writes one line of a plan.
    package func plan(_ detail: String, depth: Int) {
        write("plan: \(String(repeating: "  ", count: depth))\(detail)")
    }

    private static func shortened(_ sql: String) -> String {
        guard sql.utf8.count > mostCharacters else { return sql }
        return sql.prefix(mostCharacters) + "… (\(sql.utf8.count) bytes)"
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        let micro = max(0, nanoseconds) / 1_000
        let fraction = String(micro % 1_000_000)
        return "\(micro / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction) s"
    }
}
