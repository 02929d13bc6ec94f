public import OpenCoreDataKit

/// Objects in sections, from which a data source fills a table or a collection.
///
/// ``FetchedResultsDataProvider`` gives what a controller has fetched; a provider of your own needs numbers, names and
/// objects alone, the rest has an answer already. For the main queue alone.
@MainActor public protocol DataProvider<Object>: AnyObject {
    /// The type of the objects that the cells show.
    associatedtype Object

    /// The number of sections.
    var numberOfSections: Int { get }
    /// All objects, section after section; `nil` when nothing was fetched.
    var fetchedObjects: [Object]? { get }
    /// The number of objects.
    var fetchedObjectsCount: Int { get }
    /// Whether there is no object.
    var isEmpty: Bool { get }
    /// Whose value names an object's section; `nil` for one section.
    var sectionNameKeyPath: String? { get }
    /// The titles of the sections in an index.
    var sectionIndexTitles: [String] { get }
    /// The name under which the sections are kept in a file; `nil` when they are not.
    var cacheName: String? { get }

    /// The number of objects in a section; 0 for one that is not there.
    ///
    /// Data sources ask only for sections that there are.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The number.
    func numberOfItems(in section: Int) -> Int
    /// The name of a section; `nil` for one that is not there.
    ///
    /// The name is that of the section's objects, not the title that is shown.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The name, or `nil`.
    func name(in section: Int) -> String?
    /// The object at an index path of section and row, which has to be there.
    ///
    /// Data sources ask only for index paths that the numbers of sections and items allow.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The object.
    func object(at indexPath: IndexPath) -> Object
    /// Where an object stands; `nil` if it is not there.
    ///
    /// An object that occurs several times may have any of its index paths.
    ///
    /// - Parameter object: The object.
    /// - Returns: The index path, or `nil`.
    func indexPath(forObject object: Object) -> IndexPath?
    /// The section for a title of the index.
    ///
    /// The default is the section at the title's index.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - index: Its index in ``sectionIndexTitles``.
    /// - Returns: The index of the section.
    func section(forSectionIndexTitle title: String, at index: Int) -> Int
    /// A section; `nil` for one that is not there, or of which there is nothing more to report.
    ///
    /// The default is `nil`.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The section, or `nil`.
    func sectionInfo(forSection section: Int) -> (any NSFetchedResultsSectionInfo)?
}

extension DataProvider {
    /// The objects of all sections.
    public var fetchedObjects: [Object]? {
        (0..<numberOfSections).flatMap { section in
            (0..<numberOfItems(in: section)).map { object(at: IndexPath(row: $0, section: section)) }
        }
    }

    /// The sum of all sections.
    public var fetchedObjectsCount: Int { (0..<numberOfSections).reduce(0) { $0 + numberOfItems(in: $1) } }

    /// Whether the sections have no object.
    public var isEmpty: Bool { fetchedObjectsCount == 0 }

    /// None.
    public var sectionNameKeyPath: String? { nil }

    /// None.
    public var sectionIndexTitles: [String] { [] }

    /// None.
    public var cacheName: String? { nil }

    /// The section at the title's index.
    ///
    /// Fits providers with one title for each section.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - index: Its index.
    /// - Returns: The index.
    public func section(forSectionIndexTitle title: String, at index: Int) -> Int { index }

    /// None.
    ///
    /// Data sources don't need it.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: `nil`.
    public func sectionInfo(forSection section: Int) -> (any NSFetchedResultsSectionInfo)? { nil }

    // MARK: For the module

    /// The object at an index path; `nil` if the index path is out of bounds.
    func objectIfAny(at indexPath: IndexPath) -> Object? {
        guard indexPath.count == 2, indexPath.section >= 0, indexPath.section < numberOfSections, indexPath.row >= 0,
            indexPath.row < numberOfItems(in: indexPath.section)
        else { return nil }
        return object(at: indexPath)
    }

    /// The names of the sections, in order.
    var sectionNames: [String] { (0..<numberOfSections).map { name(in: $0) ?? "" } }

    /// The whole list.
    var list: ListState<Object> {
        ListState(
            names: sectionNames,
            rows: (0..<numberOfSections).map { section in
                (0..<numberOfItems(in: section)).map { object(at: IndexPath(row: $0, section: section)) }
            })
    }
}
