#if Server
public import OpenCoreDataTelemetry
public import ServiceLifecycle

/// Add it before the database's own service, so that it ends after the last request.
extension StoreMetrics: Service {}
#endif
