#if !canImport(ObjectiveC)
import Synchronization
#endif

/// A closure behind a lock.
///
/// A `Mutex` of a bare closure is no such thing: what is generic takes a closure in another form than it has, and every
/// access, reading too, would put it back with one more layer around it.
package final class LockedHandler<Argument>: Sendable {
    private struct Handler: Sendable {
        let call: @Sendable (Argument) -> Void
    }

    private let stored: Mutex<Handler?>

    /// - Parameter handler: The closure. It is called outside of the lock.
    package init(_ handler: (@Sendable (Argument) -> Void)? = nil) {
        stored = Mutex(handler.map { Handler(call: $0) })
    }

    /// The closure of now.
    package var handler: (@Sendable (Argument) -> Void)? {
        get { stored.withLock { $0 }?.call }
        set {
            stored.exchange(newValue.map { Handler(call: $0) })
        }
    }
}
