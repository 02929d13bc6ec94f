import CoreDataEngine
import CoreDataPlatform
import Synchronization

/// What a fetch finds, kept up to date: with what changes in its context, saved or not, and with what other contexts of the
/// container save.
///
/// The observer belongs to the actor that made it, as its context does. Those who read `elements` or `sections` with
/// `withObservationTracking` are notified of changes; `updates` gives them one by one.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable & Sendable>: Observable {
    /// Elements that follow each other and have the same title.
    public struct Section: Identifiable {
        /// The title.
        public let title: SectionTitle
        /// The elements in the order of the fetch.
        public let elements: [Element]
        /// What identifies the section: its title.
        public var id: SectionTitle { title }
    }

    /// The context in which the elements are.
    public let modelContext: ModelContext
    /// Which models are found, and in which order. Setting it runs the fetch.
    public var fetchDescriptor: FetchDescriptor<Element> {
        didSet { refresh() }
    }
    /// Why the last fetch failed; the elements are those of the fetch before.
    public private(set) var fetchError: (any Error)?
    private let sectionTitle: ((Element) -> SectionTitle)?
    private let registrar = ObservationRegistrar()
    private let saves = Subscription()
    private let changes = Subscription()
    private let rollbacks = Subscription()
    private let isolation: (any Actor)?
    private let continuations = Mutex<[UUID: AsyncStream<[PersistentIdentifier]>.Continuation]>([:])
    private var found: [Element] = []
    /// What `updates` gave last; a save changes the identifiers of new elements.
    private var yielded: [PersistentIdentifier] = []
    /// Follows the changes in the context; `nil` where the fetch has to run again to know its result.
    private var controller: NSFetchedResultsController<NSManagedObject>?
    private var collector: ControllerChangeCollector?
    /// Whether the result depends on other models than those that are fetched.
    private var looksAtOthers = false
    private let stale = Mutex(Stale())

    /// What has changed since the last fetch.
    private struct Stale {
        var isSet = false
        var updated: Set<PersistentIdentifier> = []
        /// Whether the elements have changed without a word in `updates`.
        var isUnyielded = false
    }

    private init(
        _ descriptor: FetchDescriptor<Element>, _ context: ModelContext, _ isolation: (any Actor)?,
        _ sectionTitle: ((Element) -> SectionTitle)?
    ) {
        fetchDescriptor = descriptor
        modelContext = context
        self.sectionTitle = sectionTitle
        self.isolation = isolation
        refresh()
        subscribe(to: context)
    }

    private func subscribe(to context: ModelContext) {
        let reference = ObserverReference(self)
        let own = ObjectIdentifier(context)
        saves.start(context.stack) { saved, identifiers in
            guard let observer = reference.observer else { return }
            // A context saves on its own actor, which is the observer's too; its updates were followed before.
            if ObjectIdentifier(saved) == own {
                observer.expire([])
                observer.catchUp()
            } else {
                observer.expire(identifiers)
                observer.catchUpLater()
            }
        }
        changes.start(.NSManagedObjectContextObjectsDidChange, context.engine) { notification in
            guard let observer = reference.observer, observer.isConcerned(by: notification) else { return }
            // The event that is going on is to end before the next fetch. A controller says itself what is updated.
            let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
            observer.expire(observer.controller == nil ? updated.map { PersistentIdentifier($0.objectID) } : [])
            observer.registrar.withMutation(of: observer, keyPath: \.elements) {}
            observer.catchUpLater()
        }
        rollbacks.start(ModelContext.didRollBack, context) { notification in
            guard let observer = reference.observer, !observer.isFollowedByController else { return }
            let key = ModelContext.NotificationKey.updatedIdentifiers.rawValue
            observer.expire(notification.userInfo?[key] as? [PersistentIdentifier] ?? [])
            observer.catchUp()
        }
    }

    /// Watches over models in a context, in sections by the value of a property.
    ///
    /// The fetch runs at once; if it fails, ``fetchError`` says why and there are no elements. Sort by the property of
    /// the sections first, because only neighbors with the same title are in one section.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: Which models, and in which order.
    ///   - keyPath: The property whose value is the title of a model's section.
    ///   - modelContext: The context in which the models are.
    ///   - isolation: The actor on which the observer and its context are used.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy keyPath: KeyPath<Element, SectionTitle>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, modelContext, isolation) { $0[keyPath: keyPath] }
    }

    /// Watches over models in a new context, in sections by the value of a property.
    ///
    /// The context is ``modelContext``. The fetch runs at once; if it fails, ``fetchError`` says why and there are no
    /// elements.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: Which models, and in which order.
    ///   - keyPath: The property whose value is the title of a model's section.
    ///   - modelContainer: The container.
    ///   - isolation: The actor on which the observer and its context are used.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy keyPath: KeyPath<Element, SectionTitle>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, ModelContext(modelContainer), isolation) { $0[keyPath: keyPath] }
    }

    deinit { continuations.withLock { for continuation in $0.values { continuation.finish() } } }

    /// The models that the fetch found.
    public var elements: [Element] {
        modelContext.processPendingChanges()
        catchUp()
        registrar.access(self, keyPath: \.elements)
        return found
    }

    /// The models in sections; none without a key path of sections.
    public var sections: [Section] {
        guard let sectionTitle else { return [] }
        var sections: [(title: SectionTitle, elements: [Element])] = []
        for element in elements {
            let title = sectionTitle(element)
            if sections.last?.title == title {
                sections[sections.count - 1].elements.append(element)
            } else {
                sections.append((title, [element]))
            }
        }
        return sections.map { Section(title: $0.title, elements: $0.elements) }
    }

    /// The identifiers of the elements in order: once as they are, and after each change.
    public var updates: AsyncStream<[PersistentIdentifier]> {
        let identifiers = elements.map(\.persistentModelID)
        let key = UUID()
        return AsyncStream { continuation in
            continuation.yield(identifiers)
            continuations.withLock { $0[key] = continuation }
            let reference = ObserverReference(self)
            continuation.onTermination = { _ in
                reference.observer?.continuations.withLock { _ = $0.removeValue(forKey: key) }
            }
        }
    }

    // MARK: Fetching

    private func refresh() {
        // Otherwise the fetch would do it, and make stale again what it finds.
        modelContext.processPendingChanges()
        let last = stale.withLock { stale in
            defer { stale = Stale() }
            return stale
        }
        do {
            let now = try fetched()
            fetchError = nil
            let identifiers = now.map(\.persistentModelID)
            let isUpdated = !last.updated.isEmpty && identifiers.contains { last.updated.contains($0) }
            if isUpdated || !now.elementsEqual(found, by: { $0 === $1 }) {
                registrar.withMutation(of: self, keyPath: \.elements) { found = now }
            }
            if isUpdated || last.isUnyielded || identifiers != yielded { yield(identifiers) }
        } catch {
            fetchError = error
            stale.withLock { stale in
                stale.updated.formUnion(last.updated)
                stale.isUnyielded = stale.isUnyielded || last.isUnyielded
            }
        }
    }

    private func fetched() throws -> [Element] {
        controller = nil
        let request = try modelContext.request(for: fetchDescriptor)
        looksAtOthers = request.isEvaluatedHere || request.request.dependsOnOthers
        // A controller needs an order, and would ask the store for a window with each change.
        guard !request.isEvaluatedHere, fetchDescriptor.limit == nil, fetchDescriptor.offset == 0,
            request.request.sortDescriptors?.isEmpty == false
        else { return try modelContext.models(request) }
        let made = NSFetchedResultsController(
            fetchRequest: request.request, managedObjectContext: modelContext.engine, sectionNameKeyPath: nil,
            cacheName: nil)
        let collector = ControllerChangeCollector { [weak self] _ in self?.takeChanges() }
        made.delegate = collector
        do {
            try made.performFetch()
        } catch let error as CocoaError where error.code == .coreData && request.request.predicate != nil {
            // The store can't evaluate the condition, so a controller can't follow it either.
            looksAtOthers = true
            return try modelContext.models(modelContext.request(for: fetchDescriptor, isEvaluatedHere: true))
        }
        (controller, self.collector) = (made, collector)
        return models(of: made)
    }

    private func models(of controller: NSFetchedResultsController<NSManagedObject>) -> [Element] {
        (controller.fetchedObjects ?? []).compactMap { object in
            BackedObject.of(object).flatMap { modelContext.model(of: $0, as: Element.self) }
        }
    }

    /// Takes over what the controller has after changes in the context.
    private func takeChanges() {
        guard let controller else { return }
        let now = models(of: controller)
        registrar.withMutation(of: self, keyPath: \.elements) { found = now }
        let isStale = stale.withLock { stale in
            stale.isSet = stale.isSet || looksAtOthers
            stale.isUnyielded = stale.isUnyielded || stale.isSet
            return stale.isSet
        }
        if isStale { catchUpLater() } else { yield(now.map(\.persistentModelID)) }
    }

    private func yield(_ identifiers: [PersistentIdentifier]) {
        yielded = identifiers
        continuations.withLock { for continuation in $0.values { continuation.yield(identifiers) } }
    }

    private var isFollowedByController: Bool { controller != nil && !looksAtOthers }

    /// Notes that the fetch has to run again.
    private func expire(_ updated: [PersistentIdentifier]) {
        stale.withLock { stale in
            stale.isSet = true
            stale.updated.formUnion(updated)
        }
    }

    /// Whether the fetch has to run again after changes in the context, which the controller doesn't follow.
    private func isConcerned(by notification: Notification) -> Bool {
        if isFollowedByController { return false }
        let entity = modelContext.stack.model.entitiesByName[Schema.entityName(ofType: Element.self)]
        let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
        return keys.contains { key in
            guard let objects = notification.userInfo?[key] as? Set<NSManagedObject> else { return false }
            return objects.contains { object in
                // Elements may be the others of elements.
                looksAtOthers || entity.map { object.entity.isKindOf(entity: $0) } ?? false
            }
        }
    }

    fileprivate func catchUp() {
        if stale.withLock({ $0.isSet }) { refresh() }
    }

    /// Fetches again on the observer's actor, or when the elements are read.
    private func catchUpLater() {
        guard let isolation else { return }
        let reference = ObserverReference(self)
        Task { await reference.catchUp(on: isolation) }
    }
}

