#if PostgreSQL
package import OpenCoreData
import Synchronization

/// One state of a store, which a thread reads for the length of a block: by a connection of the pool that the thread has, in a
/// transaction of its own.
final class HeldReading: StoreGeneration {
    let rowCache = RowCache()
    private let ended = Atomic(false)

    var isOver: Bool { ended.load(ordering: .acquiring) }

    func end() { ended.store(true, ordering: .releasing) }

    /// The thread has the connection, so it reads from it by itself.
    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        guard isOver else { return try body() }
        throw PostgreSQLError(.misuse, "The block that the state was read in has ended.")
            .cocoaError(NSPersistentStoreOperationError)
    }
}

extension PostgreSQLStore: SnapshotStore {
    package func readingOneState<Result>(
        isOneOfSeveral: Bool, _ body: ((any StoreGeneration)?) throws -> Result
    ) throws -> Result {
        try translatingErrors(NSPersistentStoreOperationError) {
            let connections = try runtime().connections
            func read() throws -> Result {
                let state = HeldReading()
                defer { state.end() }
                return try connections.snapshot { connection in
                    // The server takes the snapshot with the first statement.
                    if isOneOfSeveral { try connection.execute("SELECT 1") }
                    return try body(state)
                }
            }
            guard connections.replicas != nil else { return try read() }
            return try ReplicaReading(connections).reading(read)
        }
    }
}
#endif
