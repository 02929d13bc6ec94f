import Dispatch
import Foundation

/// The queue of a context or a coordinator: one block at a time, in the order in which they came.
///
/// Unlike a queue of Dispatch it knows who waits for it and where that thread is inside of. Threads that would wait for each
/// other for good, each inside of a queue that another needs, are let through: see ``QueueWait``.
// @unchecked Sendable because `isBusy` and `jobs` are only touched under `QueueWait.lock`.
package final class SerialQueue: @unchecked Sendable {
    private enum Job {
        case block(() -> Void)
        case wait(QueueWait)
    }

    /// The queue of Dispatch on which blocks run that nobody waits for.
    private let worker: DispatchQueue
    let isMain: Bool
    private var isBusy = false
    private var jobs: [Job] = []
    /// How many of `jobs` have gone already.
    private var gone = 0

    /// Makes a queue of its own.
    init(label: String) {
        worker = DispatchQueue(label: label, qos: .userInitiated)
        isMain = false
    }

    private init() {
        worker = .main
        isMain = true
    }

    /// The main queue.
    static let main = SerialQueue()

    /// Runs a block later.
    func async(_ block: @escaping () -> Void) {
        let box = SendableBox(block)
        if isMain { return worker.async { box.value() } }
        QueueWait.lock.lock()
        let startsWork = !isBusy
        isBusy = true
        if !startsWork { jobs.append(.block(block)) }
        QueueWait.lock.unlock()
        if startsWork { worker.async { self.run(box) } }
    }

    /// Runs a block and those after it that nobody waits for.
    private func run(_ first: SendableBox<() -> Void>) {
        first.value()
        while let next = leave() { next.value() }
    }

    /// Runs a block when its turn comes, or at once where that would never come, and waits for it: on this thread, or for the
    /// main queue on the one that runs that.
    func sync<T>(_ caller: QueueFrame.Caller, _ block: () throws -> T) rethrows -> T {
        if isMain { return try visit(caller, block) }
        guard enter(caller) else { return try block() }
        defer { if let next = leave() { worker.async { self.run(next) } } }
        return try block()
    }

    private func visit<T>(_ caller: QueueFrame.Caller, _ block: () throws -> T) rethrows -> T {
        var result: Result<T, any Error>?
        QueueWait.visitMainQueue(caller) { result = Result { try block() } }
        func rethrow(_ body: () throws -> T) rethrows -> T { try body() }
        guard let result else { preconditionFailure("A visit of the main queue has ended without a result.") }
        return try rethrow { try result.get() }
    }

    /// Waits for the turn of a caller.
    ///
    /// - Returns: Whether there is a turn to be ended. Without one, whoever has the turn goes on only after the caller.
    private func enter(_ caller: QueueFrame.Caller) -> Bool {
        QueueWait.lock.lock()
        if !isBusy {
            isBusy = true
            QueueWait.lock.unlock()
            return true
        }
        if QueueWait.isHeldUp(self, by: caller) {
            QueueWait.lock.unlock()
            return false
        }
        let wait = QueueWait(caller, for: self)
        jobs.append(.wait(wait))
        QueueWait.lock.unlock()
        wait.untilGranted()
        return true
    }

    /// Ends a turn and gives the next one away.
    ///
    /// - Returns: The block that has it, for the worker.
    private func leave() -> SendableBox<() -> Void>? {
        QueueWait.lock.lock()
        defer { QueueWait.lock.unlock() }
        guard gone < jobs.count else {
            jobs.removeAll(keepingCapacity: jobs.count < 64)
            gone = 0
            isBusy = false
            return nil
        }
        let next = jobs[gone]
        jobs[gone] = .block({})
        gone += 1
        if gone >= 64, gone * 2 > jobs.count {
            jobs.removeFirst(gone)
            gone = 0
        }
        switch next {
        case .block(let block): return SendableBox(block)
        case .wait(let wait):
            wait.grant()
            return nil
        }
    }
}
