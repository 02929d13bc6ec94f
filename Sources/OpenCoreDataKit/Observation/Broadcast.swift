import Foundation
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Sends each element to all of its streams.
///
/// Elements may be managed objects, which belong to their context's queue. They are passed on as they are, because each
/// stream's documentation requires that it is read on that queue.
package final class Broadcast<Element>: Sendable {
    private struct Listener: Sendable {
        let number: Int
        let continuation: AsyncStream<Element>.Continuation
    }

    private struct State {
        var listeners: [Listener] = []
        var next = 0
        var isFinished = false
        /// What brings the elements, kept as long as anybody listens.
        var source: (any Sendable)?
    }

    private let state = Mutex(State())

    package init() {}

    deinit { finish() }

    /// Whether there are no listeners.
    package var isIdle: Bool { state.withLock { $0.listeners.isEmpty } }

    /// Returns a new stream of the elements from now on. It ends with the broadcast.
    ///
    /// - Parameters:
    ///   - policy: What to buffer while the stream isn't read.
    ///   - first: The stream's first element.
    package func stream(
        keeping policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded, first: Element? = nil
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
        if let first { Self.yield(first, continuation) }
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.listeners.append(Listener(number: state.next, continuation: continuation))
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.remove(number)
        }
        return stream
    }

    private func remove(_ number: Int) {
        let released = state.withLock { state -> (any Sendable)? in
            state.listeners.removeAll { $0.number == number }
            guard state.listeners.isEmpty else { return nil }
            defer { state.source = nil }
            return state.source
        }
        withExtendedLifetime(released) {}
    }

    /// Keeps a reference to the source of the elements until there are no listeners.
    package func keepUntilIdle(_ source: some Sendable) {
        let old = state.withLock { state -> (any Sendable)? in
            guard !state.listeners.isEmpty else { return nil }
            defer { state.source = source }
            return state.source
        }
        withExtendedLifetime(old) {}
    }

    /// Hands an element to all streams.
    package func send(_ element: Element) {
        let listeners = state.withLock { $0.listeners }
        for listener in listeners { Self.yield(element, listener.continuation) }
    }

    /// Ends all streams, including later ones.
    package func finish() {
        let (listeners, source) = state.withLock { state in
            defer {
                state.listeners = []
                state.source = nil
            }
            state.isFinished = true
            return (state.listeners, state.source)
        }
        // What it holds goes outside of the lock.
        withExtendedLifetime(source) {}
        for listener in listeners { listener.continuation.finish() }
    }

    private static func yield(_ element: Element, _ continuation: AsyncStream<Element>.Continuation) {
        // The reader is on the queue that the element belongs to, see above.
        nonisolated(unsafe) let element = element
        continuation.yield(element)
    }
}
