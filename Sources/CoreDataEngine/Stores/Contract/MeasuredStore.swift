/// A store that reports what it is doing.
package protocol MeasuredStore: RowStore {
    /// The present figures of the store; `nil` if it isn't open. Reading them never waits.
    var statistics: StoreStatistics? { get }
}
