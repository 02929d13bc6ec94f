public import Foundation

/// Is notified of the changes to the results of a fetched results controller.
///
/// All methods are optional. A delegate that takes snapshots gets nothing else; one that takes differences, of a
/// controller without sections, neither. Otherwise a pass is reported as will-change, sections and objects, did-change:
/// a section that came before the objects that came into it, a section that went after the objects that left it.
/// Index paths follow the rules of a table view's batch: those of what went or was updated are from before the pass,
/// those of what came are from after it.
///
/// The methods are called on the queue of the controller's context. The controller that they get is the one that
/// changed in the type that the methods name; `===` knows it as the same.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// Called before the results change.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Called for a section that came or went.
    ///
    /// - Parameters:
    ///   - sectionInfo: The section. One that went has no objects any more.
    ///   - sectionIndex: Its index: before the pass for one that went, after it for one that came.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Called for an object that came, went, moved or was updated.
    ///
    /// - Parameters:
    ///   - indexPath: Where it was; `nil` for one that came.
    ///   - newIndexPath: Where it is; `nil` for one that went.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called after the results changed.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    #if !canImport(Darwin)
    /// Called with the results after each fetch and each change, identifiers in place of objects.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)
    #endif

    /// Called with the changes of a pass, for a controller without sections.
    ///
    /// An object that moved, or was updated, is a removal and an insertion that name each other's offset.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in the index; `nil` for none.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

/// The methods that a delegate leaves out. Each records that it was left out, which decides how changes are reported.
extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    #if !canImport(Darwin)
    /// Does nothing; the changes are reported in another form.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.core.delegateLacks.insert(.snapshots)
    }
    #endif

    /// Does nothing; the changes are reported in another form.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.core.delegateLacks.insert(.differences)
    }

    /// Leaves the title to the controller.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        controller.core.delegateLacks.insert(.indexTitles)
        return nil
    }
}

/// Methods of a delegate that were found to be left out.
struct DelegateLacks: OptionSet {
    let rawValue: Int
    static let snapshots = DelegateLacks(rawValue: 1)
    static let differences = DelegateLacks(rawValue: 2)
    static let indexTitles = DelegateLacks(rawValue: 4)
}
