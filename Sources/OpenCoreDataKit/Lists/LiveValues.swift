/// The results of a query that stay current, as values: a live list on any actor, or on none.
///
/// ```swift
/// let names = LiveValues(Query(Villager.self).sorted(by: \.name), in: database) { $0.name }
/// for try await list in names { show(list.values, list.changes) }
/// ```
///
/// The first element is the list as it is stored; each further one comes when what was saved has changed it, and has the batch that
/// makes it of the one before. What changes while an element is handled is one element afterwards. Unsaved edits show in
/// ``LiveResults`` alone, which are those of a context.
public struct LiveValues<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    /// What is thrown: what the closure throws, or what reading throws.
    public typealias Failure = any Error

    private let lists: DatabaseValues<ListSnapshot<Value>>

    /// - Parameters:
    ///   - query: What to fetch, and in which order.
    ///   - sectionKeyPath: Whose value, as a string, is the name of an object's section; `nil` for one section. The query has to
    ///     sort by it first, or by something that goes with it.
    ///   - database: Whose stores are read.
    ///   - value: Makes a value of an object, which itself stays where it is.
    public init<T: NSManagedObject>(
        _ query: Query<T>, sectionedBy sectionKeyPath: PartialKeyPath<T>? = nil,
        in database: Database, _ value: @escaping @Sendable (T) throws -> Value
    ) {
        let name = sectionKeyPath.map { keyPath in Result { try PropertyPath.name(of: keyPath) } }
        lists = database.observe { context in
            try Self.read(query.fetchRequest(in: context), sectionedBy: name?.get(), in: context, value)
        }
    }

    private static func read<T: NSManagedObject>(
        _ request: NSFetchRequest<T>, sectionedBy name: String?, in context: Context, _ value: (T) throws -> Value
    ) throws -> ListSnapshot<Value> {
        try LiveResults<T>.checkOrder(request)
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: name, cacheName: nil)
        try controller.performFetch()
        let sections = (controller.sections ?? []).map { section in
            (section, section.objects?.compactMap { $0 as? T } ?? [])
        }
        return ListSnapshot(
            sections: try sections.map { section, objects in
                ListSection(name: section.name, indexTitle: section.indexTitle, objects: try objects.map(value))
            },
            identifiers: sections.map { $1.map(\.objectID) })
    }

    /// Reads from now on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lists.makeAsyncIterator()) }

    /// Gives the list as it is, and then each time that it has changed. To be used by one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lists: DatabaseValues<ListSnapshot<Value>>.AsyncIterator
        private var last: ListSnapshot<Value>?

        init(_ lists: DatabaseValues<ListSnapshot<Value>>.AsyncIterator) { self.lists = lists }

        /// The next list.
        ///
        /// - Returns: `nil` when the database was closed, or the task is cancelled.
        public mutating func next() async throws -> ListSnapshot<Value>? {
            while var list = try await lists.next() {
                if let last {
                    list.changes = list.changes(since: last)
                    guard !list.changes.isEmpty else { continue }
                }
                last = list
                return list
            }
            return nil
        }
    }
}
