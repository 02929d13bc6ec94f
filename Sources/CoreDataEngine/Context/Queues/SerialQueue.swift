import Dispatch
import Foundation

/// The queue of a context or a coordinator: one block at a time, in order of arrival.
///
/// Unlike a Dispatch queue, it knows which threads wait for it and which queues they are inside of. Threads that would
/// wait for each other forever, each inside of a queue that another needs, are let through: see ``QueueWait``. Each
/// queue has a lock of its own. Only threads that have to wait, and those that end their wait, take the lock that all
/// queues share.
// @unchecked Sendable because `state` is only touched under `lock`.
package final class SerialQueue: @unchecked Sendable {
    private enum Job: Sendable {
        case block(SendableBox<() -> Void>)
        case wait(QueueWait)
    }

    /// The thread whose turn it is.
    private enum Turn: Sendable {
        case free
        case block(SendableBox<() -> Void>)
        case wait(QueueWait)
    }

    private struct State: Sendable {
        var isBusy = false
        /// Whether the worker is asked to run the jobs and has not begun.
        var awaitsWorker = false
        var jobs: [Job] = []
        /// How many of `jobs` have gone already.
        var gone = 0

        var next: Job? { gone < jobs.count ? jobs[gone] : nil }

        /// Ends a turn and gives the next one away.
        mutating func advance() -> Turn {
            guard let next else {
                jobs.removeAll(keepingCapacity: jobs.count < 64)
                gone = 0
                isBusy = false
                return .free
            }
            jobs[gone] = .block(SendableBox {})
            gone += 1
            if gone >= 64, gone * 2 > jobs.count {
                jobs.removeFirst(gone)
                gone = 0
            }
            return switch next {
            case .block(let block): .block(block)
            case .wait(let wait): .wait(wait)
            }
        }
    }

    /// What became of a thread that wants the turn.
    private enum Entry {
        case entered
        /// The thread whose turn it is continues only after this one.
        case heldUp
        case waits(QueueWait)
    }

    /// The Dispatch queue that runs blocks without a waiting caller.
    private let worker: DispatchQueue
    let isMain: Bool
    /// Never held while `QueueWait.lock` is taken; the other way round it may be. A lock that ThreadSanitizer knows, unlike a
    /// `Mutex`: what blocks do one after the other is no race because of it.
    private let lock = NSLock()
    private var state = State()

    /// Creates a queue of its own.
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
        let begins = lock.withLock {
            state.jobs.append(.block(box))
            defer { state.isBusy = true }
            if !state.isBusy { state.awaitsWorker = true }
            return !state.isBusy
        }
        if begins { worker.async { self.beginWork() } }
    }

    /// Runs the blocks, unless another thread has begun to.
    private func beginWork() {
        let begins = lock.withLock {
            defer { state.awaitsWorker = false }
            return state.awaitsWorker
        }
        if begins { work() }
    }

    /// Runs the blocks on a new thread if no Dispatch thread has begun to. Dispatch has a limited number of threads
    /// (about 250), and all of them may wait for threads that wait for this queue.
    func helpOut() {
        guard !isMain, lock.withLock({ state.awaitsWorker }) else { return }
        let thread = Thread { self.beginWork() }
        thread.stackSize = Self.stackSize
        thread.qualityOfService = .userInitiated
        thread.start()
    }

    /// As much as Dispatch's threads have.
    private static let stackSize = 8 << 20

    /// Runs the blocks whose turn it is, until it is a waiting thread's turn or the queue is empty.
    private func work() {
        while true {
            switch lock.withLock({ state.advance() }) {
            case .free: return
            case .wait(let wait): return wait.end()
            case .block(let block):
                #if canImport(ObjectiveC)
                autoreleasepool { block.value() }
                #else
                block.value()
                #endif
            }
        }
    }

    /// Runs a block when its turn comes, or at once where that would never come, and waits for it: on this thread, or for the
    /// main queue on the one that runs that.
    func sync<T>(_ caller: QueueFrame.Caller, _ block: () throws -> T) rethrows -> T {
        if isMain { return try visit(caller, block) }
        guard enter(caller) else { return try block() }
        defer { leave() }
        return try block()
    }

    private func visit<T>(_ caller: QueueFrame.Caller, _ block: () throws -> T) rethrows -> T {
        var result: Result<T, any Error>?
        QueueWait.visitMainQueue(caller) { result = Result { try block() } }
        func rethrow(_ body: () throws -> T) rethrows -> T { try body() }
        guard let result else { programmerError("A visit of the main queue has ended without a result.") }
        return try rethrow { try result.get() }
    }

    /// Waits for the turn of a caller.
    ///
    /// - Returns: Whether there is a turn to end. If not, the thread whose turn it is continues only after the caller.
    private func enter(_ caller: QueueFrame.Caller) -> Bool {
        let isFree = lock.withLock {
            defer { state.isBusy = true }
            return !state.isBusy
        }
        return isFree || enterBehindOthers(caller)
    }

    @inline(never)
    private func enterBehindOthers(_ caller: QueueFrame.Caller) -> Bool {
        // To detect a cycle, a thread has to see all waiting threads, so looking and waiting are one step.
        let entry = QueueWait.lock.withLock {
            lock.withLock { () -> Entry in
                guard state.isBusy else {
                    state.isBusy = true
                    return .entered
                }
                if QueueWait.isHeldUp(self, by: caller) { return .heldUp }
                let wait = QueueWait(caller, for: self)
                state.jobs.append(.wait(wait))
                return .waits(wait)
            }
        }
        switch entry {
        case .entered: return true
        case .heldUp: return false
        case .waits(let wait):
            wait.untilGranted()
            return true
        }
    }

    /// Ends the turn of a thread that waited for it. A block that comes next keeps its place until the worker takes it.
    private func leave() {
        let turn = lock.withLock { () -> Turn in
            if case .block(let block) = state.next {
                state.awaitsWorker = true
                return .block(block)
            }
            return state.advance()
        }
        switch turn {
        case .free: return
        case .wait(let wait): wait.end()
        case .block: worker.async { self.beginWork() }
        }
    }
}
