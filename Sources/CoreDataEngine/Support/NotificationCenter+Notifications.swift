#if !canImport(ObjectiveC)
public import Foundation

extension NotificationCenter {
    /// The notifications of a name as they are posted, as an asynchronous sequence.
    ///
    /// The sequence keeps notifications that are posted while the loop is busy. It doesn't have those from before the
    /// loop began.
    ///
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The sender, or `nil` for notifications of any sender.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    // Everything in it is immutable, and centers take observers from any thread.
    /// The notifications of a name as they are posted.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: AnyObject?

        init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
            self.center = center
            self.name = name
            self.object = object
        }

        /// Begins to observe. It ends when the iterator is released or its task is canceled.
        ///
        /// Each iterator observes on its own, so several loops get all notifications.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: SendableBox<Notification>.self)
            let observer = SendableBox(
                center.addObserver(forName: name, object: object, queue: nil) { notification in
                    continuation.yield(SendableBox(notification))
                })
            let center = SendableBox(center)
            continuation.onTermination = { _ in center.value.removeObserver(observer.value) }
            return Iterator(notifications: stream.makeAsyncIterator())
        }

        /// The position in a sequence of notifications.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var notifications: AsyncStream<SendableBox<Notification>>.Iterator

            /// Waits for the next notification; `nil` if the task is canceled.
            ///
            /// Notifications that were posted since the iterator was created come in order. They are posted on the
            /// thread of the sender, and received in the caller's task.
            public mutating func next() async -> Notification? { await next(isolation: #isolation) }

            /// Waits for the next notification on an actor; `nil` if the task is canceled.
            ///
            /// It does what `next()` does, on the given actor. `for await` calls it.
            ///
            /// - Parameter actor: The actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await notifications.next(isolation: actor)?.value
            }
        }
    }
}
#endif
