extension SQLiteStore: GenerationalStore {
    package func pinGeneration() throws -> (any StoreGeneration)? { try runtime().pool.snapshot() }

    package var canPinGenerations: Bool {
        guard let pool = try? runtime().pool else { return false }
        return pool.isConcurrent && pool.configuration.isWritable
    }
}