extension NSFetchRequest where ResultType == NSManagedObject {
    /// Whether the condition or the order looks at related objects.
    fileprivate var dependsOnOthers: Bool {
        let keys = sortDescriptors?.compactMap(\.key) ?? []
        let format = predicate?.predicateFormat ?? ""
        return keys.contains { $0.contains(".") } || format.contains(".") || format.contains("SUBQUERY")
    }
}

extension ObserverReference {
    fileprivate func catchUp<Element, Title>(on isolation: isolated any Actor)
    where Observer == ResultsObserver<Element, Title> { observer?.catchUp() }
}

extension ResultsObserver where SectionTitle == Never {
    /// Watches over models in a context.
    ///
    /// The fetch runs at once; if it fails, ``fetchError`` says why and there are no elements.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: Which models, and in which order.
    ///   - modelContext: The context in which the models are.
    ///   - isolation: The actor on which the observer and its context are used.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, modelContext, isolation, nil)
    }

    /// Watches over models in a new context.
    ///
    /// The context is ``modelContext``. The fetch runs at once; if it fails, ``fetchError`` says why and there are no
    /// elements.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: Which models, and in which order.
    ///   - modelContainer: The container.
    ///   - isolation: The actor on which the observer and its context are used.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.init(fetchDescriptor, ModelContext(modelContainer), isolation, nil)
    }
}

