import Foundation

/// Writes what a store's connections do to the log, where `-com.apple.CoreData.SQLDebug` or `OPENCOREDATA_SQL_DEBUG` asks
/// for it.
struct SQLLog: Sendable {
    /// How much is written. Each level has what the ones below have.
    enum Level: Int, Sendable, Comparable {
        /// The text of each statement, without values, and how long it took.
        case statements = 1
        /// Which faults were filled from the store, and how many objects with them.
        case faults = 2
        /// The statements with the values they ran with. Values are the application's data: not for a log that others
        /// read.
        case values = 3
        /// SQLite's plan for each query, the first time a connection runs it.
        case plans = 4

        static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
    }

    let level: Level
    let write: @Sendable (String) -> Void

    init(level: Level, write: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.write = write
    }

    /// What the program was started with; nil when nobody asked.
    static let launched = launched(by: .current)

    static func launched(by settings: LaunchSettings) -> SQLLog? {
        guard let asked = settings.level(.sqlDebug), asked > 0 else { return nil }
        let level = Level(rawValue: min(asked, Level.plans.rawValue)) ?? .statements
        return SQLLog(level: level, write: DiagnosticLog.writer("OpenCoreData.SQL"))
    }
}
