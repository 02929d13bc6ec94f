import OpenCoreDataKit
import Synchronization

/// Takes the errors of saves that nobody waits for.
final class BubbleErrors: Sendable {
    private let stored = Mutex<(@Sendable (any Error) -> Void)?>(nil)

    /// What is called with them; they are logged when there is nothing.
    var handler: (@Sendable (any Error) -> Void)? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    func report(_ error: any Error) {
        if let handler { return handler(error) }
        DiagnosticLog.warn(
            "BNRCoreDataStack", "A save on its way to the store failed: \(DatabaseError.sentence(error))")
    }
}
