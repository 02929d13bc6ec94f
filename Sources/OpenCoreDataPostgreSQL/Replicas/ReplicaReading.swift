#if PostgreSQL
import OpenCoreData

/// What the replicas of a store have. Each context that reads from them has its own, with rows of its own: those of a
/// replica may be older than those that contexts on the primary share.
final class ReplicaReading: StoreGeneration {
    let rowCache = RowCache()
    private let connections: StoreConnections

    /// The connection to a replica that this thread reads by.
    @TaskLocal static var current: Current?

    // @unchecked Sendable because the value is seen on the thread alone that took the connection from its pool.
    struct Current: @unchecked Sendable {
        let connection: PostgreSQLConnection
        let owner: StoreConnections
    }

    init(_ connections: StoreConnections) { self.connections = connections }

    var isOver: Bool { false }

    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        // A thread that already holds a connection keeps it.
        guard let replicas = connections.replicas, Self.current == nil, !connections.isHeld else {
            return try body()
        }
        return try replicas.reading(asking: connections.currentPosition) { connection in
            let current = connection.map { Current(connection: $0, owner: connections) }
            return try Self.$current.withValue(current) { try body() }
        }
    }
}
#endif
