import Foundation

/// Writes the steps of migrations to the log, where `-com.apple.CoreData.MigrationDebug` or
/// `OPENCOREDATA_MIGRATION_DEBUG` asks for it.
enum MigrationLog {
    private static let writer: (@Sendable (String) -> Void)? =
        LaunchSettings.current.isOn(.migrationDebug) ? DiagnosticLog.writer("OpenCoreData.Migration") : nil

    /// Logs a step. The message is built only if logging is on.
    static func record(_ step: @autoclosure () -> String) {
        if let writer { writer("migration: \(step())") }
    }

    /// An error in words.
    static func reason(_ error: any Error) -> String {
        (error as? CocoaError)?.userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
    }
}
