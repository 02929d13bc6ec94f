/// How the objects of an array that was fetched with a batch size get their values.
///
/// An array has to hold an object for each of its rows, but not the rows: these come batch by batch when an object is
/// touched, and a batch goes when some more have come. Belongs to the context's queue.
final class RowBatches {
    let size: Int
    /// Whether the objects of a batch are realized with it, touched or not.
    let realizes: Bool
    /// Relationships that are read along with a batch.
    let prefetched: [String]
    /// Whether rows stay once they were read.
    let keepsRows: Bool
    /// The batches whose rows are in memory, the oldest first.
    private var loaded: [Int] = []

    /// Reads may alternate between several batches, as sorting does.
    private static let kept = 8

    init(size: Int, realizes: Bool = false, prefetched: [String] = [], keepsRows: Bool = false) {
        self.size = size
        self.keepsRows = keepsRows
        self.realizes = realizes
        self.prefetched = prefetched
    }

    /// What a request wants; `nil` for one without a batch size.
    convenience init?(_ request: NSFetchRequestBase) {
        guard request.fetchBatchSize > 0 else { return nil }
        self.init(
            size: request.fetchBatchSize, realizes: !request.returnsObjectsAsFaults,
            prefetched: request.relationshipKeyPathsForPrefetching ?? [], keepsRows: request.keepsRows)
    }

    /// The rows of the batch that a row is in.
    func rows(with row: Int, of slab: RowSlab) -> Range<Int> { rows(of: row / size, in: slab) }

    private func rows(of batch: Int, in slab: RowSlab) -> Range<Int> {
        batch * size..<min(slab.count, (batch + 1) * size)
    }

    /// Notes that the batch of a row is in memory.
    ///
    /// - Returns: The rows of the batch that goes instead.
    func record(row: Int, of slab: RowSlab) -> Range<Int>? {
        if keepsRows { return nil }
        let batch = row / size
        if let known = loaded.firstIndex(of: batch) { loaded.remove(at: known) }
        loaded.append(batch)
        return loaded.count > Self.kept ? rows(of: loaded.removeFirst(), in: slab) : nil
    }
}
