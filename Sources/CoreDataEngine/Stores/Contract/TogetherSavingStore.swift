/// A store in which several saves can take effect at once.
package protocol TogetherSavingStore: RowStore {
    /// Runs a block whose saves take effect together at its end, or not at all. Memory does not grow with what is saved.
    ///
    /// The block saves, fetches and runs batch requests on the calling thread, which sees what it has done; others read what was
    /// there before.
    ///
    /// - Throws: What the block throws. The store is then as it was, and objects that were saved meanwhile are void, so that it
    ///   should be closed.
    func savingTogether<Result>(_ body: () throws -> Result) throws -> Result
}
