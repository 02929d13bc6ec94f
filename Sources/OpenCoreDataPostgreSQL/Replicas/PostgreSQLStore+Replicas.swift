#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore: ServerStore {
    package func makeReplicaReading() -> (any StoreGeneration)? {
        guard let connections = try? runtime().connections, connections.replicas != nil else { return nil }
        return ReplicaReading(connections)
    }

    package var admission: (limit: Int, timeout: Double?) {
        let limits = (try? runtime())?.connections.limits ?? PostgreSQLConnectionPool.Limits()
        return (limits.maximum, limits.acquireTimeout)
    }

    package func admissionError(waiting: Int) -> any Error {
        let (limit, timeout) = admission
        let error = PostgreSQLError(
            .poolTimeout,
            "\(limit) operations are running, and none of them ended within \(timeout ?? 0) s; \(waiting) more are waiting.",
            location: displayName)
        return error.cocoaError(NSPersistentStoreTimeoutError)
    }

    /// How often reads went to replicas, and how often they could not.
    var replicaCounts: Replicas.Counts? { (try? runtime())?.connections.replicas?.counts }

    package func position() throws -> String {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            let connections = runtime.connections
            // Without replicas, positions of commits aren't recorded.
            let position =
                try connections.replicas == nil
                ? connections.currentPosition()
                : connections.required.position(connections.currentPosition)
            guard let position else { throw PostgreSQLError(.other, "The server didn't report its position.") }
            return "\(runtime.storeIdentifier)@\(position)"
        }
    }

    package func follow(_ position: String) throws {
        let parts = position.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, UUID(uuidString: String(parts[0])) != nil,
            let wanted = LogPosition(String(parts[1]))
        else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "\(String(reflecting: String(position.prefix(80)))) isn't a position of a store.")
        }
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            guard parts[0] == runtime.storeIdentifier, runtime.connections.required.known < wanted else { return }
            // A position that lies in the future must not keep all reads from the replicas.
            guard let current = try runtime.connections.currentPosition() else { return }
            runtime.connections.required.record(min(wanted, current))
            rowCache.removeAll()
        }
    }
}
#endif
