import Foundation

#if canImport(Logging)
    import Logging
#endif

/// Writes each statement to the log when the environment has `OPENCOREDATA_SQL_DEBUG=1`, or the program was started with
/// Apple's argument `-com.apple.CoreData.SQLDebug 1`. Values are not part of a statement's text and so never logged.
enum SQLDebugLog {
    /// Logs a statement; nil when nobody asked for it.
    static let recorder: (@Sendable (String) -> Void)? = {
        guard isAsked(environment: ProcessInfo.processInfo.environment, arguments: ProcessInfo.processInfo.arguments)
        else { return nil }
        #if canImport(Logging)
            let logger = Logger(label: "OpenCoreData.SQL")
            return { logger.info("\($0)") }
        #else
            return nil
        #endif
    }()

    /// Both recorders in one, or the one that there is.
    static func joined(
        with other: (@Sendable (String) -> Void)?
    ) -> (@Sendable (String) -> Void)? {
        guard let recorder else { return other }
        guard let other else { return recorder }
        return { sql in
            recorder(sql)
            other(sql)
        }
    }

    static func isAsked(environment: [String: String], arguments: [String]) -> Bool {
        if let value = environment["OPENCOREDATA_SQL_DEBUG"] { return value != "0" && !value.isEmpty }
        guard let index = arguments.firstIndex(of: "-com.apple.CoreData.SQLDebug"), index + 1 < arguments.count else {
            return false
        }
        return (Int(arguments[index + 1]) ?? 0) > 0
    }
}
