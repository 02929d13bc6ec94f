import CoreDataPlatform

/// Reports errors of work that no caller awaits: to a handler, or to the log if there is no handler.
package final class UnawaitedErrors: Sendable {
    private let stored: LockedHandler<any Error>
    private let label: String
    private let work: String

    /// - Parameters:
    ///   - label: The label in the log.
    ///   - work: What the line in the log begins with, before the error's sentence.
    ///   - handler: What is called with the errors.
    package init(label: String, _ work: String, handler: (@Sendable (any Error) -> Void)? = nil) {
        self.label = label
        self.work = work
        stored = LockedHandler(handler)
    }

    /// What is called with the errors, where they happened.
    package var handler: (@Sendable (any Error) -> Void)? {
        get { stored.handler }
        set { stored.handler = newValue }
    }

    /// Reports an error.
    package func report(_ error: any Error) {
        if let handler { return handler(error) }
        DiagnosticLog.fail(label, "\(work): \(DatabaseError.sentence(error))")
    }
}
