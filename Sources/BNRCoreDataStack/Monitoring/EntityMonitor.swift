public import OpenCoreDataKit

/// Observes the objects of one entity in one context, and notifies its delegate of inserted, changed and deleted ones.
///
/// Objects of subentities aren't reported. Use it on the context's queue, where the delegate is called too; it can be
/// created anywhere. The observation ends when the monitor is released.
public final class EntityMonitor<T: NSManagedObject> {
    private var token: ContextWatch.Token?
    private var notify: ((EntityMonitor<T>, EntityChanges<T>) -> Void)?

    /// Creates a monitor. Stops the program when objects of the entity are not of the monitor's class.
    ///
    /// It waits for the context's queue. Keep a reference to the monitor. Nothing is reported before `setDelegate(_:)`.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - entity: The entity.
    ///   - frequency: When to notify.
    ///   - filterPredicate: What objects have to match at that moment. One that has stopped to match is not reported.
    public init(
        context: NSManagedObjectContext, entity: NSEntityDescription, frequency: FireFrequency = .onSave,
        filterPredicate: NSPredicate? = nil
    ) {
        context.performAndWait {
            programmerError(
                unless:
                    context.entities(ofClass: T.self).contains { $0.name == entity.name },
                "The monitor's class is \(T.self), but the entity \(entity.name ?? "") has the class "
                    + "\(entity.managedObjectClassName ?? "NSManagedObject").")
            token = context.watch(
                of: T.self, entity: entity, includesSubentities: false, where: filterPredicate,
                when: frequency == .onSave ? .saved : .changed
            ) { [weak self] changes in
                guard let self else { return }
                notify?(self, changes)
            }
        }
    }

    /// Sets the delegate, which is held weakly. There is one delegate at a time.
    ///
    /// Inserted objects are reported first, then deleted and then changed ones.
    ///
    /// - Parameter delegate: The delegate.
    public func setDelegate<Delegate: EntityMonitorDelegate>(_ delegate: Delegate)
    where Delegate.MonitoredEntity == T {
        notify = { [weak delegate] monitor, changes in
            guard let delegate else { return }
            if !changes.inserted.isEmpty {
                delegate.entityMonitorObservedInserts(monitor, entities: changes.inserted)
            }
            if !changes.deleted.isEmpty {
                delegate.entityMonitorObservedDeletions(monitor, entities: changes.deleted)
            }
            if !changes.updated.isEmpty {
                delegate.entityMonitorObservedModifications(monitor, entities: changes.updated)
            }
        }
    }
}
