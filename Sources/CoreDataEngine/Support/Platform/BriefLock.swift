import EngineShims
import Foundation
import Synchronization

/// A lock around a few accesses to memory, which nobody holds for longer than some microseconds.
///
/// Taken without contention it costs one atomic operation, where a mutex costs two and has to know its thread: on the path
/// of a look-up that is what most of the time would go into. A thread that finds it taken gives its turn away until it is
/// free.
struct BriefLock: ~Copyable {
    #if PORTABLE
        private let isTaken = NSLock()

        borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            isTaken.lock()
            defer { isTaken.unlock() }
            return try body()
        }
    #else
        private let isTaken = Atomic<Bool>(false)

        @inline(__always)
        borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
            if isTaken.exchange(true, ordering: .acquiring) { wait() }
            defer { isTaken.store(false, ordering: .releasing) }
            return try body()
        }

        @inline(never)
        private borrowing func wait() {
            var turns = 0
            repeat {
                turns += 1
                engine_yield(turns)
            } while isTaken.load(ordering: .relaxed) || isTaken.exchange(true, ordering: .acquiring)
        }
    #endif
}
