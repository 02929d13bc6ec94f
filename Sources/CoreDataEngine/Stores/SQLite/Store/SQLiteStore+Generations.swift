extension SQLiteStore: GenerationalStore {
    package func pinGeneration() throws -> (any StoreGeneration)? { try runtime().pool.snapshot() }

    package var canPinGenerations: Bool {
        guard let pool = try? runtime().pool else { return false }
        return pool.isConcurrent && pool.configuration.isWritable
    }
}

extension SQLiteStore: SnapshotStore {
    package func readingOneState<Result>(_ body: ((any StoreGeneration)?) throws -> Result) throws -> Result {
        let pool = try runtime().pool
        guard pool.isConcurrent else { return try pool.readingAlone { try body(nil) } }
        return try pool.lendingSnapshot { try body($0) }
    }
}
