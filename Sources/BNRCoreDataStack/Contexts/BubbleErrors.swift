import OpenCoreDataKit

/// Takes the errors of saves that nobody waits for.
final class BubbleErrors: Sendable {
    private let stored = LockedHandler<any Error>()

    /// What is called with them; they are logged when there is nothing.
    var handler: (@Sendable (any Error) -> Void)? {
        get { stored.handler }
        set { stored.handler = newValue }
    }

    func report(_ error: any Error) {
        if let handler { return handler(error) }
        DiagnosticLog.warn(
            "BNRCoreDataStack", "A save on its way to the store failed: \(DatabaseError.sentence(error))")
    }
}
