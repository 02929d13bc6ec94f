import Foundation

/// What the program was started with: Apple's launch arguments for Core Data, and the environment variables that say the
/// same where arguments are the application's own.
///
/// | Argument | Variable | Says |
/// | --- | --- | --- |
/// | `-com.apple.CoreData.SQLDebug 1…4` | `OPENCOREDATA_SQL_DEBUG` | logs SQL, see ``SQLLog/Level`` |
/// | `-com.apple.CoreData.MigrationDebug 1` | `OPENCOREDATA_MIGRATION_DEBUG` | logs the steps of a migration |
/// | `-com.apple.CoreData.ConcurrencyDebug 1` | `OPENCOREDATA_CONCURRENCY_DEBUG` | stops at a use on the wrong queue, reads of values in memory included; 0: such uses are not logged |
/// | `-com.apple.CoreData.Logging.stderr 1` | `OPENCOREDATA_LOG_STDERR` | logs to standard error, whatever swift-log does |
/// | none | `OPENCOREDATA_FAULT_MONITOR` | see ``FaultMonitor`` |
///
/// A variable goes before the argument.
struct LaunchSettings: Sendable {
    enum Setting: String {
        case sqlDebug = "SQLDebug"
        case migrationDebug = "MigrationDebug"
        case concurrencyDebug = "ConcurrencyDebug"
        case standardError = "Logging.stderr"
        case faultMonitor = "FaultMonitor"

        var argument: String { "-com.apple.CoreData." + rawValue }

        var variable: String {
            switch self {
            case .sqlDebug: "OPENCOREDATA_SQL_DEBUG"
            case .migrationDebug: "OPENCOREDATA_MIGRATION_DEBUG"
            case .concurrencyDebug: "OPENCOREDATA_CONCURRENCY_DEBUG"
            case .standardError: "OPENCOREDATA_LOG_STDERR"
            case .faultMonitor: "OPENCOREDATA_FAULT_MONITOR"
            }
        }
    }

    /// What this program was started with.
    static let current = LaunchSettings(
        environment: ProcessInfo.processInfo.environment, arguments: ProcessInfo.processInfo.arguments)

    private let environment: [String: String]
    private let arguments: [String]

    init(environment: [String: String], arguments: [String]) {
        self.environment = environment
        self.arguments = arguments
    }

    /// The level of a setting; 0 if it is off, `nil` if it isn't set.
    func level(_ setting: Setting) -> Int? {
        if let value = environment[setting.variable] { return Self.level(value) }
        guard let index = arguments.lastIndex(of: setting.argument), index + 1 < arguments.count else { return nil }
        return Self.level(arguments[index + 1])
    }

    func isOn(_ setting: Setting) -> Bool { (level(setting) ?? 0) > 0 }

    /// A number, or a word for yes or no as property lists have it.
    private static func level(_ string: String) -> Int {
        if let number = Int(string) { return max(0, number) }
        return ["", "no", "false", "off"].contains(string.lowercased()) ? 0 : 1
    }
}
