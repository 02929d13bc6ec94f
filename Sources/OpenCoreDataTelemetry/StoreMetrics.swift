#if Telemetry || Server
public import CoreMetrics
public import OpenCoreData
public import OpenCoreDataKit
import Synchronization

/// The figures of stores as metrics of swift-metrics, under the names that `/metrics` of `DatabaseRoutes` has.
///
///     let metrics = StoreMetrics(database)
///     await metrics.report()
///
/// Reads and writes with their times, waits for connections, transactions that were repeated, conflicts, the delay of
/// the feed, hits and misses of the rows in memory, and more. What grows is a counter, the rest are gauges; each has
/// the dimensions `store` and, on PostgreSQL, `schema`. With the trait `Server` it is a service of
/// swift-service-lifecycle.
public final class StoreMetrics: Sendable {
    private let statistics: @Sendable () -> [StoreStatistics]
    private let interval: Duration
    private let factory: (any MetricsFactory)?
    /// What was reported of each store before, in the order of `StoreFigure.all`.
    private let reported = Mutex<[String: [Double]]>([:])

    /// Creates the metrics of a database.
    ///
    /// The database is held as long as the metrics are. When it is closed, it has no figures any longer.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - interval: How often ``report()`` reports.
    ///   - factory: Where metrics are made; `nil` for the one that was bootstrapped.
    public convenience init(
        _ database: Database, every interval: Duration = .seconds(10), factory: (any MetricsFactory)? = nil
    ) {
        self.init(every: interval, factory: factory) { database.statistics }
    }

    /// Creates the metrics of stores, for programs without the kit.
    ///
    /// The block is called by ``record()``, and must not wait.
    ///
    /// - Parameters:
    ///   - interval: How often ``report()`` reports.
    ///   - factory: Where metrics are made; `nil` for the one that was bootstrapped.
    ///   - statistics: The figures of the stores, such as those that `NSPersistentStoreCoordinator.statistics(for:)`
    ///     has.
    public init(
        every interval: Duration = .seconds(10), factory: (any MetricsFactory)? = nil,
        of statistics: @escaping @Sendable () -> [StoreStatistics]
    ) {
        self.interval = interval
        self.factory = factory
        self.statistics = statistics
    }

    /// Reports the figures as they are now: gauges as they are, and counters by what was added since the last time.
    public func record() {
        let factory = factory ?? MetricsSystem.factory
        for store in statistics() {
            let labels = StoreLabels(store.storeURL)
            let values = StoreFigure.all.map { $0.value(store) }
            // Stores in different folders may have the same labels.
            let key = store.storeURL.absoluteString
            let before = reported.withLock { reported in
                defer { reported[key] = values }
                return reported[key] ?? []
            }
            for (index, figure) in StoreFigure.all.enumerated() {
                let last = before.indices.contains(index) ? before[index] : 0
                // A store that was opened again begins at 0.
                let increase = values[index] >= last ? values[index] - last : values[index]
                switch figure.kind {
                case .gauge:
                    Gauge(label: figure.name, dimensions: labels.dimensions, factory: factory).record(values[index])
                case .count:
                    Counter(label: figure.name, dimensions: labels.dimensions, factory: factory)
                        .increment(by: Int64(increase))
                case .seconds:
                    FloatingPointCounter(label: figure.name, dimensions: labels.dimensions, factory: factory)
                        .increment(by: increase)
                }
            }
        }
    }

    /// Reports the figures again and again, until the task is cancelled.
    ///
    /// The last report is made at the end.
    public func report() async {
        while !Task.isCancelled {
            record()
            try? await Task.sleep(for: interval)
        }
        record()
    }
}
#endif
