import OpenCoreDataKit

/// What a controller reports.
enum ResultsEvent<T: NSManagedObject> {
    case didPerformFetch
    case willChange
    case didChange
    case object(FetchedResultsObjectChange<T>)
    case section(FetchedResultsSectionChange<T>)
}

/// Receives what the engine's controller reports, and hands it on in the types of the library's.
final class ResultsListener<T: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate {
    weak var owner: FetchedResultsController<T>?

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        owner?.receive(.willChange)
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        owner?.receive(.didChange)
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        FetchedResultsSectionChange<T>(FetchedResultsSectionInfo(sectionInfo), type, sectionIndex)
            .map { owner?.receive(.section($0)) }
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? T,
            let change = FetchedResultsObjectChange(object, type, indexPath, newIndexPath)
        else { return }
        owner?.receive(.object(change))
    }
}
