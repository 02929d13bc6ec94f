#if canImport(ObjectiveC)
import CoreData

/// The main queue.
package enum MainQueue {
    package static var isCurrent: Bool { Thread.isMainThread }
}

/// Waits on the main thread, and runs blocks of the main queue in the meantime.
package enum QueueWait {
    /// What is waited for.
    package final class Signal: Sendable {
        private let isOver = Mutex(false)

        package init() {}

        /// Ends the wait.
        package func set() {
            isOver.withLock { $0 = true }
            RunLoop.main.perform {}
        }

        fileprivate var isSet: Bool { isOver.withLock { $0 } }
    }

    /// Waits. On the main thread.
    package static func wait(for signal: Signal) {
        while !signal.isSet {
            // A wake that came before this went to sleep is made up for soon.
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
        }
    }
}
#endif
