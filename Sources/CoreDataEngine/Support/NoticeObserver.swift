import Dispatch
package import Foundation
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Listens to a notification until it is ended or gone.
///
/// Off Apple's platforms the notification center frees an observer's block inside of its own lock, which is not recursive:
/// a block that was the last to hold an object whose end comes back to the center would stop the program. So what the
/// center holds here never owns the handler, and an observer that goes leaves the center on another thread.
package final class NoticeObserver: Sendable {
    /// What the center's block asks for the handler.
    private let listener: LockedHandler<Notification>
    private let token: Mutex<SendableBox<(any NSObjectProtocol)?>>

    /// Begins to listen.
    ///
    /// - Parameter handler: Called on the thread that posts, while it posts.
    package init(
        _ name: Notification.Name, of object: AnyObject?, handler: @escaping @Sendable (Notification) -> Void
    ) {
        let listener = LockedHandler(handler)
        self.listener = listener
        token = Mutex(
            SendableBox(
                NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { notification in
                    listener.handler?(notification)
                }))
    }

    /// Stops listening.
    package func end() { takeToken().map(NotificationCenter.default.removeObserver) }

    deinit {
        guard let token = takeToken() else { return }
        let box = SendableBox(token)
        DispatchQueue.global(qos: .utility).async { NotificationCenter.default.removeObserver(box.value) }
    }

    /// Releases the handler, outside of all locks.
    private func takeToken() -> (any NSObjectProtocol)? {
        listener.handler = nil
        return token.exchange(SendableBox(nil)).value
    }
}
