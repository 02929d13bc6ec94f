import Dispatch
import EngineShims
import Foundation

/// An entry of a thread's stack: one for each running block that belongs to a queue.
class ThreadFrame {
    /// Whether the stack below is on the main queue.
    final let isOnMainQueue: Bool

    init(isOnMainQueue: Bool) { self.isOnMainQueue = isOnMainQueue }

    /// Whether the block has the turn of another queue than the main one.
    var isOfOtherQueue: Bool { false }

    /// The innermost frame of this thread.
    static var innermost: ThreadFrame? {
        ThreadValue.pointer.map { Unmanaged<ThreadFrame>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The main queue, recognized by a value of its own, because other threads run it once `dispatchMain` was called, as in a
/// program whose `main` is async. The main thread is gone then; while it is there, what it runs by `sync` on another queue is on
/// the main queue, too. So is what a job of the main actor runs that way on whichever thread.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool {
        if isMainThread || DispatchQueue.getSpecific(key: key) == true { return true }
        return ThreadFrame.innermost?.isOnMainQueue ?? false || engine_runs_main_actor()
    }

    private static var isMainThread: Bool {
        let known = engine_is_main_thread()
        return known == 0 ? Thread.isMainThread : known > 0
    }

    /// Whether this is the main queue's own turn, and not that of another queue which the main queue waits for.
    static var hasTurn: Bool { isCurrent && ThreadFrame.innermost?.isOfOtherQueue != true }
}
