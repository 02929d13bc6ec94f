extension SQLiteStore: MeasuredStore {
    package var statistics: StoreStatistics? {
        (try? runtime().pool)?.statistics(cachedRows: rowCache.count)
    }
}
