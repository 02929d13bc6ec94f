public import OpenCoreDataKit

/// A section of a ``FetchedResultsController``, as it was when it was requested.
public struct FetchedResultsSectionInfo<T: NSManagedObject> {
    /// The objects in order; none for a section that went.
    public let objects: [T]
    /// The value that the objects of the section share at the section key path, as a string.
    public let name: String
    /// The title in an index of sections.
    public let indexTitle: String?

    init(_ info: any NSFetchedResultsSectionInfo) {
        objects = info.objects?.compactMap { $0 as? T } ?? []
        name = info.name
        indexTitle = info.indexTitle
    }
}
