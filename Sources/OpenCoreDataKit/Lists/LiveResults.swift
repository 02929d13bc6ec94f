public import CoreDataPlatform

/// The results of a query, kept up to date, optionally in sections. They can drive surfaces.
///
/// The results follow the context. Objects that are inserted, changed, deleted, merged or refreshed there appear at the
/// end of the event, and are reported as one batch. If the context is reset, or a database's main context merges an
/// import, the results are fetched again. Applying a batch of ``changes`` to the list before it returns the list after
/// it.
@MainActor public final class LiveResults<T: NSManagedObject> {
    /// The context of the results.
    public let context: NSManagedObjectContext
    /// The controller that keeps the results, before ``arrange``.
    package private(set) var controller: NSFetchedResultsController<T>
    private let sectionKeyPath: String?
    private var collector: ControllerChangeCollector?
    private var resetToken: ContextWatch.Token?
    private var commitToken: CommitHub.Token?
    /// Whose objects the condition or the order looks at besides.
    private var related = RelatedEntities()
    private var isLookingAgain = false
    /// What `arrange` made of the results; `nil` without one.
    private var arranged: ListState<T>?
    private let broadcast = Broadcast<ListChanges>()
    private let arrays = Broadcast<[T]>()
    private var drivers: [any LiveResultsDriver<T>] = []
    private var query: Query<T>?
    /// Called after each batch, before any stream or surface.
    package var didChange: (@MainActor (ListChanges) -> Void)?

