import Foundation

/// What a fetched results controller has and does, whatever the type of its results.
///
/// Used on the queue of the context.
final class FetchedResultsCore: ContextTracker {
    let request: NSFetchRequestBase
    let context: NSManagedObjectContext
    let sectionNameKeyPath: String?
    let cacheName: String?
    /// The controller that the application made.
    weak var controller: (any FetchedResultsPresenting)?
    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            delegateLacks = []
            isDelegateKnown = false
            wasGivenSnapshot = false
        }
    }
    /// Methods that the delegate was found to leave out.
    var delegateLacks: DelegateLacks = []
    /// Whether `delegateLacks` says how changes are to be reported.
    var isDelegateKnown = false
    /// Whether the delegate was offered a snapshot, so that `delegateLacks` says whether it takes them.
    var wasGivenSnapshot = false
    /// The controller in the type that delegates get, while anybody has it.
    weak var presented: NSFetchedResultsController<any NSFetchRequestResult>?

    private(set) var query: ResultQuery?
    private(set) var content: ResultContent?
    /// Counts the changes of `content`, so that what was made from it can be kept.
    private(set) var version = 0
    /// Whether something may have changed that was not followed, for want of a delegate.
    var hasMissedChanges = false
    private var sectionList: (version: Int, sections: [any NSFetchedResultsSectionInfo])?

    init(
        request: NSFetchRequestBase, context: NSManagedObjectContext, sectionNameKeyPath: String?, cacheName: String?
    ) {
        self.request = request
        self.context = context
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
    }

    // MARK: Fetching

    /// Fetches and replaces the results. Without success the results stay as they were.
    func performFetch() throws {
        context.checkQueue()
        let query = try ResultQuery(request, sectionNameKeyPath: sectionNameKeyPath, context)
        let content = try makeContent(query, usesCache: true)
        self.query = query
        replaceContent(content)
        hasMissedChanges = false
        if !query.isStatic { context.observers.add(self) }
        notifyOfFetch()
    }

    /// Fetches again without changing the present results.
    func makeContent(_ query: ResultQuery, usesCache: Bool) throws -> ResultContent {
        let objects = try query.fetch(in: context)
        try controller?.checkType(of: objects.lazy.map { self.presented($0) })
        let cache = usesCache ? SectionCache(self, query) : nil
        let digest = cache.map { _ in SectionCache.digest(of: objects) }
        let known = digest.flatMap { cache?.read(digest: $0, count: objects.count) }
        let content = try ResultContent(
            objects, order: query.order, naming: query.naming, controller: self, known: known)
        if let cache, let digest, known == nil { cache.write(content, digest: digest) }
        if !query.isStatic { recordKeys(content, query) }
        return content
    }

    /// Objects whose insertion is still to be announced may be changed before it is: how they are sorted now decides
    /// whether they will have moved by then. The same holds for all where changes count only once they are saved.
    private func recordKeys(_ content: ResultContent, _ query: ResultQuery) {
        guard query.request.includesPendingChanges else {
            content.visit { content.recordKeys(of: $0) }
            return
        }
        for object in context.changeTracker.insertedInEvent {
            if let entry = content.entry(for: object) { content.recordKeys(of: entry) }
        }
    }

    /// The objects are no longer the context's. There is nothing to report; the next fetch brings new ones.
    override func contextDidReset() { query = nil }

    override func contextDidChange(_ change: TrackedChange) { follow(change) }

    override func objectWillChange(_ object: NSManagedObject) { recordKeys(beforeChangeOf: object) }

    override func identifiersDidChange(_ objects: ContiguousArray<NSManagedObject>) {
        #if !canImport(Darwin)
        notifyOfIdentifiers(of: objects)
        #endif
    }

    func replaceContent(_ content: ResultContent?) {
        self.content = content
        didChangeContent()
    }

    /// To be called after `content` changed.
    func didChangeContent() { version += 1 }

    // MARK: Presenting

    /// What the application gets for a result.
    func presented(_ result: AnyObject) -> Any {
        if let dictionary = result as? DictionaryResult { return dictionary.value }
        if request.resultType == .managedObjectIDResultType, let object = result as? NSManagedObject {
            return object.objectID
        }
        return result
    }

    /// The entry for what the application got for a result.
    func entry(for element: Any) -> ResultEntry? {
        guard let content else { return nil }
        if let object = element as? NSManagedObject { return content.entry(for: object) }
        if let id = element as? NSManagedObjectID {
            return context.registeredObject(id).flatMap { content.entry(for: $0) }
        }
        guard query?.isStatic == true, let wanted = element as? NSDictionary else { return nil }
        var found: ResultEntry?
        content.visit { entry in
            let box = entry.object as? DictionaryResult
            if found == nil, (box?.value as? NSDictionary) == wanted { found = entry }
        }
        return found
    }

    var sections: [any NSFetchedResultsSectionInfo]? {
        guard let content else { return nil }
        if let sectionList, sectionList.version == version { return sectionList.sections }
        let sections: [any NSFetchedResultsSectionInfo] = content.sections.map { $0 }
        sectionList = (version, sections)
        return sections
    }

    /// The title of a section, by the application's controller.
    func indexTitle(forSectionName name: String) -> String? {
        if let controller { return controller.sectionIndexTitle(forSectionName: name) }
        return defaultIndexTitle(forSectionName: name)
    }

    /// The delegate's title if it gives titles, else the first letter in upper case.
    func defaultIndexTitle(forSectionName name: String) -> String? {
        if let delegate, !delegateLacks.contains(.indexTitles) {
            let title = delegate.controller(forDelegate, sectionIndexTitleForSectionName: name)
            if !delegateLacks.contains(.indexTitles) { return title }
        }
        return name.first.map { String($0).uppercased() }
    }

    /// The controller in the type that delegates get.
    var forDelegate: NSFetchedResultsController<any NSFetchRequestResult> {
        if let controller = controller as? NSFetchedResultsController<any NSFetchRequestResult> { return controller }
        if let presented { return presented }
        let made = NSFetchedResultsController<any NSFetchRequestResult>(presenting: self)
        presented = made
        return made
    }
}

/// The application's controller, as the core sees it.
protocol FetchedResultsPresenting: AnyObject {
    var core: FetchedResultsCore { get }
    func sectionIndexTitle(forSectionName sectionName: String) -> String?
    var sectionIndexTitles: [String] { get }
    func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int
    /// - Throws: An error if a result is not of the controller's type.
    func checkType(of results: some Sequence<Any>) throws
}
