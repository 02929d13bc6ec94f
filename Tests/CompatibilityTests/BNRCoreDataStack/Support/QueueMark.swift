import BNRCoreDataStack
import Synchronization

/// Tells a queue when code runs on it.
final class QueueMark: Sendable {
    let queue: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    init(_ queue: DispatchQueue = DispatchQueue(label: "callbacks")) {
        self.queue = queue
        queue.setSpecific(key: key, value: true)
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
