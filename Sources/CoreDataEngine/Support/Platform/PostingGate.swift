import Foundation
import Synchronization

/// Makes threads post notifications one after the other.
///
/// The notification center's own lock is passed on to the thread that has waited longest (see `UnfairMutex`): 32
/// threads that save spent half of their processor time waiting for it, although nothing observed their notifications.
/// Threads that have passed here find it free.
///
/// Observers run while their thread holds the gate, and may wait for another thread that posts. So waiting is limited:
/// after 5 ms, in which a thread that holds the gate and only waits for a processor gets one, a thread posts without
/// the gate, and for a tenth of a second no thread waits for it.
enum PostingGate {
    #if !PORTABLE && (canImport(Glibc) || canImport(Musl) || canImport(Android))
    private static let gate = UnfairMutex(())
    /// The thread that has the gate; 0 for none.
    private static let owner = Atomic<UInt>(0)
    /// The time until which no thread waits, in nanoseconds since the system was started.
    private static let end = Atomic<UInt64>(0)
    /// In nanoseconds.
    private static let longestWait = 5_000_000
    /// In nanoseconds.
    private static let pause: UInt64 = 100_000_000

    /// Calls a block that posts a notification, at once.
    static func pass(_ post: () -> Void) {
        let thread = ThreadValue.token
        // An observer saves.
        guard owner.load(ordering: .relaxed) != thread else { return post() }
        func postAsOwner(_: inout Void) {
            owner.store(thread, ordering: .relaxed)
            post()
            owner.store(0, ordering: .relaxed)
        }
        if gate.tryLock(postAsOwner) { return }
        let now = DispatchTime.now().uptimeNanoseconds
        if now >= end.load(ordering: .relaxed) {
            if gate.tryLock(within: longestWait, postAsOwner) { return }
            end.store(now + pause, ordering: .relaxed)
        }
        post()
    }
    #else
    /// Calls a block that posts a notification, at once.
    @inline(__always)
    static func pass(_ post: () -> Void) { post() }
    #endif
}
