extension SQLiteStore: MeasuredStore {
    package var statistics: StoreStatistics? {
        (try? runtime().pool)?.statistics(cachedRows: rowCache.count)
    }

    /// Whether the file is the one that was opened; true for a store that is closed.
    var isFileInPlace: Bool { (try? runtime().pool)?.isFileInPlace ?? true }
}
