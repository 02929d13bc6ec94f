import Dispatch
import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Something that one thread waits for and another brings.
///
/// On the main queue, blocks that need the main context themselves are let in while it waits.
final class Arrival<Value: Sendable>: Sendable {
    private let isOnMainQueue = MainQueue.isCurrent
    private let signal = QueueWait.Signal()
    private let semaphore = DispatchSemaphore(value: 0)
    private let value = Mutex<Value?>(nil)

    /// Brings it.
    func set(_ newValue: Value) {
        value.withLock { $0 = newValue }
        if isOnMainQueue { signal.set() } else { semaphore.signal() }
    }

    /// Waits for it, on the thread that made the arrival.
    func wait() -> Value {
        if isOnMainQueue { QueueWait.wait(for: signal) } else { semaphore.wait() }
        guard let arrived = value.withLock({ $0.take() }) else {
            programmerError("What was waited for has come without a value.")
        }
        return arrived
    }
}
