extension SQLiteStore: GenerationalStore {
    package func pinGeneration() throws -> (any StoreGeneration)? { try runtime().pool.snapshot() }

    package var canPinGenerations: Bool {
        guard let pool = try? runtime().pool else { return false }
        return pool.isConcurrent && pool.configuration.isWritable
    }
}

extension SQLiteStore: SnapshotStore {
    package func readingOneState<Result>(
        isOneOfSeveral: Bool, _ body: ((any StoreGeneration)?) throws -> Result
    ) throws -> Result {
        let pool = try runtime().pool
        guard pool.isConcurrent else { return try pool.readingAlone(atOnce: isOneOfSeveral) { try body(nil) } }
        return try pool.lendingSnapshot(atOnce: isOneOfSeveral) { try body($0) }
    }
}
