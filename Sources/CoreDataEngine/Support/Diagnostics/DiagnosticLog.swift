import Logging

/// Where diagnostics go: swift-log, so that the application decides what becomes of them.
package enum DiagnosticLog {
    /// Writes one line about something that nobody else is notified of and that work can go on without.
    ///
    /// - Parameter label: The logger's label, such as `OpenCoreData`.
    package static func warn(_ label: String, _ sentence: String) { writer(label, level: .warning)(sentence) }

    /// Writes one line about work that failed and that nobody else is notified of.
    package static func fail(_ label: String, _ sentence: String) { writer(label, level: .error)(sentence) }

    /// Makes what writes lines of one kind.
    ///
    /// - Parameter label: The logger's label, such as `OpenCoreData.SQL`.
    static func writer(_ label: String, level: Logger.Level = .info) -> @Sendable (String) -> Void {
        var logger =
            LaunchSettings.current.isOn(.standardError)
            ? Logger(label: label, factory: { StreamLogHandler.standardError(label: $0) }) : Logger(label: label)
        // Who asks for these lines wants to see them.
        if logger.logLevel > level { logger.logLevel = level }
        let made = logger
        return { made.log(level: level, "\($0)") }
    }
}
