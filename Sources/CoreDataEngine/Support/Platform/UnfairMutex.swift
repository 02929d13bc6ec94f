import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A mutex for short sections that many threads go through, in any order.
///
/// On Linux, `Synchronization.Mutex` passes the lock on to the thread that has waited longest: it belongs to a thread that
/// has yet to be scheduled, and all others queue up behind that one, even if there are more threads than processors and
/// the section takes a few nanoseconds. Here a thread that is running takes a free lock. 32 threads that save to a PostgreSQL
/// store spent half of their processor time on such queues. Where no more than two threads meet, use `Mutex`.
// @unchecked Sendable because the value is touched only by the thread that has locked the mutex.
package struct UnfairMutex<Value: Sendable>: ~Copyable, @unchecked Sendable {
    #if !PORTABLE && (canImport(Glibc) || canImport(Musl) || canImport(Android))
    // Both stay where they are, as other threads wait at the mutex's address.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        // Fails only because of attributes, and none are set.
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs a block while no other thread is in one. The block must not lock the mutex again.
    package borrowing func withLock<Result, Thrown>(
        _ body: (inout Value) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    /// Runs a block while no other thread is in one, unless the mutex doesn't become free in time.
    ///
    /// - Parameter nanoseconds: How long to wait, less than a second; 0 doesn't wait.
    /// - Returns: Whether the block ran.
    borrowing func tryLock(within nanoseconds: Int = 0, _ body: (inout Value) -> Void) -> Bool {
        if nanoseconds == 0 {
            guard pthread_mutex_trylock(mutex) == 0 else { return false }
        } else {
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            end.tv_nsec += nanoseconds
            if end.tv_nsec >= 1_000_000_000 {
                end.tv_nsec -= 1_000_000_000
                end.tv_sec += 1
            }
            guard pthread_mutex_timedlock(mutex, &end) == 0 else { return false }
        }
        defer { pthread_mutex_unlock(mutex) }
        body(&value.pointee)
        return true
    }
    #else
    private let mutex: Mutex<Value>

    package init(_ value: Value) { mutex = Mutex(value) }

    /// Runs a block while no other thread is in one. The block must not lock the mutex again.
    package borrowing func withLock<Result, Thrown>(
        _ body: (inout Value) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        // The mutex gives out results of regions of their own alone; who calls here gets one of Sendable values.
        var result: Swift.Result<Result, Thrown>?
        mutex.withLock { value in
            do throws(Thrown) {
                result = .success(try body(&value))
            } catch {
                result = .failure(error)
            }
        }
        switch result {
        case .success(let result): return result
        case .failure(let error): throw error
        case nil: programmerError("A mutex runs its block.")
        }
    }
    #endif
}
