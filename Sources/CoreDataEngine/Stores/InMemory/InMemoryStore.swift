import Foundation

/// A store that keeps its rows in memory and forgets them with itself.
///
/// It is the reference that other stores are compared with: predicates, sorting and grouping are done on objects, one
/// by one, and share nothing with SQL.
// @unchecked Sendable because `contents` is used under `lock` only, and what is copied out of it is never changed.
final class InMemoryStore: NSPersistentStore, RowStore, @unchecked Sendable {
    let layout: ModelLayout?
    fileprivate let lock = NSLock()
    fileprivate var contents: InMemoryContents
    /// Held by a writer for the length of a transaction.
    fileprivate let writing = NSRecursiveLock()
    /// What the transaction that is going on has made of the rows.
    fileprivate var transaction: InMemoryTransaction?

    /// Creates an empty store.
    required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        layout = root?.layout
        contents = InMemoryContents(layout: root?.layout)
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { NSInMemoryStoreType }

    override func loadMetadata() throws {
        let model = persistentStoreCoordinator?.managedObjectModel
        let entities = model?.entities(forConfigurationName: configurationName) ?? []
        try refuseDerivedAttributes(in: entities)
        var hashes: [String: Data] = [:]
        for entity in entities { hashes[entity.name ?? ""] = entity.versionHash }
        metadata = [
            NSStoreTypeKey: NSInMemoryStoreType, NSStoreUUIDKey: identifier ?? UUID().uuidString,
            NSStoreModelVersionHashesKey: hashes,
            NSStoreModelVersionIdentifiersKey: model.map { Array($0.versionIdentifiers) } ?? [],
        ]
    }

    func saveMetadata() throws {}

    func close() {
        lock.withLock { contents = InMemoryContents(layout: layout) }
    }

    // MARK: Reading

    private func session() -> InMemorySession {
        InMemorySession(contents: visibleContents, storeIdentifier: identifier)
    }

    /// What the calling thread sees.
    private var visibleContents: InMemoryContents {
        InMemoryState.contents(of: self) ?? lock.withLock { transaction?.ofThread ?? contents }
    }

    func fetchRows(_ query: StoreQuery) throws -> RowSlab { try session().slab(query) }

    func countRows(_ query: StoreQuery) throws -> Int { try session().count(query) }

    func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        try InMemoryColumnQuery(query: query, session: session()).result()
    }

    func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        session().slab(references: references, entity: entity, includesValues: includesValues)
    }

    func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool
    ) throws -> ToManyRows {
        session().toManyRows(relationship, owners: owners, includesValues: includesValues)
    }

    // MARK: Writing

    func allocateReferences(count: Int, root: EntityLayout) throws -> Int64 {
        lock.withLock { contents.allocateReferences(count: count, root: root) }
    }

    func execute(_ plan: SavePlan) throws -> SaveOutcome {
        if !plan.isEmpty { try refuseIfReadOnly() }
        return try whileWriting {
            var save = InMemorySave(plan: try plan.archivingTransformedValues(), contents: written)
            let outcome = save.outcome()
            guard case .saved = outcome else { return outcome }
            // Emptied while the save works on the rows, so that they are changed in place and not copied.
            written = InMemoryContents(layout: nil)
            save.apply()
            written = save.contents
            return outcome
        }
    }

    /// Runs a block that writes, under both locks.
    fileprivate func whileWriting<Result>(_ body: () throws -> Result) rethrows -> Result {
        writing.lock()
        defer { writing.unlock() }
        return try lock.withLock(body)
    }

    /// What writers work on: the rows themselves, or what their transaction makes of them.
    fileprivate var written: InMemoryContents {
        get { transaction?.contents ?? contents }
        set {
            if let transaction, transaction.contents != nil || !transaction.isEnding {
                transaction.contents = newValue
            } else {
                contents = newValue
            }
        }
    }
}

extension InMemoryStore {
    fileprivate func refuseIfReadOnly() throws {
        guard isReadOnly else { return }
        throw CoreDataError.make(
            NSFileWriteNoPermissionError, "The in-memory store \(identifier ?? "") is read-only.",
            userInfo: [NSAffectedStoresErrorKey: [self]])
    }

    /// Changes the rows as a whole: when the block throws, everything is as it was.
    func changingContents<Result>(_ body: (inout InMemoryContents) throws -> Result) throws -> Result {
        try refuseIfReadOnly()
        return try whileWriting {
            var changed = written
            let result = try body(&changed)
            written = changed
            return result
        }
    }
}

/// What a transaction makes of the rows, on the thread that has the store's `writing` lock.
// A class under the store's lock.
final class InMemoryTransaction {
    private let thread = ThreadValue.token
    /// The rows as the transaction has them; `nil` before it has changed any.
    var contents: InMemoryContents?
    /// Whether the next save is its last step.
    var isEnding = false

    /// The rows as the calling thread sees them; `nil` for those that all see.
    var ofThread: InMemoryContents? { thread == ThreadValue.token ? contents : nil }
}

extension InMemoryStore: TransactionalStore, SnapshotStore {
    func performTransaction(_ body: () throws -> Void) throws {
        try refuseIfReadOnly()
        writing.lock()
        defer { writing.unlock() }
        // Inside of another one, the outer one counts.
        guard lock.withLock({ transaction == nil }) else { return try body() }
        return try separatingRows {
            lock.withLock { transaction = InMemoryTransaction() }
            do {
                try body()
                lock.withLock {
                    if var changed = transaction?.contents {
                        changed.keepReferences(of: contents)
                        contents = changed
                    }
                    transaction = nil
                }
            } catch {
                lock.withLock { transaction = nil }
                throw error
            }
        }
    }

    func endTransactionWithNextSave() { lock.withLock { transaction?.isEnding = true } }

    func readingOneState<Result>(
        isOneOfSeveral: Bool, _ body: ((any StoreGeneration)?) throws -> Result
    ) throws -> Result {
        try body(InMemoryState(visibleContents, of: self))
    }
}