    /// Fetches, and follows the context from then on.
    ///
    /// The fetch runs before this returns, and the results hold the context strongly. Streams and surfaces receive
    /// changes at the end of the event in which the context's changes are processed, saved or not. If the condition or
    /// the order reads related objects, a change of these leads to another fetch.
    ///
    /// - Parameters:
    ///   - query: The objects and their order.
    ///   - sectionKeyPath: The property whose value, as a string, is the name of an object's section; `nil` for one
    ///     section. The query has to sort by it first, or by something with the same order.
    ///   - context: A main-queue context, such as the database's main context.
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` if the context isn't a main-queue context, or the query
    ///   has no order; the fetch's error.
    public convenience init(
        _ query: Query<T>, sectionedBy sectionKeyPath: PartialKeyPath<T>? = nil, in context: NSManagedObjectContext
    ) throws {
        let name = try sectionKeyPath.map { keyPath in
            guard let name = KeyPathNames.name(of: keyPath) else {
                throw DatabaseError.invalidQuery(
                    entity: "\(T.self)",
                    reason: "The key path \(keyPath) of the sections reads no property of the model.")
            }
            return name
        }
        try self.init(request: query.fetchRequest(in: context), sectionKeyPath: name, in: context)
        self.query = query
    }

    /// Fetches from the main context of a database, and follows it from then on.
    ///
    /// The results follow ``Database/main`` at the time of the call. After ``Database/erase()``, which replaces that
    /// context, create them again.
    ///
    /// - Parameters:
    ///   - query: The objects and their order.
    ///   - sectionKeyPath: The property whose value is the name of an object's section; `nil` for one section.
    ///   - database: The database.
    /// - Throws: The errors of `init(_:sectionedBy:in:)` with a context.
    public convenience init(
        _ query: Query<T>, sectionedBy sectionKeyPath: PartialKeyPath<T>? = nil, in database: Database
    ) throws {
        try self.init(query, sectionedBy: sectionKeyPath, in: database.main)
    }

    /// Fetches, and follows the context from then on.
    ///
    /// - Parameters:
    ///   - request: What to fetch, and in which order.
    ///   - sectionKeyPath: Whose value, as a string, is the name of an object's section. The request has to sort by it first,
    ///     or by something that goes with it.
    ///   - context: A main-queue context.
    /// - Throws: ``DatabaseError/invalidQuery(entity:reason:)`` for a context of another queue, and without an order;
    ///   the fetch's error.
    package init(request: NSFetchRequest<T>, sectionKeyPath: String? = nil, in context: NSManagedObjectContext) throws {
        guard context.concurrencyType == .mainQueueConcurrencyType else {
            throw DatabaseError.invalidQuery(
                entity: request.entityName ?? "\(T.self)",
                reason: "Live results need a context of the main queue, such as the database's main context.")
        }
        try Self.checkOrder(request)
        self.context = context
        self.sectionKeyPath = sectionKeyPath
        controller = Self.makeController(request, sectionKeyPath, context)
        try start(controller)
        resetToken = ContextWatch.of(context).add { [weak self] event in
            switch event {
            case .reset, .renewed: onMainActor { self?.fetchAgain() }
            case .changed(let changes): onMainActor { self?.lookAgain(after: changes) }
            case .saved: break
            }
        }
        followRelated(request)
    }

    // MARK: Related objects

    /// Has commits that concern related objects looked at, which this context may not know.
    private func followRelated(_ request: NSFetchRequest<T>) {
        related = RelatedEntities()
        if let model = context.persistentStoreCoordinator?.managedObjectModel {
            related.add(untyped(request), of: model)
            if let sectionKeyPath { related.add(sectionKeyPath, of: model) }
        }
        commitToken = nil
        let related = related
        guard !related.isEmpty, let database = context.databaseCoordinator, database.core.mainFollows else { return }
        commitToken = database.core.hub.add { [weak self, context] commit in
            guard let commit, related.areConcerned(by: commit) else { return }
            // After what the context merges of the commit.
            context.perform { onMainActor { self?.lookAgain() } }
        }
    }

    private func lookAgain(after changes: ContextWatch.Changes) {
        guard !related.isEmpty, !isLookingAgain else { return }
        let sets = [changes.inserted, changes.updated, changes.deleted, changes.refreshed]
        guard sets.contains(where: { related.contain(anyOf: $0) }) else { return }
        isLookingAgain = true
        // The event that is going on is to end first.
        context.perform { [weak self] in onMainActor { self?.lookAgain() } }
    }

    private func lookAgain() {
        isLookingAgain = false
        // What can't be fetched now stays as it was.
        try? refetch()
    }

    nonisolated static func checkOrder(_ request: NSFetchRequest<T>) throws {
        guard request.sortDescriptors?.isEmpty != false else { return }
        throw DatabaseError.invalidQuery(
            entity: request.entityName ?? "\(T.self)",
            reason: "Live results need an order; give the query a sort descriptor.")
    }

    private static func makeController(
        _ request: NSFetchRequest<T>, _ sectionKeyPath: String?, _ context: NSManagedObjectContext
    ) -> NSFetchedResultsController<T> {
        NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sectionKeyPath, cacheName: nil)
    }

    private func start(_ controller: NSFetchedResultsController<T>) throws {
        let collector = ControllerChangeCollector { [weak self] changes in
            onMainActor { self?.take(changes) }
        }
        controller.delegate = collector
        try controller.performFetch()
        self.collector = collector
    }

    // MARK: Reading

    /// The results in sections.
    public var sections: [ListSection<T>] {
        if let arranged {
            return zip(arranged.names, arranged.rows).map { ListSection(name: $0, indexTitle: nil, objects: $1) }
        }
        return (controller.sections ?? []).map { section in
            ListSection(
                name: section.name, indexTitle: section.indexTitle,
                objects: section.objects?.compactMap { $0 as? T } ?? [])
        }
    }

    /// All results, section after section.
    public var objects: [T] { arranged.map { Array($0.rows.joined()) } ?? controller.fetchedObjects ?? [] }

    /// The number of results.
    public var count: Int {
        arranged.map { $0.rows.reduce(0) { $0 + $1.count } } ?? controller.fetchedObjects?.count ?? 0
    }

    /// Whether there are no results.
    public var isEmpty: Bool { count == 0 }

    /// The number of sections.
    public var numberOfSections: Int { arranged?.rows.count ?? controller.sections?.count ?? 0 }

    /// The number of results in a section; 0 if the section doesn't exist.
    ///
    /// With ``arrange``, this is the number after arranging.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The number of objects.
    public func numberOfObjects(inSection section: Int) -> Int {
        guard section >= 0, section < numberOfSections else { return 0 }
        return arranged?.rows[section].count ?? controller.sections?[section].numberOfObjects ?? 0
    }

    /// The name of a section; `nil` if the section doesn't exist.
    ///
    /// An object without a value is in a section with an empty name. With ``arrange``, sections beyond the fetched ones
    /// have an empty name, too.
    ///
    /// - Parameter section: The index of the section.
    /// - Returns: The name.
    public func name(ofSection section: Int) -> String? {
        guard section >= 0, section < numberOfSections else { return nil }
        return arranged?.names[section] ?? controller.sections?[section].name
    }

    /// The result at an index path.
    ///
    /// An index path with anything but two indexes is out of bounds, too.
    ///
    /// - Parameter indexPath: The section and the row.
    /// - Returns: The object, or `nil` if the index path is out of bounds.
    public subscript(indexPath: IndexPath) -> T? {
        guard indexPath.count == 2, indexPath.row >= 0,
            indexPath.row < numberOfObjects(inSection: indexPath.section)
        else { return nil }
        return arranged?.rows[indexPath.section][indexPath.row] ?? controller.object(at: indexPath)
    }

    /// The index path of an object; `nil` if it isn't among the results.
    ///
    /// An object of another context is never among the results, even if it represents the same row. With ``arrange``,
    /// an object that occurs several times has the index path of its first occurrence.
    ///
    /// - Parameter object: The object.
    /// - Returns: The index path.
    public func indexPath(of object: T) -> IndexPath? {
        guard let arranged else { return controller.indexPath(forObject: object) }
        for (section, objects) in arranged.rows.enumerated() {
            if let row = objects.firstIndex(of: object) { return IndexPath(row: row, section: section) }
        }
        return nil
    }

    /// The list as it is now.
    package var state: ListState<T> { arranged ?? fetchedState }

    /// The names of the sections, in order.
    package var sectionNames: [String] { arranged?.names ?? controller.sections?.map(\.name) ?? [] }

    private var fetchedState: ListState<T> {
        let sections = controller.sections ?? []
        return ListState(
            names: sections.map(\.name), rows: sections.map { $0.objects?.compactMap { $0 as? T } ?? [] })
    }

    // MARK: Arranging

    /// Filters or regroups the results in memory, after each change; `nil` shows them as they were fetched.
    ///
    /// The function receives the objects of each section and returns those of the sections to show. A section keeps the
    /// name of the fetched section at its index. The function runs on the main actor and must not change objects.
    public var arrange: (@MainActor ([[T]]) -> [[T]])? {
        didSet { rearrange() }
    }

    /// Applies ``arrange`` again, after something else that it uses has changed.
    ///
    /// The difference is sent to streams and surfaces as one batch. Nothing is fetched, and nothing is sent if the
    /// result is the same. Without ``arrange``, nothing happens.
    public func rearrange() {
        guard arrange != nil || arranged != nil else { return }
        let old = state
        arranged = arrangedState
        notify(state.changes(since: old, matchingNames: false))
    }

    private var arrangedState: ListState<T>? {
        guard let arrange else { return nil }
        let fetched = fetchedState
        let rows = arrange(fetched.rows)
        let names = rows.indices.map { fetched.names.indices.contains($0) ? fetched.names[$0] : "" }
        return ListState(names: names, rows: rows)
    }

    // MARK: Changing what is fetched

    /// The request that the results are of, as a copy.
    package var request: NSFetchRequest<T> {
        controller.fetchRequest.copy() as? NSFetchRequest<T> ?? controller.fetchRequest
    }

    /// Changes the query, and reports the difference as a batch. The sections keep their key path.
    ///
    /// ```swift
    /// try results.change { $0 = $0.filter(#Predicate { $0.score > 10 }) }
    /// ```
    ///
    /// - Parameter change: Changes the query.
    /// - Throws: The fetch's error; query and results stay unchanged.
    public func change(_ change: (inout Query<T>) -> Void) throws {
        guard var query else {
            throw DatabaseError.invalidQuery(entity: "\(T.self)", reason: "The results are not those of a query.")
        }
        change(&query)
        try show(query.fetchRequest(in: context))
        self.query = query
    }

