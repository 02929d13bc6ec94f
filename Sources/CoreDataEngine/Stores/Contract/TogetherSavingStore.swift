/// A store in which several saves can take effect at once.
package protocol TogetherSavingStore: RowStore {
    /// Runs a block whose saves take effect together at its end, or not at all. Memory use doesn't grow with what is
    /// saved.
    ///
    /// The block saves, fetches and runs batch requests on the calling thread, which sees its own changes; others read
    /// the former state.
    ///
    /// - Throws: The error of the block. The store is then unchanged, and objects that the block has saved are invalid,
    ///   so close the store.
    func savingTogether<Result>(_ body: () throws -> Result) throws -> Result
}
