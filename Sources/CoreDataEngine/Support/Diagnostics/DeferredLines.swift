import Dispatch
import Foundation

/// Lines of the log that take longer to make than whoever causes them may wait: they are written one after the other by a
/// queue of their own. A program that ends waits for them.
enum DeferredLines {
    private static let isQueue = DispatchSpecificKey<Bool>()
    private static let queue: DispatchQueue = {
        let queue = DispatchQueue(label: "OpenCoreData.Diagnostics")
        queue.setSpecific(key: isQueue, value: true)
        atexit { DeferredLines.flush() }
        return queue
    }()

    /// Runs a block, which writes a line, after those that were added before.
    static func add(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

    /// Waits until what was added is written, but not for ever: the log is the application's.
    static func flush() {
        guard DispatchQueue.getSpecific(key: isQueue) != true else { return }
        let isWritten = DispatchSemaphore(value: 0)
        queue.async { isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .seconds(15))
    }
}
