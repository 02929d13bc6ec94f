import Foundation
import Synchronization

/// Hands each element to every stream that was asked for.
///
/// Elements may be managed objects, which belong to their context's queue. They are handed over as they are: who reads
/// the stream is on that queue, which the documentation of each stream demands.
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

    /// Whether nobody listens.
    package var isIdle: Bool { state.withLock { $0.listeners.isEmpty } }

    /// A new stream of what is sent from now on. It ends with the broadcast.
    ///
    /// - Parameters:
    ///   - policy: What to keep while nobody reads.
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

    /// Keeps what brings the elements until nobody listens any more.
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

    /// Ends all streams, and those that are asked for later.
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
