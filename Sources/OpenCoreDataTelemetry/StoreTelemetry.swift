#if Telemetry || Server
public import CoreMetrics
import OpenCoreData
public import Tracing

/// What the stores of a program do, as spans of swift-distributed-tracing and timers of swift-metrics.
///
///     StoreTelemetry.begin()
///     let database = try await Database.open(configuration)
///
/// Call it once, after `MetricsSystem.bootstrap` and `InstrumentationSystem.bootstrap`, and before stores are opened.
///
/// - Each save and each fetch is a span, `save`, `fetch` or `count`, and each statement of SQL one of its children:
///   `SELECT`, `INSERT`, `UPDATE`, `DELETE`, `TRANSACTION` or `OTHER`. They belong to the span of the task that called
///   `perform`, `read` or `write`, such as that of a request. The attributes name the kind of the database, the store,
///   on PostgreSQL its schema, and the entity that is fetched.
/// - `opencoredata_statement_seconds` is a timer for the statements, with `kind`, `store` and `schema` as dimensions.
///
/// Neither has values, texts of statements or messages of errors. ``StoreMetrics`` reports the other figures.
public enum StoreTelemetry {
    /// Begins to report what is done in stores.
    ///
    /// A second call replaces the first. Stores that are open already report their saves and fetches, but connections
    /// that exist don't report statements.
    ///
    /// - Parameters:
    ///   - metrics: Where timers are made; `nil` for the one that was bootstrapped.
    ///   - tracer: What makes spans; `nil` for the one that was bootstrapped.
    public static func begin(metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil) {
        StoreMonitoring.monitor = TelemetryMonitor(metrics: metrics, tracer: tracer)
    }

    /// Ends it.
    ///
    /// Connections that were made since it began report their statements until they are closed.
    public static func end() { StoreMonitoring.monitor = nil }
}
#endif
