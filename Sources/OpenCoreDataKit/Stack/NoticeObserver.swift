import Synchronization

/// Listens to a notification until it is ended or gone.
package final class NoticeObserver: Sendable {
    private let token: Mutex<SendableBox<(any NSObjectProtocol)?>>

    /// Begins to listen.
    ///
    /// - Parameter handler: Called on the thread that posts, while it posts.
    package init(
        _ name: Notification.Name, of object: AnyObject?, handler: @escaping @Sendable (Notification) -> Void
    ) {
        token = Mutex(
            SendableBox(
                NotificationCenter.default.addObserver(forName: name, object: object, queue: nil, using: handler)))
    }

    /// Stops listening.
    package func end() {
        let found = token.withLock { token in
            defer { token = SendableBox(nil) }
            return token
        }
        if let observer = found.value { NotificationCenter.default.removeObserver(observer) }
    }

    deinit { end() }
}
