#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Notifies all listeners of the commits of a database.
package final class CommitHub: Sendable {
    private struct State {
        var isOver = false
        var next = 0
        var listeners: [Int: AsyncStream<Commit>.Continuation] = [:]
        var handlers: [Int: @Sendable (Commit?) -> Void] = [:]
    }

    /// Ends the observation when it is released.
    package final class Token: Sendable {
        private let end: @Sendable () -> Void

        fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

        deinit { end() }
    }

    private let state = Mutex(State())

    package init() {}

    /// A new stream of all commits from now on.
    package func stream() -> AsyncStream<Commit> {
        let (stream, continuation) = AsyncStream.makeStream(of: Commit.self)
        let number: Int? = state.withLock { state in
            if state.isOver { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Calls a handler with all commits from now on, on the threads that notify of them, and once with `nil` at the end.
    ///
    /// - Returns: What ends that, to be kept; `nil` when there will be no more commits.
    package func add(_ handler: @escaping @Sendable (Commit?) -> Void) -> Token? {
        let number: Int? = state.withLock { state in
            if state.isOver { return nil }
            state.next += 1
            state.handlers[state.next] = handler
            return state.next
        }
        return number.map { number in
            Token { [weak self] in _ = self?.state.withLock { $0.handlers.removeValue(forKey: number) } }
        }
    }

    /// Whether anybody listens.
    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty || !$0.handlers.isEmpty } }

    /// Notifies of a commit.
    package func notify(_ commit: Commit) {
        let (listeners, handlers) = state.withLock { (Array($0.listeners.values), Array($0.handlers.values)) }
        for listener in listeners { listener.yield(commit) }
        for handler in handlers { handler(commit) }
    }

    /// Ends all streams.
    package func finish() {
        let (listeners, handlers) = state.withLock { state in
            state.isOver = true
            defer { (state.listeners, state.handlers) = ([:], [:]) }
            return (Array(state.listeners.values), Array(state.handlers.values))
        }
        for listener in listeners { listener.finish() }
        for handler in handlers { handler(nil) }
    }

    deinit { finish() }
}
