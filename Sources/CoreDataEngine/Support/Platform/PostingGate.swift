import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Lets threads post notifications one after the other.
///
/// The notification center's own lock is passed on to the thread that has waited longest (see `UnfairMutex`): 32 threads that
/// save spent half of their processor time waiting for it, each to find that nobody observes. Threads that have passed here
/// find it free.
///
/// Observers run while their thread has the gate, and may wait for another thread that posts. So nobody waits long: after 5 ms,
/// in which a thread that has the gate and is only waiting for a processor gets one, a thread posts without the gate, and for a
/// tenth of a second nobody waits for it.
enum PostingGate {
    #if !PORTABLE && (canImport(Glibc) || canImport(Musl) || canImport(Android))
        // @unchecked Sendable because the mutex is only used by its own functions, which any thread may call.
        private final class Gate: @unchecked Sendable {
            let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            /// The thread that has the gate; 0 for none.
            let owner = Atomic<UInt>(0)
            /// Until when nobody waits, in nanoseconds since the system was started.
            let end = Atomic<UInt64>(0)

            init() {
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, nil)
            }

            /// Takes the gate, if that doesn't take long.
            func enter() -> Bool {
                if pthread_mutex_trylock(mutex) == 0 { return true }
                let now = DispatchTime.now().uptimeNanoseconds
                if now < end.load(ordering: .relaxed) { return false }
                var limit = timespec()
                clock_gettime(CLOCK_REALTIME, &limit)
                limit.tv_nsec += PostingGate.longestWait
                if limit.tv_nsec >= 1_000_000_000 {
                    limit.tv_nsec -= 1_000_000_000
                    limit.tv_sec += 1
                }
                if pthread_mutex_timedlock(mutex, &limit) == 0 { return true }
                end.store(now + PostingGate.pause, ordering: .relaxed)
                return false
            }
        }

        private static let gate = Gate()
        /// In nanoseconds.
        private static let longestWait = 5_000_000
        /// In nanoseconds.
        private static let pause: UInt64 = 100_000_000

        /// Calls a block that posts a notification, at once.
        static func pass(_ post: () -> Void) {
            let thread = ThreadValue.token
            // An observer saves.
            guard gate.owner.load(ordering: .relaxed) != thread, gate.enter() else { return post() }
            gate.owner.store(thread, ordering: .relaxed)
            post()
            gate.owner.store(0, ordering: .relaxed)
            pthread_mutex_unlock(gate.mutex)
        }
    #else
        /// Calls a block that posts a notification, at once.
        @inline(__always)
        static func pass(_ post: () -> Void) { post() }
    #endif
}
