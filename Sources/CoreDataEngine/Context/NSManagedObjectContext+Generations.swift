import Foundation

/// Which state of the stores a context reads.
enum GenerationPin {
    /// The newest one, each time.
    case none
    /// The one that is newest at the next read, and from then on that one.
    case next
    case pinned(NSQueryGenerationToken)
    /// What replicas have, as long as the context has no changes.
    case replicas(QueryGeneration)
    /// One state, for the length of a block.
    case held(QueryGeneration)
}

/// Query generations: reading one state of the stores while others write.
extension NSManagedObjectContext {
    /// What `queryGenerationToken` does.
    final var pinnedGeneration: NSQueryGenerationToken? {
        switch generationPin {
        case .none, .replicas, .held: nil
        case .next: .current
        case .pinned(let token): token
        }
    }

    /// What `setQueryGenerationFrom` does.
    final func pinGeneration(_ generation: NSQueryGenerationToken?) throws {
        checkQueue()
        guard parent == nil else {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(name.map { " \"\($0)\"" } ?? "") has a parent, so it reads the parent's generation and can't "
                    + "have its own.")
        }
        if case .held = generationPin {
            throw CoreDataError.make(
                NSCoreDataError,
                "The context\(name.map { " \"\($0)\"" } ?? "") reads one state of the stores until the end of its block."
            )
        }
        let stores = persistentStoreCoordinator?.rowStores ?? []
        guard let generation else {
            pin(.none)
            return
        }
        guard let wanted = generation.generation else {
            let isPossible = stores.contains { ($0 as? any GenerationalStore)?.canPinGenerations ?? false }
            pin(isPossible ? .next : .none)
            return
        }
        guard wanted.covers(stores) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "None of the coordinator's stores can be read in the query generation \(wanted.identifier.uuidString).")
        }
        pin(.pinned(generation))
    }

    // MARK: For the engine

    /// Has the context read from replicas of its stores, where there are any, while it has no changes.
    ///
    /// A replica is asked only when it has all that this program saved, and what it was asked to follow. A context with
    /// a parent reads what its parent reads.
    final package func readFromReplicas() {
        guard parent == nil else { return }
        let generation = QueryGeneration.replicas(of: persistentStoreCoordinator?.rowStores ?? [])
        if let generation { pin(.replicas(generation)) }
    }

    /// Has the context read from the servers that take changes.
    final package func readFromPrimaries() {
        if case .replicas = generationPin { pin(.none) }
    }

    /// Runs a block in which everything that the context reads is one state of each store. Afterwards the context can't be read
    /// from any longer.
    final package func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
        checkQueue()
        let stores = parent == nil ? coordinator?.rowStores ?? [] : []
        return try reading(stores[...], [], areSeveral: stores.count > 1, body)
    }

    private func reading<Result>(
        _ stores: ArraySlice<any RowStore>, _ states: [(store: any RowStore, state: any StoreGeneration)],
        areSeveral: Bool, _ body: () throws -> Result
    ) throws -> Result {
        guard let store = stores.first else {
            if !states.isEmpty { generationPin = .held(QueryGeneration(held: states)) }
            return try body()
        }
        guard let snapshots = store as? any SnapshotStore else {
            return try reading(stores.dropFirst(), states, areSeveral: areSeveral, body)
        }
        return try snapshots.readingOneState(isOneOfSeveral: areSeveral) { state in
            let held = states + (state.map { [(store, $0)] } ?? [])
            return try reading(stores.dropFirst(), held, areSeveral: areSeveral, body)
        }
    }

    private func pin(_ pin: GenerationPin) {
        generationPin = pin
        forgetRowsOfFaults()
    }

    /// Moves a pinned context on, to what is current at its next read.
    final func advanceGeneration() {
        guard case .pinned = generationPin else { return }
        pin(.next)
    }

    /// Moves a pinned context on after a save, and returns the token of what it reads from now on.
    final func advanceGenerationAfterSave() -> NSQueryGenerationToken? {
        switch generationPin {
        case .none, .replicas, .held: return nil
        case .next, .pinned: pin(.next)
        }
        try? settleGeneration()
        return queryGenerationToken
    }

    /// What faults were fetched with belongs to another generation.
    private func forgetRowsOfFaults() {
        cohorts.removeAll()
        for object in registry.objects() where object.state.isFault { object.dropRowForReload() }
    }

    /// Pins now what was to be pinned with the next read.
    private func settleGeneration() throws {
        guard case .next = generationPin else { return }
        let generation = try QueryGeneration.pin(persistentStoreCoordinator?.rowStores ?? [])
        generationPin = generation.map { .pinned(NSQueryGenerationToken($0)) } ?? .none
    }

    /// The generation that the context reads now; `nil` for the newest state.
    private var generationToRead: QueryGeneration? {
        switch generationPin {
        case .none, .next: nil
        case .pinned(let token): token.generation
        case .replicas(let generation): hasChanges ? nil : generation
        case .held(let generation): generation
        }
    }

    private func state(of store: NSPersistentStore) throws -> (any StoreGeneration)? {
        try settleGeneration()
        return generationToRead?.state(of: store)
    }

    /// Runs a block that reads from a store, in the context's generation.
    @inline(__always)
    final func reading<Result>(_ store: NSPersistentStore, _ body: () throws -> Result) throws -> Result {
        if case .none = generationPin { return try body() }
        return try readingPinned(store, body)
    }

    /// Runs a block that reads rows from a store, in the context's generation, and makes them known to all contexts.
    @inline(__always)
    final func readingRows(_ store: NSPersistentStore, _ body: () throws -> RowSlab) throws -> RowSlab {
        let rowCache = rowCache(of: store)
        let moment = rowCache.moment
        let slab = try reading(store, body)
        rowCache.register(slab, since: moment)
        return slab
    }

    private func readingPinned<Result>(_ store: NSPersistentStore, _ body: () throws -> Result) throws -> Result {
        guard let state = try state(of: store) else { return try body() }
        return try state.reading(body)
    }

    /// A search of stores in the context's generation, which may run beside the context's queue.
    final func search(_ query: StoreQuery, in stores: [any RowStore]) throws -> StoreSearch {
        try settleGeneration()
        return StoreSearch(query: query, stores: stores, generation: generationToRead)
    }

    /// The rows in memory that the context may use: the newest ones, or those of its generation.
    @inline(__always)
    final func rowCache(of store: NSPersistentStore) -> RowCache {
        if case .none = generationPin { return store.rowCache }
        return (try? state(of: store))?.rowCache ?? store.rowCache
    }
}
