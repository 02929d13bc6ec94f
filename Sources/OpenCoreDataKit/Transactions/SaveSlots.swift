#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Lets only a few saves at a time wait for a busy parent context, since each blocks a thread, and threads run out.
package final class SaveSlots: Sendable {
    private struct State {
        var free: Int
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    /// - Parameter count: How many saves may wait at a time.
    package init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Runs a block at once if a slot is free. Otherwise keeps `retry`, which is called when a slot may be free, on the
    /// thread that releases it.
    package func run(_ block: () -> Void, orLater retry: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            if state.free == 0 {
                state.waiting.append(retry)
                return false
            }
            state.free -= 1
            return true
        }
        guard isFree else { return }
        block()
        // All of them: the first may be long in coming, behind other work of its own context.
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.free += 1
            return state.waiting
        }
        for retry in waiting { retry() }
    }
}
