import CoreDataPlatform
import DequeModule
import Dispatch
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Lets no more operations on stores go on than there are connections for, first come, first served.
///
/// Those that wait are suspended tasks. Without it each would block a thread until a connection is free.
package final class Admission: Sendable {
    private struct Waiter {
        let number: Int
        let begin: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct State {
        var free: Int
        var next = 0
        var waiting: Deque<Waiter> = []
        /// Those that are about to wait, and whether they were cancelled before they did.
        var coming: [Int: Bool] = [:]
    }

    private let limit: Int
    private let timeout: Double?
    private let timeoutError: @Sendable (Int) -> any Error
    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: The number of operations that run at the same time.
    ///   - timeout: How long an operation waits, in seconds; `nil` means without limit.
    ///   - timeoutError: The error to throw after that time; receives the number of waiting operations.
    package init(limit: Int, timeout: Double?, timeoutError: @escaping @Sendable (_ waiting: Int) -> any Error) {
        self.limit = max(1, limit)
        self.timeout = timeout
        self.timeoutError = timeoutError
        state = Mutex(State(free: max(1, limit)))
    }

    /// How many operations wait.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits until the operation may begin. ``leave()`` ends it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, or the error of the timeout. The
    ///   operation hasn't begun then.
    package func enter() async throws {
        try Task.checkCancellation()
        guard let number = number() else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(Waiter(number: number) { continuation.resume(with: $0) })
            }
        } onCancel: {
            refuse(number, CancellationError())
        }
    }

    /// Waits until the operation may begin, and runs a block on a context's queue.
    ///
    /// When a block ends, the next one begins on its queue at once, without a thread of Swift's own. So a program whose
    /// tasks block all of these threads doesn't hold up others.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - body: The block.
    /// - Throws: The errors of ``enter()``, or the error of the block.
    package func perform<Value: Sendable>(
        with context: Context, _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let number = number()
        let caller = CallerScope.current
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let begin: @Sendable (Result<Void, any Error>) -> Void = { leave in
                    if case .failure(let error) = leave { return continuation.resume(throwing: error) }
                    context.perform {
                        // It may be begun by another one that ends.
                        caller.run {
                            let result = Result { try body(context) }
                            self.leave()
                            continuation.resume(with: result)
                        }
                    }
                }
                if let number { wait(Waiter(number: number, begin: begin)) } else { begin(.success(())) }
            }
        } onCancel: {
            if let number { refuse(number, CancellationError()) }
        }
    }

    /// Begins an operation as soon as it may: at once, or on the thread of one that ends. ``leave()`` ends it.
    ///
    /// - Parameters:
    ///   - first: Whether it goes before all others that wait; for operations that keep others waiting, of which there is
    ///     one at a time.
    ///   - cancellation: Ends the wait when it is set.
    ///   - begin: Begins it, unless it receives an error: `CancellationError`, or that of the timeout.
    func enter(
        first: Bool, cancellation: CancellationFlag, _ begin: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let number = number() else { return begin(.success(())) }
        cancellation.whenSet { [weak self] in self?.refuse(number, CancellationError()) }
        wait(Waiter(number: number, begin: begin), isFirst: first)
    }

    /// - Returns: The number of one that waits; `nil` for one that may begin.
    private func number() -> Int? {
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            state.next += 1
            state.coming[state.next] = false
            return state.next
        }
    }

    /// Lets the next one begin.
    package func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.begin(.success(()))
    }

    private func wait(_ waiter: Waiter, isFirst: Bool = false) {
        enum Answer { case begin, wait, cancelled }
        let answer: Answer = state.withLock { state in
            if state.coming.removeValue(forKey: waiter.number) == true { return .cancelled }
            // An operation may have ended since.
            if state.free > 0 {
                state.free -= 1
                return .begin
            }
            if isFirst { state.waiting.prepend(waiter) } else { state.waiting.append(waiter) }
            return .wait
        }
        switch answer {
        case .begin: waiter.begin(.success(()))
        case .cancelled: waiter.begin(.failure(CancellationError()))
        case .wait:
            guard let timeout else { return }
            let number = waiter.number
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { [weak self] in
                guard let self else { return }
                refuse(number, timeoutError(waitingCount))
            }
        }
    }

    /// Ends the waiting of one, if it waits still.
    private func refuse(_ number: Int, _ error: any Error) {
        let waiter = state.withLock { state -> Waiter? in
            if let index = state.waiting.firstIndex(where: { $0.number == number }) {
                return state.waiting.remove(at: index)
            }
            if state.coming[number] != nil { state.coming[number] = true }
            return nil
        }
        waiter?.begin(.failure(error))
    }
}
