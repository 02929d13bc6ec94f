import Synchronization

/// Notifies all listeners of the commits of a database.
package final class CommitHub: Sendable {
    private struct State {
        var isOver = false
        var next = 0
        var listeners: [Int: AsyncStream<Commit>.Continuation] = [:]
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

    /// Whether anybody listens.
    package var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Notifies of a commit.
    package func notify(_ commit: Commit) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(commit) }
    }

    /// Ends all streams.
    package func finish() {
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    deinit { finish() }
}
