/// A store in which everything that a thread saves during a block can take effect at once.
package protocol TransactionalStore: RowStore {
    /// Runs a block whose saves and batch requests take effect together at its end, or not at all.
    ///
    /// The block runs on the calling thread, which sees its own changes; others read the former state. No other
    /// transaction writes to the store until the block ends. A nested block is part of the outer one.
    ///
    /// - Throws: The error of the block, or the reason why the changes can't be kept. The store is then unchanged, and
    ///   objects that the block has saved are invalid.
    func performTransaction(_ body: () throws -> Void) throws

    /// Says that the next save is the last thing that the transaction of this thread does, and that the transaction fails when the
    /// save does: it need not be undone by itself.
    func endTransactionWithNextSave()
}

extension TransactionalStore {
    package func endTransactionWithNextSave() {}
}

/// A store that one state can be read of for the length of a block, which costs less than to pin it.
package protocol SnapshotStore: RowStore {
    /// Runs a block with a state that stays the same until its end.
    ///
    /// - Parameters:
    ///   - isOneOfSeveral: Whether the block reads other stores as well: the state is then the current one, instead of
    ///     that of the first read.
    ///   - body: Gets the state; `nil` where the thread reads one state by itself.
    func readingOneState<Result>(
        isOneOfSeveral: Bool, _ body: ((any StoreGeneration)?) throws -> Result
    ) throws -> Result
}
