import Foundation

/// Rows, out of memory: predicates and sorting work on all that was loaded.
extension NSAtomicStore: RowStore {
    /// Loads the store, once its metadata have been found to fit.
    ///
    /// - Throws: What ``load()`` throws, or what is wrong with its nodes.
    final func loadContents() throws {
        guard !withState({ $0.isLoaded }) else { return }
        let entities = persistentStoreCoordinator?.managedObjectModel.entities(forConfigurationName: configurationName)
        try refuseDerivedAttributes(in: entities ?? [])
        try load()
        try addWaitingNodes()
        completeMetadata(entities ?? [])
        withState { state in
            state.isLoaded = true
            state.needsSave = false
        }
    }

    /// Adds what the metadata of a store without version hashes lack, for subclasses that write them to their files.
    private func completeMetadata(_ entities: [NSEntityDescription]) {
        var values: [String: Any] = metadata ?? [:]
        if values[NSStoreUUIDKey] == nil { values[NSStoreUUIDKey] = identifier ?? UUID().uuidString }
        if values[NSStoreTypeKey] == nil { values[NSStoreTypeKey] = type }
        if values[NSStoreModelVersionHashesKey] == nil {
            values[NSStoreModelVersionHashesKey] = entities.reduce(into: [String: Data]()) { hashes, entity in
                hashes[entity.name ?? ""] = entity.versionHash
            }
        }
        metadata = values
    }

    /// Makes rows of nodes that were added. The nodes are asked without the state's lock, as they may ask the store.
    private func addWaitingNodes() throws {
        guard withState({ !$0.waiting.isEmpty }) else { return }
        try whileSaving {
            let (waiting, contents) = withState { state in
                defer { state.waiting = [] }
                return (state.waiting, state.contents)
            }
            var reader = CacheNodeReader(store: self, contents: contents)
            try reader.add(waiting)
            withState { $0.contents = reader.contents }
        }
    }

    /// The rows as they are now.
    private func session() throws -> InMemorySession {
        if let held = InMemoryState.contents(of: self) {
            return InMemorySession(contents: held, storeIdentifier: identifier)
        }
        try addWaitingNodes()
        return InMemorySession(contents: withState { $0.visibleContents }, storeIdentifier: identifier)
    }

    package func fetchRows(_ query: StoreQuery) throws -> RowSlab { try session().slab(query) }

    package func countRows(_ query: StoreQuery) throws -> Int { try session().count(query) }

    package func fetchColumns(_ query: StoreQuery) throws -> [[PropertyValue]] {
        try InMemoryColumnQuery(query: query, session: try session()).result()
    }

    package func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        try session().slab(references: references, entity: entity, includesValues: includesValues)
    }

    package func fetchToMany(
        _ relationship: RelationshipLayout, owners: [Int64], includesValues: Bool
    ) throws -> ToManyRows {
        try session().toManyRows(relationship, owners: owners, includesValues: includesValues)
    }

    package func close() {
        let layout = persistentStoreCoordinator?.layout
        withState { state in
            let references = state.references
            state = AtomicState(layout: layout)
            state.references = references
        }
    }
}

extension NSAtomicStore: SnapshotStore {
    package func readingOneState<Result>(
        isOneOfSeveral: Bool, _ body: ((any StoreGeneration)?) throws -> Result
    ) throws -> Result {
        try addWaitingNodes()
        return try body(InMemoryState(withState { $0.visibleContents }, of: self))
    }
}
