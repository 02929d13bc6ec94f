/// Whether a fetch within a transaction locks the rows that it finds until the transaction's end, and what it does about rows
/// that another transaction has locked. A store whose transactions run one at a time has nothing to lock.
package enum RowLock: Sendable {
    /// Waits for them.
    case waiting
    /// Leaves them out.
    case skipping
}

/// A store whose transactions may run beside each other.
package protocol LockingStore: TransactionalStore {
    /// As `performTransaction(_:)`, but other transactions that do so may write at the same time.
    func performTransactionBesideOthers(_ body: () throws -> Void) throws
    /// Locks a name until the end of the transaction.
    ///
    /// - Parameter waits: Whether to wait for another transaction that has locked it.
    /// - Returns: Whether it is locked.
    func lock(named name: String, waits: Bool) throws -> Bool
}