    /// Shows the results of another request, and reports the difference as a batch.
    ///
    /// - Throws: The fetch's error; the results stay as they were.
    package func show(_ request: NSFetchRequest<T>) throws {
        try Self.checkOrder(request)
        let old = state
        let next = Self.makeController(request, sectionKeyPath, context)
        let former = collector
        do {
            try start(next)
        } catch {
            collector = former
            throw error
        }
        controller.delegate = nil
        controller = next
        followRelated(request)
        arranged = arrangedState
        notify(state.changes(since: old, matchingNames: arrange == nil))
    }

    /// Fetches again, and reports the difference as a batch.
    ///
    /// This is needed only after changes of which no context was notified, such as those of another program to a store
    /// without history.
    ///
    /// - Throws: The fetch's error; the results stay unchanged.
    public func refetch() throws { try show(controller.fetchRequest) }

    private func fetchAgain() {
        do {
            try refetch()
        } catch {
            // The objects are no longer the context's, and there are no others.
            let old = state
            controller = Self.makeController(controller.fetchRequest, sectionKeyPath, context)
            arranged = arrange.map { _ in ListState() }
            notify(state.changes(since: old))
        }
    }

    // MARK: Notifying

    private func take(_ changes: ControllerChanges) {
        guard arrange != nil else {
            notify(changes.listChanges)
            return
        }
        let old = state
        arranged = arrangedState
        let touched = Set(changes.touched.compactMap { $0 as? T }.map { ObjectIdentifier($0) })
        notify(state.changes(since: old, matchingNames: false, updated: touched))
    }

