#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Whether the task of a block was cancelled, for the block's thread.
final class CancellationFlag: Sendable {
    private struct State {
        var isSet = false
        var action: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let reads: StoppableReads?

    /// - Parameter stopsStatements: Whether a statement that runs ends as well. Those of files are short, and reading them is
    ///   quicker where it need not be.
    init(stopsStatements: Bool) { reads = stopsStatements ? StoppableReads() : nil }

    func set() {
        let action = state.withLock { state in
            state.isSet = true
            defer { state.action = nil }
            return state.action
        }
        action?()
        reads?.stop()
    }

    /// Calls an action, in place of the one before, when the flag is set: at once, or on the thread that sets it.
    func whenSet(_ action: @escaping @Sendable () -> Void) {
        let isSet = state.withLock { state in
            if !state.isSet { state.action = action }
            return state.isSet
        }
        if isSet { action() }
    }

    private var isSet: Bool { state.withLock { $0.isSet } }

    /// - Throws: `CancellationError`.
    func check() throws { if isSet { throw CancellationError() } }

    /// Runs a block on this thread, whose statements may end when the task is cancelled.
    ///
    /// - Throws: What the block throws; `CancellationError` when the task was cancelled.
    func stopping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            try check()
            let result = try reads?.run(body) ?? body()
            try check()
            return result
        } catch {
            try check()
            throw error
        }
    }

    /// Runs a transaction on this thread, whose statements may end until it is committed when the task is cancelled.
    func stoppingUntilCommitted<Result>(_ body: () throws -> Result) throws -> Result {
        try reads?.runUntilCommitted(body) ?? body()
    }

    /// Whether an error means that the cancellation has ended a statement.
    func isCause(of error: any Error) -> Bool {
        guard isSet, let error = error as? CocoaError else { return false }
        if error.code == .userCancelled { return true }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(isCause) ?? false
    }
}
