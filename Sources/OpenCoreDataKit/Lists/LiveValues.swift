/// The results of a query as values that stay up to date: a live list for any actor, or without one.
///
/// ```swift
/// let names = LiveValues(Query(Villager.self).sorted(by: \.name), in: database) { $0.name }
/// for try await list in names { show(list.values, list.changes) }
/// ```
///
/// The first element is the list as it is stored. Each further one follows a save that changed the list, and has the
/// batch of changes since the element before. Several changes during the handling of an element become one element.
/// Unsaved edits don't show; use ``LiveResults`` for those of a context.
public struct LiveValues<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    /// The errors of the closure and of reading.
    public typealias Failure = any Error

    private let lists: DatabaseValues<ListSnapshot<Value>>

    /// Creates a live list. It is read when it is iterated over.
    ///
    /// Each iteration reads for itself, in a block of ``Database/read(_:)``, and can run on any actor. A query without
    /// an order, and a key path that isn't a property of the model, make the iteration throw
    /// ``DatabaseError/invalidQuery(entity:reason:)``.
    ///
    /// - Parameters:
    ///   - query: The objects and their order.
    ///   - sectionKeyPath: The property whose value, as a string, is the name of an object's section; `nil` for one
    ///     section. The query has to sort by it first, or by something with the same order.
    ///   - database: The database to read from.
    ///   - value: Returns the value of an object. The object itself must not leave the closure.
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

    /// Returns an iterator, which reads the list with its first element.
    ///
    /// Each iterator compares with the lists that it has returned itself, so several tasks can iterate over the same
    /// live list.
    ///
    /// - Returns: An iterator, which is used by one task at a time.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lists.makeAsyncIterator()) }

    /// Returns the list as it is, and then after each change. Use it in one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var lists: DatabaseValues<ListSnapshot<Value>>.AsyncIterator
        private var last: ListSnapshot<Value>?

        init(_ lists: DatabaseValues<ListSnapshot<Value>>.AsyncIterator) { self.lists = lists }

        /// Returns the next list.
        ///
        /// The first call returns at once. Each further call waits for a commit that changes the list; a commit that
        /// leaves values and positions as they are doesn't end the wait.
        ///
        /// - Returns: The list, or `nil` if the database was closed or the task is cancelled.
        /// - Throws: The errors of the closure and of reading.
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
