public import OpenCoreDataKit

/// A delegate that is notified of the changes that an ``EntityMonitor`` observes, on the queue of the monitor's
/// context. Each function is called only if there is something to report.
public protocol EntityMonitorDelegate: AnyObject {
    /// The class whose objects are monitored.
    associatedtype MonitoredEntity: NSManagedObject

    /// Objects came.
    ///
    /// With ``FireFrequency/onChange``, the objects may not be saved yet.
    ///
    /// - Parameters:
    ///   - monitor: The monitor.
    ///   - entities: The objects, of which there is at least one.
    func entityMonitorObservedInserts(
        _ monitor: EntityMonitor<MonitoredEntity>, entities: Set<MonitoredEntity>)

    /// Objects went. After a save they have no rows any longer.
    ///
    /// Called after the inserts and before the modifications of the same change.
    ///
    /// - Parameters:
    ///   - monitor: The monitor.
    ///   - entities: The objects, of which there is at least one.
    func entityMonitorObservedDeletions(
        _ monitor: EntityMonitor<MonitoredEntity>, entities: Set<MonitoredEntity>)

    /// Objects have other values.
    ///
    /// Called after the inserts and the deletions of the same change.
    ///
    /// - Parameters:
    ///   - monitor: The monitor.
    ///   - entities: The objects, of which there is at least one.
    func entityMonitorObservedModifications(
        _ monitor: EntityMonitor<MonitoredEntity>, entities: Set<MonitoredEntity>)
}
