#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization

/// The servers that follow a store's primary.
final class Replicas: Sendable {
    private let required: RequiredPosition
    private let pools: [PostgreSQLConnectionPool]
    private let state: Mutex<State>

    private struct State {
        var next = 0
        /// By server: until when it is not asked, because it could not be reached.
        var pauses: [ContinuousClock.Instant?]
        var counts = Counts()
    }

    /// Where reads went, for tests and metrics.
    struct Counts: Sendable, Hashable {
        var replica = 0
        /// Reads that the primary answered because the replica had not come far enough.
        var behind = 0
        /// Reads that the primary answered because the replica failed.
        var failed = 0
    }

    /// How long a server that failed is not asked.
    private static let pause = Duration.seconds(2)

    init(_ pools: [PostgreSQLConnectionPool], required: RequiredPosition) {
        self.pools = pools
        self.required = required
        state = Mutex(State(pauses: pools.map { _ in nil }))
    }

    var counts: Counts { state.withLock { $0.counts } }

    func close() { for pool in pools { pool.close() } }

    /// Runs a block that reads, with a connection to a replica if one has what is required.
    ///
    /// - Parameters:
    ///   - body: Called with a connection, or with `nil` to read from the primary, also after a replica has failed.
    ///   - ask: Asks the primary for the end of its log.
    func reading<Result>(
        asking ask: () throws -> LogPosition?, _ body: (PostgreSQLConnection?) throws -> Result
    ) throws -> Result {
        guard let index = choose() else { return try body(nil) }
        guard let required = try required.position(ask) else { return try body(nil) }
        do {
            let result = try pools[index].withConnection(for: "reading from a replica") { connection in
                try Self.has(required, connection) ? try body(connection) : nil
            }
            if let result {
                state.withLock { $0.counts.replica += 1 }
                return result
            }
            state.withLock { $0.counts.behind += 1 }
        } catch  where Self.isFailure(error) {
            state.withLock { state in
                state.pauses[index] = .now.advanced(by: Self.pause)
                state.counts.failed += 1
            }
        }
        return try body(nil)
    }

    /// The next one in turn that is not paused.
    private func choose() -> Int? {
        state.withLock { state in
            let now = ContinuousClock.now
            for _ in pools.indices {
                let index = state.next
                state.next = (state.next + 1) % pools.count
                guard let end = state.pauses[index] else { return index }
                if end < now {
                    state.pauses[index] = nil
                    return index
                }
            }
            return nil
        }
    }

    /// Whether the server of a connection has replayed the log up to a position. Once it has, the answer is kept
    /// for the life of the connection.
    private static func has(_ required: LogPosition, _ connection: PostgreSQLConnection) throws -> Bool {
        if connection.replayed >= required { return true }
        let result = try connection.execute(LogPosition.replayed.sql)
        guard let row = result.first else { return false }
        // A promoted server doesn't follow another one, and has everything that it ever had.
        connection.replayed = row.isNull(0) ? LogPosition(offset: 0) : LogPosition(result) ?? LogPosition(offset: 0)
        return connection.replayed >= required
    }

    /// Whether the primary may answer what a replica could not.
    private static func isFailure(_ error: any Error) -> Bool {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? PostgreSQLError
        guard let failure = error as? PostgreSQLError ?? cause else { return false }
        // Reads on a replica are cancelled when they stand in the way of what it follows (40001).
        return failure.endsConnection || failure.kind == .serializationFailure || failure.kind == .undefinedObject
            || failure.kind == .accessDenied || failure.kind == .readOnly || failure.kind == .outOfResources
    }
}
#endif
