/// A store that reports what it is doing.
package protocol MeasuredStore: RowStore {
    /// What the store is doing at this moment; `nil` when it is not open. Waits for nobody.
    var statistics: StoreStatistics? { get }
}
