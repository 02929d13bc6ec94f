#if PostgreSQL
import CPostgreSQL
import Foundation
import Synchronization

/// Looks again and again for the beginning of an answer, for a moment, before the thread goes to sleep.
///
/// To be woken up takes a thread some 20 microseconds, as long as a server on the same machine works for a small save. Where
/// answers take longer, or the processors have other work, this would take time from others, and isn't done: only one
/// connection of the program does it, and after a time without success it isn't tried for a while.
struct BusyWait {
    private static let longestWait: UInt64 = 100_000
    /// Answers that are slept for after one that took too long.
    private static let pauseAfterFailure = 32
    private static let hasSeveralProcessors = ProcessInfo.processInfo.activeProcessorCount > 1
    /// How many connections of the program wait for an answer.
    private static let waiting = Atomic(0)

    private var pause = 0

    /// Called before a connection waits for answers.
    static func begin() { waiting.add(1, ordering: .relaxed) }

    /// Called after it has waited.
    static func end() { waiting.subtract(1, ordering: .relaxed) }

    /// Waits until the server has sent something, or for a tenth of a millisecond.
    mutating func wait(for pointer: OpaquePointer) {
        guard Self.hasSeveralProcessors, Self.waiting.load(ordering: .relaxed) == 1, PQisBusy(pointer) != 0
        else { return }
        guard pause == 0 else {
            pause -= 1
            return
        }
        var descriptor = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
        let start = DispatchTime.now().uptimeNanoseconds
        repeat {
            // The next read reports what went wrong.
            if poll(&descriptor, 1, 0) != 0 { return }
        } while DispatchTime.now().uptimeNanoseconds &- start < Self.longestWait
        pause = Self.pauseAfterFailure
    }
}
#endif
