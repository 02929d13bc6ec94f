#if PostgreSQL
import CPostgreSQL
import OpenCoreData
import Synchronization

/// Stops the statement that a connection runs, from any thread.
// @unchecked Sendable because everything is used under `lock`, which also keeps the handle from being freed during
// a request, and a request from reaching a later statement.
package final class PostgreSQLCancellation: @unchecked Sendable, ReadInterrupter {
    private let lock = Mutex(())
    private var handle: OpaquePointer?
    private var isRunning = false
    private var wasAsked = false

    init(_ connection: OpaquePointer) { handle = PQgetCancel(connection) }

    /// Makes the statement that runs now fail; does nothing when none runs.
    package func interrupt() {
        lock.withLock { _ in
            guard isRunning, let handle else { return }
            wasAsked = true
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                _ = PQcancel(handle, buffer.baseAddress, Int32(buffer.count))
            }
        }
    }

    func begin() {
        lock.withLock { _ in
            isRunning = true
            wasAsked = false
        }
    }

    /// - Returns: Whether the statement was to be stopped.
    @discardableResult
    func end() -> Bool {
        lock.withLock { _ in
            isRunning = false
            return wasAsked
        }
    }

    func close() {
        lock.withLock { _ in
            PQfreeCancel(handle)
            handle = nil
        }
    }
}
#endif
