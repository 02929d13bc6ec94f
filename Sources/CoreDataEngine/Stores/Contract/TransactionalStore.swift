/// A store in which everything that a thread saves during a block can take effect at once.
package protocol TransactionalStore: RowStore {
    /// Runs a block whose saves and batch requests take effect together at its end, or not at all.
    ///
    /// The block works on the calling thread, which sees what it has done; others read what was there before. From the block's
    /// beginning to its end, no other transaction writes to the store. Inside of another such block, it is part of that one.
    ///
    /// - Throws: What the block throws, or why the changes can't be kept. The store is then as it was, and objects that were
    ///   saved meanwhile are void.
    func performTransaction<Result>(_ body: () throws -> Result) throws -> Result

    /// Says that the next save that succeeds is the last thing that the transaction of this thread does, for stores that can
    /// then write it directly.
    func endTransactionWithNextSave()
}

extension TransactionalStore {
    package func endTransactionWithNextSave() {}
}

/// A store that one state can be read of for the length of a block, which costs less than to pin it.
package protocol SnapshotStore: RowStore {
    /// Runs a block with a state that stays the same until its end.
    ///
    /// - Parameter body: Gets the state; `nil` where the thread reads one state by itself.
    func readingOneState<Result>(_ body: ((any StoreGeneration)?) throws -> Result) throws -> Result
}
