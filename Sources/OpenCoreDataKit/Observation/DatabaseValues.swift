import CoreDataPlatform
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Values that are read from a database again whenever they may have changed; see ``Database/observe(_:)``.
public struct DatabaseValues<Value: Sendable>: AsyncSequence, Sendable {
    /// The error of the block, or of reading.
    public typealias Failure = any Error

    let database: Database
    let read: @Sendable (Context) throws -> Value

    /// Starts reading.
    ///
    /// The iterator listens for commits from now on, but reads only when its first element is requested, so a commit
    /// between the two isn't missed.
    ///
    /// - Returns: An iterator, which is used by one task at a time.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(database, read) }

    /// Returns the current value, and then a new one each time that it may have changed. Use it from one task at a
    /// time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let database: Database
        private let read: @Sendable (Context) throws -> Value
        private let awaited: AwaitedCommits
        private let token: CommitHub.Token?
        /// What was read last; `nil` before.
        private var entities: RelatedEntities?

        init(_ database: Database, _ read: @escaping @Sendable (Context) throws -> Value) {
            self.database = database
            self.read = read
            let awaited = AwaitedCommits()
            self.awaited = awaited
            // Before the first look, so that nothing is missed.
            token = database.core.hub.add { awaited.add($0) }
        }

        /// Returns the next value.
        ///
        /// The first call reads at once. Each further call waits for a commit that concerns what was read. Cancelling
        /// the task ends the wait, or the read, with `nil`.
        ///
        /// - Returns: `nil` if the database was closed or the task is cancelled.
        /// - Throws: The error of the block, or of reading; ``DatabaseError/closed(name:)`` if the database was closed
        ///   before the first value was read.
        public mutating func next() async throws -> Value? {
            if let entities, await !awaited.wait(for: entities) { return nil }
            guard !Task.isCancelled else { return nil }
            awaited.forget()
            do {
                let (value, entities) = try await database.readRecording(read)
                self.entities = entities
                return value
            } catch DatabaseError.closed where entities != nil {
                return nil
            } catch is CancellationError where Task.isCancelled {
                return nil
            }
        }
    }
}

/// The entities of commits since the last look.
final class AwaitedCommits: Sendable {
    private struct State {
        var commits: [Commit] = []
        var isOver = false
        var wake: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// - Parameter commit: `nil` at the end.
    func add(_ commit: Commit?) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if let commit { state.commits.append(commit) } else { state.isOver = true }
            defer { state.wake = nil }
            return state.wake
        }
        waiting?.resume()
    }

    /// Forgets what came so far: it is going to be read.
    func forget() { state.withLock { $0.commits = [] } }

    /// Waits for a commit that concerns some entities.
    ///
    /// - Returns: Whether there is one; `false` at the end, or when the task is cancelled.
    func wait(for entities: RelatedEntities) async -> Bool {
        while true {
            enum Answer { case found, over, wait }
            let answer: Answer = state.withLock { state in
                let isFound = state.commits.contains { entities.areConcerned(by: $0) }
                state.commits = []
                if isFound { return .found }
                return state.isOver ? .over : .wait
            }
            switch answer {
            case .found: return true
            case .over: return false
            case .wait: break
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if !state.commits.isEmpty || state.isOver || Task.isCancelled { return true }
                        state.wake = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                wakeUp()
            }
            if Task.isCancelled { return false }
        }
    }

    private func wakeUp() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state.wake = nil }
            return state.wake
        }
        waiting?.resume()
    }
}

extension Database {
    /// Returns what a block reads, now and each time that it may have changed, on any actor.
    ///
    /// ```swift
    /// for try await count in database.observe({ try $0.count(Recipe.self) }) { print(count) }
    /// ```
    ///
    /// The sequence records which entities the block reads, also through relationships. A commit that concerns one of
    /// them runs the block again, as ``read(_:)`` does. Commits while a value is being handled lead to one new value
    /// afterwards. A value may be equal to the previous one.
    ///
    /// - Parameter body: Reads a value.
    /// - Returns: A sequence that starts again for each iteration, and ends when the database is closed. It includes
    ///   changes of other processes if the store is `watched`.
    public func observe<Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value
    ) -> DatabaseValues<Value> { DatabaseValues(database: self, read: body) }

    /// Returns the results of a query as values, now and each time that they may have changed, on any actor.
    ///
    /// This is ``observe(_:)`` with a block that fetches `query`. An element may be equal to the one before. Use
    /// ``LiveValues`` for lists whose elements come with the changes since the one before.
    ///
    /// ```swift
    /// for try await titles in database.observe(Query(Book.self).sorted(by: \.title), { $0.title }) { print(titles) }
    /// ```
    ///
    /// - Parameters:
    ///   - query: The objects and their order.
    ///   - value: Makes a value from an object, which stays in its context.
    /// - Returns: A sequence that starts again for each iteration, and ends when the database is closed.
    public func observe<T, Value: Sendable>(
        _ query: Query<T>, _ value: @escaping @Sendable (T) throws -> Value
    ) -> DatabaseValues<[Value]> { observe { context in try context.all(query).map(value) } }

    /// Reads, and says which entities the block looked at.
    fileprivate func readRecording<Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws -> (Value, RelatedEntities) {
        try await read { context in
            let recorder = ReadRecorder(context)
            let value = try body(context)
            return (value, recorder.entities(in: context))
        }
    }
}

/// Records what a block reads, on its context's queue.
private final class ReadRecorder {
    private var entities = RelatedEntities()

    init(_ context: Context) {
        #if !canImport(ObjectiveC)
        let model = context.persistentStoreCoordinator?.managedObjectModel
        context.onFetch = { [unowned self] request in
            guard let request else { return entities.addAll() }
            if let entity = request.entity { entities.add(entity) }
            if let model { entities.add(request, of: model) }
        }
        #endif
    }

    /// The entities of the queries, of the objects that were read, and of those that these refer to.
    func entities(in context: Context) -> RelatedEntities {
        #if !canImport(ObjectiveC)
        context.onFetch = nil
        // Of objects that the block has released, too.
        for entity in context.visitedEntities {
            entities.add(entity)
            entities.add(relatedTo: entity)
        }
        #else
        entities.addAll()
        #endif
        return entities
    }
}