/// A reference to an observer that doesn't keep it.
// @unchecked Sendable because what is used on another actor than the observer's is behind the observer's locks.
final class ObserverReference<Observer: AnyObject>: @unchecked Sendable {
    private(set) weak var observer: Observer?

    init(_ observer: Observer) { self.observer = observer }
}

/// Calls a closure for each notification, for as long as it lives.
final class Subscription: Sendable {
    private let token = Mutex<SendableToken?>(nil)

    // @unchecked Sendable because a token of the notification center is only handed back to it.
    private struct SendableToken: @unchecked Sendable { let token: any NSObjectProtocol }

    /// Calls a closure with a context of a container that saved, and with what it changed.
    func start(
        _ stack: ModelStack, _ body: @escaping @Sendable (ModelContext, [PersistentIdentifier]) -> Void
    ) {
        start(ModelContext.didSave, nil) { [weak stack] notification in
            guard let context = notification.object as? ModelContext, context.stack === stack else { return }
            let key = ModelContext.NotificationKey.updatedIdentifiers.rawValue
            body(context, notification.userInfo?[key] as? [PersistentIdentifier] ?? [])
        }
    }

    /// Calls a closure with each notification of a name.
    func start(_ name: Notification.Name, _ sender: AnyObject?, _ body: @escaping @Sendable (Notification) -> Void) {
        let made = NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil, using: body)
        let sendable = SendableToken(token: made)
        token.withLock { $0 = sendable }
    }

    deinit { if let token = token.withLock({ $0?.token }) { NotificationCenter.default.removeObserver(token) } }
}
