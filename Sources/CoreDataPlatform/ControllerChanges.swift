/// What a fetched results controller reported to its delegate between will-change and did-change.
package struct ControllerChanges {
    /// An object's change as it was reported.
    package struct Row {
        package let object: Any
        package let type: NSFetchedResultsChangeType
        package let old: IndexPath?
        package let new: IndexPath?
    }

    /// A section's change as it was reported.
    package struct Section {
        package let name: String
        package let index: Int
        package let type: NSFetchedResultsChangeType
    }

    package var rows: [Row] = []
    package var sections: [Section] = []

    package init() {}

    package var isEmpty: Bool { rows.isEmpty && sections.isEmpty }

    /// The objects that were reported as changed, whether they moved or not.
    package var touched: [Any] { rows.filter { $0.type == .update || $0.type == .move }.map(\.object) }
}

/// A controller's delegate that reports all changes between will-change and did-change at once.
///
/// The caller has to keep it, because controllers hold their delegates weakly. Everything is called on the queue of the
/// controller's context.
package final class ControllerChangeCollector: NSObject, NSFetchedResultsControllerDelegate {
    private var pending = ControllerChanges()
    private let willChange: () -> Void
    private let didChange: (ControllerChanges) -> Void
    private let indexTitle: ((String) -> String?)?

    /// - Parameters:
    ///   - willChange: Called before the results change.
    ///   - indexTitle: The title of a section in the index; `nil` leaves titles to the controller.
    ///   - didChange: Called with what changed, after it did.
    package init(
        willChange: @escaping () -> Void = {}, indexTitle: ((String) -> String?)? = nil,
        didChange: @escaping (ControllerChanges) -> Void
    ) {
        self.willChange = willChange
        self.indexTitle = indexTitle
        self.didChange = didChange
    }

    package func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        pending = ControllerChanges()
        willChange()
    }

    package func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        pending.sections.append(ControllerChanges.Section(name: sectionInfo.name, index: sectionIndex, type: type))
    }

    package func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        pending.rows.append(ControllerChanges.Row(object: anObject, type: type, old: indexPath, new: newIndexPath))
    }

    package func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        let changes = pending
        pending = ControllerChanges()
        didChange(changes)
    }

    package func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        if let indexTitle { return indexTitle(sectionName) }
        return sectionName.first.map { String($0).uppercased() }
    }
}
