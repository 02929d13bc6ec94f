import Dispatch
package import Foundation

/// A thread that waits for a queue, and the queues that it is inside of.
///
/// Threads can come to wait in a cycle: the main thread for a child context, and a block of the child, which reads from
/// its parent, for the main queue. The thread that would close the cycle detects it here, and is let in: the thread
/// inside of the queue can't continue before it anyway. The main thread runs blocks for the main queue while it waits.
///
/// Only threads that have to wait come here, and those that end their wait. A free queue is entered by its own lock
/// alone.
// @unchecked Sendable because all that changes is only touched under `lock`; frames belong to a thread that waits.
package final class QueueWait: @unchecked Sendable {
    /// Says that what the main queue waits for is done.
    // @unchecked Sendable because `wait` is only touched under `lock`.
    package final class Signal: @unchecked Sendable {
        fileprivate let wait = QueueWait(QueueFrame.Caller(), for: nil, isParked: false)

        package init() {}

        /// Ends the wait.
        package func set() {
            wait.end()
        }
    }

    /// A block that wants to run on the main queue.
    // @unchecked Sendable because all of it is only touched under `lock`, but for `body`, which one thread takes.
    private final class Visit: @unchecked Sendable {
        let wait: QueueWait
        private var body: (() -> Void)?

        init(_ wait: QueueWait, _ body: @escaping () -> Void) {
            self.wait = wait
            self.body = body
        }

        /// Runs the block, and releases it before the waiting thread is notified.
        @inline(never)
        func run() {
            body?()
            body = nil
        }
    }

    package static let lock = NSLock()
    // Only touched under `lock`.
    nonisolated(unsafe) private static var parked: [QueueWait] = []
    // Only touched under `lock`.
    nonisolated(unsafe) private static var visits: [Visit] = []

    private let caller: QueueFrame.Caller
    /// What is waited for; `nil` for something of the application's own.
    private let target: SerialQueue?
    private let semaphore = DispatchSemaphore(value: 0)
    private var isGranted = false
    /// Whether the thread runs a visit and does not wait.
    private var isServing = false

    /// Notes a wait; to be called under the lock, unless it is not parked yet.
    init(_ caller: QueueFrame.Caller, for target: SerialQueue?, isParked: Bool = true) {
        self.caller = caller
        self.target = target
        if isParked { Self.parked.append(self) }
    }

    /// Ends the wait. The lock of no queue may be held.
    func end() {
        Self.lock.withLock { grant() }
    }

    /// Ends the wait; to be called under the lock.
    private func grant() {
        isGranted = true
        Self.parked.removeAll { $0 === self }
        semaphore.signal()
    }

    /// Whether a queue becomes free only after a caller has continued. Call it under the lock.
    ///
    /// Threads that wait for the main queue don't count, because a caller that waits there lets them in.
    static func isHeldUp(_ queue: SerialQueue, by caller: QueueFrame.Caller) -> Bool {
        if parked.isEmpty || !caller.isInsideOfAny { return false }
        var open = [queue]
        var known = Set([ObjectIdentifier(queue)])
        while let next = open.popLast() {
            for wait in parked where !wait.isServing && wait.caller.isInside(next) {
                guard let target = wait.target else { continue }
                if !target.isMain, caller.isInside(target) { return true }
                if known.insert(ObjectIdentifier(target)).inserted { open.append(target) }
            }
        }
        return false
    }

    /// Waits, and runs blocks of the main queue in the meantime that others need to continue.
    func untilGranted() {
        while true {
            Self.lock.lock()
            if isGranted {
                Self.lock.unlock()
                return
            }
            if let visit = takeVisit() {
                isServing = true
                Self.lock.unlock()
                visit.run()
                Self.lock.withLock {
                    isServing = false
                    visit.wait.grant()
                }
                continue
            }
            Self.lock.unlock()
            waitForSignal()
        }
    }

    /// Waits, and now and then sees to it that the queue's turn can come at all.
    private func waitForSignal() {
        guard let target, !target.isMain else { return semaphore.wait() }
        var milliseconds = 10
        while semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut {
            target.helpOut()
            milliseconds = min(2 * milliseconds, 160)
        }
    }

    private func takeVisit() -> Visit? {
        guard caller.isOnMainQueue, !Self.visits.isEmpty else { return nil }
        let index = Self.visits.firstIndex { visit in
            guard let target else { return true }
            return visit.wait.caller.isInside(target) || Self.isHeldUp(target, by: visit.wait.caller)
        }
        return index.map { Self.visits.remove(at: $0) }
    }

    /// Runs a block on the main queue, or on its thread while that waits for the caller, and waits for it.
    static func visitMainQueue(_ caller: QueueFrame.Caller, _ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            lock.lock()
            let visit = Visit(QueueWait(caller, for: .main), body)
            visits.append(visit)
            wakeMainQueue()
            lock.unlock()
            DispatchQueue.main.async {
                guard lock.withLock({ remove(visit) }) else { return }
                visit.run()
                visit.wait.end()
            }
            visit.wait.untilGranted()
        }
    }

    private static func remove(_ visit: Visit) -> Bool {
        guard let index = visits.firstIndex(where: { $0 === visit }) else { return false }
        visits.remove(at: index)
        return true
    }

    /// Has a main thread that waits look at the visits again; to be called under the lock.
    private static func wakeMainQueue() {
        for wait in parked where wait.caller.isOnMainQueue { wait.semaphore.signal() }
    }

    /// Waits on the main queue for an event of the application, and runs blocks of the queue in the meantime.
    package static func wait(for signal: Signal) {
        lock.withLock { if !signal.wait.isGranted { parked.append(signal.wait) } }
        signal.wait.untilGranted()
    }
}
