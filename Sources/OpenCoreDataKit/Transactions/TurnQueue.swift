import DequeModule
import Dispatch
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Lets one at a time go on, first come, first served.
///
/// A turn lasts until it is ended, or until the last reference to it is gone.
package final class TurnQueue: Sendable {
    /// The right to go on.
    package final class Turn: Sendable {
        private let queue: TurnQueue
        private let isOver = Mutex(false)

        fileprivate init(_ queue: TurnQueue) { self.queue = queue }

        /// Lets the next one go on. Ending a turn again does nothing.
        package func end() {
            if !isOver.exchange(true) { queue.advance() }
        }

        deinit { end() }
    }

    private struct State {
        var isTaken = false
        /// A block is taken out when it is called: it may hold what ends a turn, and must not die inside of the lock.
        var waiting: Deque<@Sendable (Turn) -> Void> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Calls a block when it is its turn: at once, or on the thread that ends the turn before.
    package func take(_ block: @escaping @Sendable (Turn) -> Void) {
        let isFree = state.withLock { state in
            if state.isTaken {
                state.waiting.append(block)
                return false
            }
            state.isTaken = true
            return true
        }
        if isFree { block(Turn(self)) }
    }

    /// Takes the turn if it is free; `nil` if it has to be waited for.
    package func takeIfFree() -> Turn? {
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
        return isFree ? Turn(self) : nil
    }

    /// Waits for a turn without blocking a thread.
    package func take() async -> Turn {
        if let turn = takeIfFree() { return turn }
        return await withCheckedContinuation { continuation in
            take { continuation.resume(returning: $0) }
        }
    }

    /// Waits for a turn, and blocks the calling thread.
    package func takeBlocking() -> Turn {
        let box = Mutex<Turn?>(nil)
        let signal = DispatchSemaphore(value: 0)
        take { turn in
            box.withLock { $0 = turn }
            signal.signal()
        }
        signal.wait()
        guard let turn = box.withLock({ $0 }) else { programmerError("A turn was told and not given.") }
        return turn
    }

    private func advance() {
        let next: (@Sendable (Turn) -> Void)? = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isTaken = false }
            return next
        }
        next?(Turn(self))
    }
}
