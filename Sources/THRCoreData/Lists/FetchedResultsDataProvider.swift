import CoreDataPlatform
public import OpenCoreDataKit

/// What a controller has fetched, with a delegate that gets each change as one batch.
///
/// For the main queue alone.
@MainActor public final class FetchedResultsDataProvider<Delegate: DataProviderDelegate>: DataProvider
where Delegate.Object: NSFetchRequestResult {
    /// The type of the fetched objects.
    public typealias Object = Delegate.Object

    /// The controller, whose delegate the provider is.
    public let fetchedResultsController: NSFetchedResultsController<Object>
    private weak var delegate: Delegate?
    private var collector: ControllerChangeCollector?
    private var resetToken: ContextWatch.Token?

    /// Fetches, and follows the controller from then on.
    ///
    /// An invalid request stops the program; ``init(fetching:delegate:)`` throws instead.
    ///
    /// - Parameters:
    ///   - controller: The controller, of a context of the main queue.
    ///   - delegate: The delegate to notify of changes. Held weakly.
    public convenience init(fetchedResultsController controller: NSFetchedResultsController<Object>, delegate: Delegate)
    {
        do {
            try self.init(fetching: controller, delegate: delegate)
        } catch {
            programmerError(
                "The data provider of \(controller.fetchRequest.entityName ?? "\(Object.self)") can't fetch: "
                    + DatabaseError.sentence(error))
        }
    }

    /// Fetches, and follows the controller from then on.
    ///
    /// The provider becomes the controller's delegate, so don't set another one. After the context was reset, it
    /// fetches again and reports that everything may be different.
    ///
    /// - Parameters:
    ///   - controller: The controller, of a context of the main queue.
    ///   - delegate: Who is notified of changes. Held weakly.
    /// - Throws: The fetch's error; `DatabaseError.invalidQuery` for a context of another queue.
    public init(fetching controller: NSFetchedResultsController<Object>, delegate: Delegate) throws {
        let context = controller.managedObjectContext
        guard context.concurrencyType == .mainQueueConcurrencyType else {
            throw DatabaseError.invalidQuery(
                entity: controller.fetchRequest.entityName ?? "\(Object.self)",
                reason: "A data provider needs a context of the main queue.")
        }
        fetchedResultsController = controller
        self.delegate = delegate
        try controller.performFetch()
        let collector = ControllerChangeCollector { [weak self] changes in
            onMainActor { self?.notify(changes.listChanges) }
        }
        controller.delegate = collector
        self.collector = collector
        resetToken = ContextWatch.of(context).add { [weak self] event in
            guard case .reset = event else { return }
            onMainActor { self?.fetchAgain() }
        }
    }

    // MARK: Notifying

    private func notify(_ changes: ListChanges) {
        guard !changes.isEmpty else { return }
        delegate?.dataProviderDidUpdate(updates: changes.updates { object(at: $0) })
    }

    /// The objects that were there are the context's objects no more.
    private func fetchAgain() {
        do {
            try fetchedResultsController.performFetch()
        } catch {
            DiagnosticLog.warn("THRCoreData", "A data provider can't fetch: \(DatabaseError.sentence(error))")
        }
        delegate?.dataProviderDidUpdate(updates: nil)
    }

    // MARK: Changing what is fetched

    /// Changes the request and fetches again; the delegate is notified that everything may be different. Cached
    /// sections are deleted first.
    ///
    /// An invalid request stops the program; ``refetch(withConfigurationBlock:)`` throws instead.
    ///
    /// If the fetch fails, the program stops, so use ``refetch(withConfigurationBlock:)`` for conditions that the user
    /// enters.
    ///
    /// - Parameter configure: Changes the settings of the request.
    public func reconfigureFetchRequest(_ configure: (NSFetchRequest<Object>) -> Void) {
        do {
            try refetch(withConfigurationBlock: configure)
        } catch {
            programmerError(
                "The data provider of \(fetchedResultsController.fetchRequest.entityName ?? "\(Object.self)") can't fetch: "
                    + DatabaseError.sentence(error))
        }
    }

    /// Changes the request and fetches again; the delegate is notified that everything may be different. Cached
    /// sections are deleted first.
    ///
    /// - Parameter configure: Changes the settings of the request.
    /// - Throws: The fetch's error; the request keeps its new settings.
    public func refetch(withConfigurationBlock configure: (NSFetchRequest<Object>) -> Void) throws {
        if let cacheName { NSFetchedResultsController<Object>.deleteCache(withName: cacheName) }
        configure(fetchedResultsController.fetchRequest)
        try fetchedResultsController.performFetch()
        delegate?.dataProviderDidUpdate(updates: nil)
    }

    // MARK: Looking up

    private var sections: [any NSFetchedResultsSectionInfo] { fetchedResultsController.sections ?? [] }

    /// The number of sections.
    public var numberOfSections: Int { sections.count }

    /// All objects, section after section.
    public var fetchedObjects: [Object]? { fetchedResultsController.fetchedObjects }

    /// The number of objects.
    public var fetchedObjectsCount: Int { fetchedObjects?.count ?? 0 }

    /// Whose value names an object's section; `nil` for one section.
    public var sectionNameKeyPath: String? { fetchedResultsController.sectionNameKeyPath }

    /// The titles of the sections in an index.
    public var sectionIndexTitles: [String] { fetchedResultsController.sectionIndexTitles }

    /// The name under which the sections are kept in a file; `nil` when they are not.
    public var cacheName: String? { fetchedResultsController.cacheName }

    /// The number of objects in a section; 0 for one that is not there.
    ///
    /// Reads what was fetched, without another fetch.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The number.
    public func numberOfItems(in section: Int) -> Int { sectionInfo(forSection: section)?.numberOfObjects ?? 0 }

    /// The name of a section; `nil` for one that is not there.
    ///
    /// The name is the value at the section key path, as a string.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The name, or `nil`.
    public func name(in section: Int) -> String? { sectionInfo(forSection: section)?.name }

    /// The object at an index path of section and row. An index path out of bounds stops the program.
    ///
    /// Check ``numberOfItems(in:)`` first if the index path may be stale.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The object.
    public func object(at indexPath: IndexPath) -> Object {
        let counts = sections.map(\.numberOfObjects)
        guard indexPath.count == 2, counts.indices.contains(indexPath.section), indexPath.row >= 0,
            indexPath.row < counts[indexPath.section]
        else {
            programmerError(
                "There is no object at the index path \(Array(indexPath)): the sections have \(counts) objects.")
        }
        return fetchedResultsController.object(at: indexPath)
    }

    /// Where an object stands; `nil` if it is not there.
    ///
    /// An object of another context isn't found, even if it represents the same row.
    ///
    /// - Parameter object: The object.
    /// - Returns: The index path, or `nil`.
    public func indexPath(forObject object: Object) -> IndexPath? {
        fetchedResultsController.indexPath(forObject: object)
    }

    /// The section for a title of the index.
    ///
    /// The controller decides.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - index: Its index in ``sectionIndexTitles``.
    /// - Returns: The index of the section.
    public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
        fetchedResultsController.section(forSectionIndexTitle: title, at: index)
    }

    /// A section; `nil` for one that is not there.
    ///
    /// Don't keep it: the next change of the results replaces it.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The section, or `nil`.
    public func sectionInfo(forSection section: Int) -> (any NSFetchedResultsSectionInfo)? {
        let sections = sections
        return sections.indices.contains(section) ? sections[section] : nil
    }
}
