import Logging

/// Where diagnostics go: swift-log, so that the application decides what becomes of them.
package enum DiagnosticLog {
    /// Logs a problem that isn't reported anywhere else and that doesn't stop the work.
    ///
    /// - Parameter label: The logger's label, such as `OpenCoreData`.
    package static func warn(_ label: String, _ sentence: String) { writer(label, level: .warning)(sentence) }

    /// Logs a failure that isn't reported anywhere else.
    package static func fail(_ label: String, _ sentence: String) { writer(label, level: .error)(sentence) }

    /// Makes what writes lines of one kind.
    ///
    /// - Parameter label: The logger's label, such as `OpenCoreData.SQL`.
    static func writer(_ label: String, level: Logger.Level = .info) -> @Sendable (String) -> Void {
        var logger =
            LaunchSettings.current.isOn(.standardError)
            ? Logger(label: label, factory: { StreamLogHandler.standardError(label: $0) }) : Logger(label: label)
        // These lines were turned on by a setting, so they have to appear.
        if logger.logLevel > level { logger.logLevel = level }
        let made = logger
        return { made.log(level: level, "\($0)") }
    }
}
