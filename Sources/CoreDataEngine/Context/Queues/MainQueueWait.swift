import Dispatch
import Foundation

/// Lets code on the main queue wait for blocks of other contexts that need a main-queue context themselves.
///
/// They would wait for each other for good: the main queue for the block, and the block, which saves into or reads from
/// the main-queue context, for the main queue. Whoever waits here runs what others want to run on the main queue
/// meanwhile, for main-queue contexts with `admitsVisitors`.
package enum MainQueueWait {
    /// Says that what the main queue waits for is done.
    // @unchecked Sendable because `isSet` is only touched under `condition`.
    package final class Signal: @unchecked Sendable {
        fileprivate var isSet = false

        package init() {}

        /// Ends the wait.
        package func set() {
            condition.withLock {
                isSet = true
                condition.broadcast()
            }
        }
    }

    /// A block that wants to run on the main queue.
    // @unchecked Sendable because all of it is only touched under `condition`.
    private final class Visit: @unchecked Sendable {
        private var body: (() -> Void)?
        var isDone = false

        init(_ body: @escaping () -> Void) { self.body = body }

        /// Runs the block unless it ran already, and lets go of it before anybody hears of that.
        @inline(never)
        func run() {
            let body = condition.withLock {
                defer { self.body = nil }
                return self.body
            }
            body?()
        }

        func finish() {
            condition.withLock {
                isDone = true
                condition.broadcast()
            }
        }
    }

    private static let condition = NSCondition()
    // Only touched under `condition`.
    nonisolated(unsafe) private static var visits: [Visit] = []

    /// Runs a block on the main queue, or while code there waits in ``wait(for:)``, and waits for it.
    static func visit(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            let visit = Visit(body)
            condition.withLock {
                visits.append(visit)
                condition.broadcast()
            }
            DispatchQueue.main.async { admit(visit) }
            condition.lock()
            while !visit.isDone { condition.wait() }
            condition.unlock()
        }
    }

    /// Waits on the main queue, running visits meanwhile.
    package static func wait(for signal: Signal) {
        while true {
            condition.lock()
            while !signal.isSet, visits.isEmpty { condition.wait() }
            let next = visits.first
            let isSet = signal.isSet
            condition.unlock()
            if isSet { return }
            if let next { admit(next) }
        }
    }

    private static func admit(_ visit: Visit) {
        let isWaiting = condition.withLock {
            guard let place = visits.firstIndex(where: { $0 === visit }) else { return false }
            visits.remove(at: place)
            return true
        }
        guard isWaiting else { return }
        visit.run()
        visit.finish()
    }
}
