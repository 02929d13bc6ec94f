public import OpenCoreDataKit

/// Keeps a list on a screen in step with what a query finds. Base of ``TableViewDataProvider`` and
/// ``CollectionViewDataProvider``.
@MainActor public class ViewDataProvider<T: NSManagedObject> {
    /// The context that is read.
    public let context: CoreDataMainContext
    private(set) var results: LiveResults<T>?
    /// Shows results on the surface that is bound.
    private var attach: (@MainActor (LiveResults<T>) -> Void)?
    /// Takes the results off the surface that is bound.
    private var detach: (@MainActor () -> Void)?
    private let listener = ChangeListener()
    /// What a view asks for its rows, which views hold weakly.
    var keep: AnyObject?

    /// The title of a section, by name and index; the name if omitted.
    public var onGetSectionTitle: (@MainActor (String, Int) -> String)?
    /// The title of a section in the index, by the section's name.
    public var onGetIndexTitle: (@MainActor (String) -> String)?
    /// Called after the list on the screen has taken a change.
    public var onDataChanged: (@MainActor () -> Void)?
    /// Filters or regroups the objects of the sections before they are shown; see ``filter()``.
    public var objectFilter: (@MainActor ([[T]]) -> [[T]])? {
        didSet { results?.arrange = objectFilter }
    }

    init(context: CoreDataMainContext) {
        self.context = context
        listener.didChange = { [weak self] in self?.onDataChanged?() }
    }

    // MARK: Loading

    /// Shows the objects that match, in one batch of all rows, and what becomes of them from now on.
    ///
    /// Called again, it replaces what is shown; the surface is reloaded. If it throws, the earlier objects stay.
    ///
    /// - Parameters:
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: Their order.
    ///   - sectionBy: What makes the sections.
    ///   - options: Settings of the fetch.
    /// - Returns: The provider itself.
    /// - Throws: `DatabaseError.invalidQuery` for an invalid condition, ``CoreDataUnregisteredClass``, or the fetch's
    ///   error.
    @discardableResult
    public func query(
        _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy, sectionBy: CoreDataQueryKey? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> Self {
        let controller = try context.fetchResults(
            T.self, query, orderBy: orderBy, sectionBy: sectionBy, options: options)
        let next = try LiveResults(
            request: controller.fetchRequest, sectionKeyPath: sectionBy?.path, in: context.managedObjectContext)
        next.arrange = objectFilter
        results = next
        connect(next)
        return self
    }

    /// The same as ``query(_:orderBy:sectionBy:options:)``.
    ///
    /// - Parameters:
    ///   - query: Which objects; all if omitted.
    ///   - orderBy: Their order.
    ///   - sectionBy: What makes the sections.
    ///   - options: Settings of the fetch.
    /// - Returns: The provider itself.
    /// - Throws: The errors of ``query(_:orderBy:sectionBy:options:)``.
    @discardableResult
    public func load(
        _ query: CoreDataQuery? = nil, orderBy: CoreDataOrderBy, sectionBy: CoreDataQueryKey? = nil,
        options: CoreDataQueryOptions? = nil
    ) throws -> Self {
        try self.query(query, orderBy: orderBy, sectionBy: sectionBy, options: options)
    }

    /// Shows the results on a surface from now on, instead of the one before.
    ///
    /// - Parameters:
    ///   - row: Makes a row where `current` makes none.
    ///   - current: Makes a row as the application wants it by now.
    func show<Row>(
        on surface: some ListSurface<Row>, row: @escaping @MainActor (T, IndexPath) -> Row,
        current: @escaping @MainActor (T, IndexPath) -> Any?
    ) {
        detach?()
        attach = { [weak self, weak surface] results in
            guard let surface else { return }
            results.drive(
                surface, title: { name, section in self?.onGetSectionTitle?(name, section) ?? name },
                row: { object, path in current(object, path) as? Row ?? row(object, path) })
        }
        detach = { [weak self, weak surface] in
            guard let surface else { return }
            self?.results?.stopDriving(surface)
        }
        if let results { connect(results) }
    }

    /// The listener comes last, and so is notified of a change when it is shown.
    private func connect(_ results: LiveResults<T>) {
        attach?(results)
        listener.isDeaf = true
        results.drive(listener) { _, _ in }
        listener.isDeaf = false
    }

    /// Applies ``objectFilter`` again, after something else that it goes by has changed.
    ///
    /// The difference is shown as one batch. Nothing is fetched.
    public func filter() { results?.rearrange() }

    /// Fetches again, and shows what is different.
    ///
    /// Needed only after changes that no context was notified of. Before the first query nothing happens.
    ///
    /// - Throws: The fetch's error; the list stays as it was.
    public func reload() throws { try results?.refetch() }

    // MARK: Looking up

    /// The controller behind the list; `nil` before the first query.
    public var fetchedResultsController: NSFetchedResultsController<T>? { results?.controller }

    /// The number of sections that are shown.
    ///
    /// 0 before the first query.
    ///
    /// - Returns: The number.
    public func numberOfSections() -> Int { results?.numberOfSections ?? 0 }

    /// The number of objects in a section; 0 for one that is not there.
    ///
    /// The number is the one after ``objectFilter``.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The number.
    public func numberOfObjectsInSection(_ section: Int) -> Int { results?.numberOfObjects(inSection: section) ?? 0 }

    /// The object at an index path; `nil` if the index path is out of bounds.
    ///
    /// The index path is the one after ``objectFilter``.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The object, or `nil`.
    public func objectAtIndexPath(_ indexPath: IndexPath) -> T? { results?[indexPath] }

    /// Where an object is shown; `nil` if it is not.
    ///
    /// An object of another context isn't found, even if it represents the same row.
    ///
    /// - Parameter object: The object.
    /// - Returns: The index path, or `nil`.
    public func indexPathForObject(_ object: T) -> IndexPath? { results?.indexPath(of: object) }

    /// The title of a section; `nil` for one that is not there.
    ///
    /// Comes from ``onGetSectionTitle``, or is the section's name without it.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The title, or `nil`.
    public func titleOfSection(_ section: Int) -> String? {
        guard let name = results?.name(ofSection: section) else { return nil }
        return onGetSectionTitle?(name, section) ?? name
    }

    /// The titles of the sections in the index; `nil` unless ``onGetIndexTitle`` is set.
    public var sectionIndexTitles: [String]? {
        guard let onGetIndexTitle else { return nil }
        return results?.sectionNames.map(onGetIndexTitle)
    }
}

/// Is notified of each batch.
@MainActor private final class ChangeListener: ListSurface {
    var didChange: (@MainActor () -> Void)?
    var isDeaf = false

    func show(_ content: ListContent<Void>?) {}

    func reload() {
        if !isDeaf { didChange?() }
    }

    func apply(_ changes: ListChanges, completion: @escaping @MainActor () -> Void) {
        didChange?()
        completion()
    }
}
