/// A section of a fetched results controller.
///
/// Like the controller, to be used on the queue of its context.
public protocol NSFetchedResultsSectionInfo: AnyObject {
    /// What the section's objects have in common: the value at the section key path, as a string.
    var name: String { get }
    /// The title in an index of sections.
    var indexTitle: String? { get }
    /// How many objects the section has.
    var numberOfObjects: Int { get }
    /// The objects in order.
    var objects: [Any]? { get }
}
