import CSQLite
import Synchronization

/// Stops a connection's running statement from another thread.
package final class SQLiteInterruptHandle: ReadInterrupter {
    // The address of the connection, kept as a number because a pointer is not Sendable. It is cleared under the lock
    // before the connection is closed, so that a late call finds nothing.
    private let address = Mutex<UInt?>(nil)

    func attach(_ handle: OpaquePointer) {
        address.withLock { $0 = UInt(bitPattern: handle) }
    }

    func detach() {
        address.withLock { $0 = nil }
    }

    /// Makes the statement that runs now fail with `SQLITE_INTERRUPT`; does nothing when none runs.
    package func interrupt() {
        address.withLock { address in
            guard let address, let handle = OpaquePointer(bitPattern: address) else { return }
            sqlite3_interrupt(handle)
        }
    }
}
