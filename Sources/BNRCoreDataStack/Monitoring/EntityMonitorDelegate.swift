public import OpenCoreDataKit

/// A delegate that is notified of the changes that an ``EntityMonitor`` observes, on the queue of the monitor's
/// context. Each function is called only if there is something to report.
public protocol EntityMonitorDelegate: AnyObject {
    /// The class whose objects are monitored.
    associatedtype MonitoredEntity: NSManagedObject

    /// Objects came.
    func entityMonitorObservedInserts(
        _ monitor: EntityMonitor<MonitoredEntity>, entities: Set<MonitoredEntity>)

    /// Objects went. After a save they have no rows any more.
    func entityMonitorObservedDeletions(
        _ monitor: EntityMonitor<MonitoredEntity>, entities: Set<MonitoredEntity>)

    /// Objects have other values.
    func entityMonitorObservedModifications(
        _ monitor: EntityMonitor<MonitoredEntity>, entities: Set<MonitoredEntity>)
}
