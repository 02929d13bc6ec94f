extension SQLiteStore: MeasuredStore {
    package var statistics: StoreStatistics? {
        guard var statistics = (try? runtime().pool)?.statistics(cachedRows: rowCache.count) else { return nil }
        sharedRows.add(to: &statistics.work)
        return statistics
    }

    /// Whether the file is the one that was opened; true for a store that is closed.
    var isFileInPlace: Bool { (try? runtime().pool)?.isFileInPlace ?? true }
}
