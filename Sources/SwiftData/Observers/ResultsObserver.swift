import CoreDataEngine
import Synchronization

/// What a fetch finds, kept up to date: after each save of any context of the container, the fetch runs again.
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
    private let subscription = Subscription()
    private let continuations = Mutex<[UUID: AsyncStream<[PersistentIdentifier]>.Continuation]>([:])
    private var found: [Element] = []
    /// Whether another context saved since the last fetch.
    private let isStale = Mutex(false)

    private init(
        _ descriptor: FetchDescriptor<Element>, _ context: ModelContext, _ isolation: (any Actor)?,
        _ sectionTitle: ((Element) -> SectionTitle)?
    ) {
        fetchDescriptor = descriptor
        modelContext = context
        self.sectionTitle = sectionTitle
        refresh()
        let reference = ObserverReference(self)
        let own = ObjectIdentifier(context)
        subscription.start(context.container) { saved in
            // A context saves on its own actor, which is the observer's too.
            if ObjectIdentifier(saved) == own {
                reference.observer?.refresh()
            } else {
                reference.observer?.becomeStale(isolation)
            }
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
        registrar.access(self, keyPath: \.elements)
        catchUp()
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
        isStale.withLock { $0 = false }
        do {
            let now = try modelContext.fetch(fetchDescriptor)
            registrar.withMutation(of: self, keyPath: \.elements) { found = now }
            fetchError = nil
        } catch {
            fetchError = error
        }
        let identifiers = found.map(\.persistentModelID)
        continuations.withLock { for continuation in $0.values { continuation.yield(identifiers) } }
    }

    fileprivate func catchUp() {
        if isStale.withLock({ $0 }) { refresh() }
    }

    /// Another context saved, on any thread.
    private func becomeStale(_ isolation: (any Actor)?) {
        isStale.withLock { $0 = true }
        guard let isolation else { return }
        let reference = ObserverReference(self)
        Task { await reference.catchUp(on: isolation) }
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

/// Calls a closure after each save of a container's contexts, for as long as it lives.
final class Subscription: Sendable {
    private let token = Mutex<SendableToken?>(nil)

    // @unchecked Sendable because a token of the notification center is only handed back to it.
    private struct SendableToken: @unchecked Sendable { let token: any NSObjectProtocol }

    func start(_ container: ModelContainer, _ body: @escaping @Sendable (ModelContext) -> Void) {
        let made = NotificationCenter.default.addObserver(forName: ModelContext.didSave, object: nil, queue: nil) {
            [weak container] notification in
            guard let context = notification.object as? ModelContext, context.container === container else { return }
            body(context)
        }
        let sendable = SendableToken(token: made)
        token.withLock { $0 = sendable }
    }

    deinit { if let token = token.withLock({ $0?.token }) { NotificationCenter.default.removeObserver(token) } }
}