    private func notify(_ changes: ListChanges) {
        guard !changes.isEmpty else { return }
        didChange?(changes)
        broadcast.send(changes)
        if !arrays.isIdle { arrays.send(objects) }
        drivers.removeAll { !$0.isAlive }
        for driver in drivers { driver.apply(changes, of: self) }
    }

    /// A stream of the batches from now on. Read it on the main actor.
    public var changes: AsyncStream<ListChanges> { broadcast.stream() }

    /// A stream of all results, now and after each change. Read it on the main actor.
    ///
    /// A slow reader receives only the newest results.
    public var snapshots: AsyncStream<[T]> { arrays.stream(keeping: .bufferingNewest(1), first: objects) }

    // MARK: Driving surfaces

    /// Shows the results on a surface and keeps it current.
    ///
    /// Keep a reference to both: the results hold the surface weakly, and a surface whose results are released shows no
    /// rows. If the surface is already driven, the new parameters replace the earlier ones.
    ///
    /// - Parameters:
    ///   - surface: The surface.
    ///   - title: Returns the title of a section for its name and index; by default the name.
    ///   - row: Returns what the surface shows for an object.
    public func drive<Row>(
        _ surface: some ListSurface<Row>, title: @escaping @MainActor (String, Int) -> String? = { name, _ in name },
        row: @escaping @MainActor (T, IndexPath) -> Row
    ) {
        drivers.removeAll { !$0.isAlive || $0.drives(surface) }
        let driver = SurfaceDriver<T, Row>(surface, title: title, row: row)
        drivers.append(driver)
        driver.reload(state)
    }

    /// Shows the results on a surface of objects and keeps it current.
    ///
    /// The rows are the managed objects themselves, for a surface that reads properties when it draws. Use
    /// ``drive(_:title:row:)`` to turn objects into cells or text.
    ///
    /// - Parameter surface: The surface.
    public func drive(_ surface: some ListSurface<T>) { drive(surface) { object, _ in object } }

    /// Stops driving a surface. The surface shows no rows from then on.
    ///
    /// A batch that the surface is applying isn't waited for. Nothing happens if these results don't drive the surface.
    ///
    /// - Parameter surface: The surface.
    public func stopDriving(_ surface: some ListSurface) {
        for driver in drivers where driver.drives(surface) { driver.detach() }
        drivers.removeAll { !$0.isAlive }
    }
}

/// A driver of a surface with any type of row.
@MainActor private protocol LiveResultsDriver<T> {
    associatedtype T: NSManagedObject
    var isAlive: Bool { get }
    func drives(_ surface: AnyObject) -> Bool
    func detach()
    func apply(_ changes: ListChanges, of results: LiveResults<T>)
}

extension SurfaceDriver: LiveResultsDriver where Element: NSManagedObject {
    fileprivate func apply(_ changes: ListChanges, of results: LiveResults<Element>) {
        apply(
            changes, element: { results[$0] }, state: { results.state }, names: { results.sectionNames })
    }
}

// Only on the main actor: elsewhere the objects can't be used, and `LiveValues` is the list.
extension LiveResults: @MainActor AsyncSequence {
    /// All results.
    public typealias Element = [T]
    /// Nothing is thrown.
    public typealias Failure = Never

    /// The same as ``snapshots``.
    ///
    /// Each iteration starts with the present results. It ends only when the results are released or the task is
    /// cancelled.
    ///
    /// - Returns: An iterator over the results.
    public func makeAsyncIterator() -> AsyncStream<[T]>.Iterator { snapshots.makeAsyncIterator() }
}
