#if Server
public import OpenCoreDataTelemetry
public import ServiceLifecycle

/// Add it after the database's own service: it then ends after the last request, and before the database is closed.
extension StoreMetrics: Service {
    /// Reports the figures again and again, until the service group shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown { await self.report() }
    }
}
#endif
