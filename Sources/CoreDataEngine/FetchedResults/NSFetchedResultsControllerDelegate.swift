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
    ///
    /// The results are still the old ones. It isn't called for a delegate that takes snapshots or differences.
    ///
    /// - Parameter controller: The controller whose results change.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    /// Called for a section that came or went.
    ///
    /// The results are the new ones already. It isn't called for a delegate that takes snapshots or differences.
    ///
    /// - Parameters:
    ///   - sectionInfo: The section. One that went has no objects any longer.
    ///   - sectionIndex: Its index: before the pass for one that went, after it for one that came.
    ///   - type: `.insert` or `.delete`.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Called for an object that came, went, moved or was updated.
    ///
    /// The results are the new ones already. The changes of a pass come in the order deletions, insertions, moves,
    /// updates. An object that moved and was also updated is reported as a move. `anObject` is an object ID if the
    /// request asks for IDs.
    ///
    /// - Parameters:
    ///   - indexPath: Where it was; `nil` for one that came.
    ///   - newIndexPath: Where it is; `nil` for one that went.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called after the results changed.
    ///
    /// It is called once for each pass, after all changes were reported. It isn't called for a delegate that takes
    /// snapshots or differences.
    ///
    /// - Parameter controller: The controller whose results have changed.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

    #if !canImport(Darwin)
    /// Called with the results after each fetch and each change, identifiers in place of objects.
    ///
    /// The sections are named by strings, and the items are object IDs; those that were updated are among the reloaded
    /// items. The call of ``NSFetchedResultsController/performFetch()`` comes before that function returns. When new
    /// objects are saved, the snapshot comes again with their permanent IDs. The content is only computed if the
    /// delegate reads or keeps the snapshot.
    ///
    /// - Parameters:
    ///   - controller: The controller whose results have changed.
    ///   - snapshot: All results.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)
    #endif

    /// Called with the changes of a pass, for a controller without sections.
    ///
    /// An object that moved, or was updated, is a removal and an insertion that name each other's offset.
    ///
    /// - Parameters:
    ///   - controller: The controller whose results have changed.
    ///   - diff: The changes, as steps from the old list of object IDs to the new one.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title of a section in the index; `nil` for none.
    ///
    /// A section without a title is left out of ``NSFetchedResultsController/sectionIndexTitles``. A delegate that
    /// doesn't implement it gets the first letter of the name in upper case.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionName: The name of the section.
    /// - Returns: The title, or `nil` for a section without one.
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

/// The methods that a delegate leaves out. Each records that it was left out, which decides how changes are reported.
extension NSFetchedResultsControllerDelegate {
    /// Does nothing.
    ///
    /// A delegate that doesn't implement the method has this implementation.
    ///
    /// - Parameter controller: The controller whose results change.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    /// Does nothing.
    ///
    /// A delegate that doesn't implement the method has this implementation.
    ///
    /// - Parameters:
    ///   - controller: The controller whose results have changed.
    ///   - sectionInfo: The section.
    ///   - sectionIndex: Its index.
    ///   - type: `.insert` or `.delete`.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    /// Does nothing.
    ///
    /// A delegate that doesn't implement the method has this implementation.
    ///
    /// - Parameters:
    ///   - controller: The controller whose results have changed.
    ///   - anObject: The result.
    ///   - indexPath: The former index path.
    ///   - type: What happened to the result.
    ///   - newIndexPath: The new index path.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    ///
    /// A delegate that doesn't implement the method has this implementation.
    ///
    /// - Parameter controller: The controller whose results have changed.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

    #if !canImport(Darwin)
    /// Does nothing; the changes are reported in another form.
    ///
    /// By this call, the controller finds out that the delegate doesn't take snapshots.
    ///
    /// - Parameters:
    ///   - controller: The controller whose results have changed.
    ///   - snapshot: All results.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        controller.core.delegateLacks.insert(.snapshots)
    }
    #endif

    /// Does nothing; the changes are reported in another form.
    ///
    /// By this call, the controller finds out that the delegate doesn't take differences.
    ///
    /// - Parameters:
    ///   - controller: The controller whose results have changed.
    ///   - diff: The changes.
    public func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.core.delegateLacks.insert(.differences)
    }

    /// Leaves the title to the controller.
    ///
    /// The controller then uses the first letter of the section's name, in upper case.
    ///
    /// - Parameters:
    ///   - controller: The controller.
    ///   - sectionName: The name of the section.
    /// - Returns: `nil`.
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
