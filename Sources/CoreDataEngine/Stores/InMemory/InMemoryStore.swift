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
        try refuseDerivedAttributes(of: entities)
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

    private func refuseDerivedAttributes(of entities: [NSEntityDescription]) throws {
        for entity in entities {
            for case let attribute as NSDerivedAttributeDescription in entity.properties {
                throw CoreDataError.make(
                    NSPersistentStoreIncompatibleSchemaError,
                    "The in-memory store can't keep the derived attribute \(entity.name ?? "").\(attribute.name).")
            }
        }
    }

    // MARK: Reading

    private func session() -> InMemorySession {
        InMemorySession(contents: lock.withLock { contents })
    }

    func fetchRows(_ query: StoreQuery) throws -> RowSlab {
        let rows = try session().rows(query)
        return slab(rows, entity: query.entity, includesValues: query.includesValues)
    }

    func countRows(_ query: StoreQuery) throws -> Int {
        var query = query
        query.sortDescriptors = []
        return try session().rows(query).count
    }

    func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        try InMemoryColumnQuery(query: query, session: session()).result()
    }

    func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        let session = session()
        let rows = references.compactMap { session.row(reference: $0, root: entity.root) }
        return slab(rows, entity: entity, includesValues: includesValues)
    }

    func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool
    ) throws -> ToManyRows {
        let session = session()
        let slab = RowSlab(entity: relationship.destination, hasValues: includesValues)
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(owners.count)
        for owner in owners {
            let start = slab.count
            for row in session.destinations(of: relationship, owner: owner) { row.append(to: slab) }
            ranges.append(start..<slab.count)
        }
        slab.timestamp = Date().timeIntervalSinceReferenceDate
        return ToManyRows(rows: slab, ranges: ranges)
    }

    private func slab(_ rows: [InMemoryRow], entity: EntityLayout, includesValues: Bool) -> RowSlab {
        let slab = RowSlab(entity: entity, hasValues: includesValues, expectedCount: rows.count)
        for row in rows { row.append(to: slab) }
        slab.timestamp = Date().timeIntervalSinceReferenceDate
        return slab
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

extension SavePlan {
    /// The plan with transformable values as the bytes that a slab holds.
    func archivingTransformedValues() throws -> SavePlan {
        var plan = self
        plan.inserts = try inserts.map { try $0.archivingTransformedValues() }
        plan.updates = try updates.map { try $0.archivingTransformedValues() }
        return plan
    }
}

extension RowChange {
    fileprivate func archivingTransformedValues() throws -> RowChange {
        var change = self
        for (index, value) in values.enumerated() {
            guard case .transformed(let transformed) = value, let slot = entity.slots[index]
            else { continue }
            change.values[index] = try slot.archived(transformed.value).map { .data($0) } ?? .null
        }
        return change
    }
}
