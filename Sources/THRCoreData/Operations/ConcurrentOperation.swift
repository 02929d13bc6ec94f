public import OpenCoreDataKit
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// An operation that continues after its beginning has returned, until it says that it is finished, and that has a
/// result.
///
/// Subclasses override ``run()`` and call ``finish()`` once, from any thread, when their work is done.
// @unchecked Sendable as the class above: what is added is guarded by a mutex. Subclasses promise the same.
open class ConcurrentOperation<Output: Sendable>: Operation, @unchecked Sendable {
    private enum Phase {
        case waiting
        case running
        case finished
    }

    private struct State {
        var phase = Phase.waiting
        var result: Result<Output, any Error>?
    }

    private let state = Mutex(State())

    /// What the operation comes to, to be set before ``finish()``.
    ///
    /// `nil` until it is finished, and afterwards if nothing was set, as in an operation that was cancelled.
    public var operationResult: Result<Output, any Error>? {
        get { state.withLock { $0.phase == .finished ? $0.result : nil } }
        set {
            // The old one goes outside of the lock: what it holds may come back here.
            let old = state.withLock { state in
                defer { state.result = newValue }
                return state.result
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Does the work, or begins it. Called once, on a thread of the queue, unless the operation was cancelled before.
    ///
    /// An override calls ``finish()`` in the end, also after an error. The implementation of the class logs a warning
    /// and finishes; don't call it.
    open func run() {
        DiagnosticLog.warn("THRCoreData", "\(type(of: self)) does not override run(), so it does nothing.")
        finish()
    }

    /// Says that the work is done. Later calls do nothing, and neither do earlier ones, before the operation runs.
    ///
    /// Set ``operationResult`` before. Operations that depend on this one can begin then.
    public func finish() { move(from: .running, to: .finished) }

    // MARK: Operation

    /// Begins the operation, or ends it if it was cancelled.
    ///
    /// Called by the operation queue. Calling it a second time does nothing.
    open override func start() {
        if isCancelled {
            move(from: .waiting, to: .finished)
        } else if move(from: .waiting, to: .running) {
            run()
        }
    }

    /// Whether the operation continues after ``start()`` has returned: it does.
    open override var isAsynchronous: Bool { true }
    /// Whether the operation has begun and is not finished.
    open override var isExecuting: Bool { state.withLock { $0.phase == .running } }
    /// Whether the operation is done.
    open override var isFinished: Bool { state.withLock { $0.phase == .finished } }

    /// Enters another phase, and announces that.
    ///
    /// - Returns: Whether the operation was in the phase before.
    @discardableResult
    private func move(from old: Phase, to new: Phase) -> Bool {
        let isNow = state.withLock { state in
            guard state.phase == old else { return false }
            state.phase = new
            return true
        }
        guard isNow else { return false }
        for (key, phase) in [("isExecuting", Phase.running), ("isFinished", .finished)]
        where [old, new].contains(phase) {
            willChangeValue(forKey: key)
            didChangeValue(forKey: key)
        }
        return true
    }
}
