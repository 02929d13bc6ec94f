#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// The identifiers of a whole list in its order, which take eight bytes each.
///
/// Where no index has the order, a store sorts all objects for a page far down the list, and sorts them again for the next
/// page. So they are sorted once, and pages are taken from the result.
// `objects` is read on the queue of its context alone.
final class SortedOrder: @unchecked Sendable {
    /// The most identifiers that are kept.
    private static let most = 10_000_000

    private let context: NSManagedObjectContext
    private let objects: FetchedObjects<NSManagedObjectID>

    /// Sorts a list. The reader's context is kept.
    init(_ list: ObjectList, in reader: StoreReader) throws {
        context = reader.context
        let sorted = list.request(offset: 0, limit: Self.most)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: list.entity.displayName)
        request.resultType = .managedObjectIDResultType
        request.predicate = sorted.predicate
        request.sortDescriptors = sorted.sortDescriptors
        request.fetchLimit = sorted.fetchLimit
        objects = try context.fetchInBatches(request)
    }

    /// The identifiers of a page; nil for one beyond those that are kept.
    func ids(_ wanted: PageRequest) -> [NSManagedObjectID]? {
        context.performAndWait {
            let end = wanted.offset + wanted.limit
            guard end <= objects.count || objects.count < Self.most else { return nil }
            return (min(wanted.offset, objects.count)..<min(end, objects.count)).map(objects.objectID(at:))
        }
    }
}
#endif
