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

    /// Makes an empty store.
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
        InMemorySession(contents: lock.withLock { contents }, storeIdentifier: identifier)
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
        return try lock.withLock {
            var save = InMemorySave(plan: try plan.archivingTransformedValues(), contents: contents)
            let outcome = save.outcome()
            guard case .saved = outcome else { return outcome }
            // Emptied while the save works on the rows, so that they are changed in place and not copied.
            contents = InMemoryContents(layout: nil)
            save.apply()
            contents = save.contents
            return outcome
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
        return try lock.withLock {
            var changed = contents
            let result = try body(&changed)
            contents = changed
            return result
        }
    }
}
