/// The part of the store that a block of `write` locks for others.
public enum WriteLocking: Sendable, Hashable {
    /// Everything: blocks run one after the other, in whichever process.
    case store
    /// The rows that the block changes, and those that it fetches with ``Query/locked(_:)``. Blocks run beside each other, and
    /// each of their fetches sees what was committed before it. A row that was changed since it was read without a lock is a
    /// conflict.
    ///
    /// Stores on a server can do so. For others it is the same as ``store``.
    case rows
}

/// The action of a fetch for rows that another block has locked.
public enum RowLocking: Sendable, Hashable {
    /// Waits for the end of the other block, and sees what it has changed.
    case waiting
    /// Leaves the rows out, as a queue of jobs does that several workers take from.
    case skippingLocked
}
