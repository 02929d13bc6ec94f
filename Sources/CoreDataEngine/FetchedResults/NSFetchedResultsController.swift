public import Foundation

/// The results of a fetch request in sections, kept up to date while objects of the context change.
///
/// The results follow the context as long as there is a delegate, which is notified of each change; without one they
/// stay as they were fetched. Changes are reported when the context processes them. A change costs by what changed and
/// the logarithm of the number of results, unless the request has a limit or an offset; then each change asks the
/// store.
///
/// To be used on the queue of the context.
open class NSFetchedResultsController<ResultType>: NSFetchedResultsControllerBase, FetchedResultsPresenting {
    /// The fetch request. Changes to it have an effect from the next fetch on.
    open var fetchRequest: NSFetchRequest<ResultType> { request }
    private final let request: NSFetchRequest<ResultType>
    private final var objects: (version: Int, elements: [ResultType])?

    /// Creates a controller, which has no results before the first fetch.
    ///
    /// Nothing is fetched before ``performFetch()``. The cache is used if the section key path is a key of the objects
    /// themselves and the context has neither unsaved changes nor a parent; a file that was written for another
    /// request, model or state of the rows is ignored and replaced.
    ///
    /// ```swift
    /// let request = NSFetchRequest<Book>(entityName: "Book")
    /// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    /// let controller = NSFetchedResultsController(
    ///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    /// try controller.performFetch()
    /// ```
    ///
    /// - Parameters:
    ///   - fetchRequest: What to fetch. Needs sort descriptors, of which the first has to go with the sections.
    ///   - context: The context to fetch in and to follow.
    ///   - sectionNameKeyPath: Whose value, as a string, is the name of an object's section; `nil` for one section.
    ///   - name: Under which name to keep the sections in a file, for the next time; `nil` not to.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        request = fetchRequest
        super.init(
            FetchedResultsCore(
                request: fetchRequest, context: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: name))
        core.controller = self
    }

    /// Another controller's results in this type.
    init(presenting core: FetchedResultsCore) {
        let request = NSFetchRequest<ResultType>()
        core.request.copySettings(to: request)
        self.request = request
        super.init(core)
    }

    /// Who is notified of changes.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// The context to fetch in and to follow.
    open var managedObjectContext: NSManagedObjectContext { core.context }
    /// Whose value, as a string, is the name of an object's section.
    open var sectionNameKeyPath: String? { core.sectionNameKeyPath }
    /// The name of the file in which the sections are kept.
    open var cacheName: String? { core.cacheName }

    /// Fetches, and replaces the results.
    ///
    /// The delegate is not notified, unless it takes snapshots.
    ///
    /// - Throws: The fetch's error, or one that names the sort descriptor or section key path that can't be used: there
    ///   are no sort descriptors, a key is not known or transient, the objects of a section don't stand together.
    open func performFetch() throws {
        if let type = ResultType.self as? NSManagedObject.Type { ManagedObjectClass.noticed(type) }
        try core.performFetch()
    }

    /// Deletes a file of sections, or all of them.
    ///
    /// The results of controllers that have fetched don't change. A file that doesn't exist, or can't be deleted, is no
    /// error: a cache that is out of date is never used.
    ///
    /// - Parameter name: The `cacheName` of controllers; `nil` for all.
    open class func deleteCache(withName name: String?) { SectionCache.delete(name) }

    /// The file of sections with a name, for tests.
    package static func cacheFile(withName name: String) -> URL { SectionCache.file(name) }

    // MARK: Results

    /// The results in order; `nil` before the first fetch.
    open var fetchedObjects: [ResultType]? {
        guard let content = core.content else { return nil }
        if let objects, objects.version == core.version { return objects.elements }
        var elements: [ResultType] = []
        elements.reserveCapacity(content.count)
        content.visit { elements.append(element($0)) }
        objects = (core.version, elements)
        return elements
    }

    /// Returns the result at an index path.
    ///
    /// Before the first fetch, each index path is out of bounds. Reading the values of a fault fires it.
    ///
    /// - Parameter indexPath: The section and the row. An index path that is out of bounds stops the program with a
    ///   message.
    open func object(at indexPath: IndexPath) -> ResultType {
        guard indexPath.count == 2,
            let entry = core.content?.entry(at: ResultPath(section: indexPath[0], row: indexPath[1]))
        else { programmerError("The fetched results controller has no object at index path \(indexPath).") }
        return element(entry)
    }

    /// Returns the index path of a result.
    ///
    /// Before the first fetch it is `nil`. For results that are object IDs, pass the ID.
    ///
    /// - Parameter object: The object.
    /// - Returns: The index path, or `nil` if the object isn't among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        core.entry(for: object).flatMap { core.content?.path(of: $0).indexPath }
    }

    /// Whether the results' structure is intact, for tests.
    package final func checkInvariants() -> [String] { core.content?.checkInvariants() ?? [] }

    private func element(_ entry: ResultEntry) -> ResultType {
        let element = core.presented(entry.object)
        guard let typed = Self.typed(element) else {
            programmerError("A result of the controller is \(type(of: element)), not \(ResultType.self).")
        }
        return typed
    }

    /// A result in the controller's type; where a dictionary doesn't have it, an object of Foundation's class may.
    private static func typed(_ result: Any) -> ResultType? {
        if let typed = result as? ResultType { return typed }
        return (result as? [String: Any]).flatMap { NSDictionary(dictionary: $0) as? ResultType }
    }

    // MARK: Sections

    /// The sections in order; `nil` before the first fetch. Without a section key path there is one section.
    open var sections: [any NSFetchedResultsSectionInfo]? { core.sections }

    /// The titles of the sections for an index, without those that have none.
    open var sectionIndexTitles: [String] {
        if let original { return original.sectionIndexTitles }
        return titledSections.map(\.title)
    }

    /// Returns the title of a section in the index: that of the delegate, or the first letter in upper case. Subclasses
    /// may override it.
    ///
    /// The delegate's titles count only if an override calls `super`. A section whose name is empty has no title, so it
    /// is left out of ``sectionIndexTitles``.
    ///
    /// - Parameter sectionName: The name of the section.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if let original { return original.sectionIndexTitle(forSectionName: sectionName) }
        return core.defaultIndexTitle(forSectionName: sectionName)
    }

    /// The section for a title of the index.
    ///
    /// If the title at the index is another one, the first section with the title is returned.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - sectionIndex: Its index in ``sectionIndexTitles``.
    /// - Returns: The index of the section; `NSNotFound` when no section has the title.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        if let original { return original.section(forSectionIndexTitle: title, at: sectionIndex) }
        let titled = titledSections
        if titled.indices.contains(sectionIndex), titled[sectionIndex].title == title {
            return titled[sectionIndex].section
        }
        return titled.first { $0.title == title }?.section ?? NSNotFound
    }

    private var titledSections: [(title: String, section: Int)] {
        (core.sections ?? []).enumerated().compactMap { index, section in
            sectionIndexTitle(forSectionName: section.name).map { ($0, index) }
        }
    }

    // MARK: Identity

    /// The application's controller, for one that presents its results.
    private var original: (any FetchedResultsPresenting)? {
        guard let controller = core.controller, controller !== self as AnyObject else { return nil }
        return controller
    }

    func checkType(of results: some Sequence<Any>) throws {
        var met: (any Any.Type)?
        for result in results where type(of: result) != met {
            guard Self.typed(result) != nil else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "A fetch of \(fetchRequest.entityName ?? "objects") gives \(type(of: result)), not "
                        + "\(ResultType.self).")
            }
            met = type(of: result)
        }
    }
}
