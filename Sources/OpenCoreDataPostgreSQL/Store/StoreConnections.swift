#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization

/// The connections of one store: those of a pool, and those that see an older state.
final class StoreConnections: Sendable {
    private let pool: PostgreSQLConnectionPool
    private let version = Mutex<ModelVersions.Guard?>(nil)
    /// The servers that follow the primary; `nil` if the store has no replicas.
    let replicas: Replicas?
    /// What they must have to be read from.
    let required: RequiredPosition

    var address: PostgreSQLAddress { pool.address }
    var options: PostgreSQLOptions { pool.options }
    var limits: PostgreSQLConnectionPool.Limits { pool.limits }
    /// How many connections there are, how many of them are idle, and how many threads wait.
    var usage: (connections: Int, idle: Int, waiting: Int) { pool.usage }
    /// What was done with the connections.
    var work: WorkCounters { pool.work }
    /// How many states are pinned.
    var pinned: Int { pinnedCount.load(ordering: .relaxed) }
    private let pinnedCount = Atomic(0)

    func didPin() { pinnedCount.add(1, ordering: .relaxed) }
    func didUnpin() { pinnedCount.subtract(1, ordering: .relaxed) }

    init(
        _ address: PostgreSQLAddress, replicas replicaAddresses: [PostgreSQLAddress], options: PostgreSQLOptions,
        limits: PostgreSQLConnectionPool.Limits, recorder: (@Sendable (String) -> Void)?
    ) {
        let observe = recorder.map { recorder in
            { @Sendable (connection: PostgreSQLConnection) in
                connection.observer = { statements in for statement in statements { recorder(statement.sql) } }
            }
        }
        pool = PostgreSQLConnectionPool(address, options: options, limits: limits, prepare: observe)
        required = RequiredPosition()
        var reading = options
        reading.session = .any
        let pools = replicaAddresses.map {
            PostgreSQLConnectionPool($0, options: reading, limits: limits, prepare: observe)
        }
        replicas = pools.isEmpty ? nil : Replicas(pools, required: required)
    }

    /// Runs a block with a connection.
    ///
    /// - Parameter isWriting: Whether the block writes, which is done in the present state also where an older one
    ///   is read.
    func with<Result>(
        isWriting: Bool = false, _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        if !isWriting, let pinned = PinnedGeneration.current, pinned.belongs(to: self) {
            return try work.measure(.read) { try body(pinned.connection) }
        }
        if !isWriting, let replica = ReplicaReading.current, replica.owner === self {
            return try work.measure(.read) { try body(replica.connection) }
        }
        do {
            guard isWriting, replicas != nil else {
                return try pool.withConnection(
                    for: isWriting ? "writing" : "reading", isWriting: isWriting, body)
            }
            return try pool.withConnection(for: "writing", isWriting: true) { connection in
                defer { recordCommit(connection) }
                return try body(connection)
            }
        } catch let error as PostgreSQLError where error.kind == .undefinedObject {
            try checkVersion()
            throw error
        }
    }

    /// Where the log of the primary ends.
    func currentPosition() throws -> LogPosition? {
        try pool.withConnection(for: "reading") { try $0.currentPosition() }
    }

    /// Notes what a block that wrote may have committed.
    private func recordCommit(_ connection: PostgreSQLConnection) {
        if let position = connection.savedPosition {
            connection.savedPosition = nil
            required.record(position)
        } else {
            required.recordCommit()
        }
    }

    /// Says how to find out whether a migration has made another layout.
    func setVersion(_ version: ModelVersions.Guard?) { self.version.withLock { $0 = version } }

    /// A table or column that is not there may be gone since a migration.
    private func checkVersion() throws {
        guard let version = version.withLock({ $0 }) else { return }
        do {
            try pool.withConnection(for: "reading") { try version.check($0) }
        } catch is PostgreSQLError {
            // The failed transaction is still open. Its owner comes here again after it has ended.
        }
    }

    /// Runs a block with a connection that is in no transaction: the thread's own, or one more.
    func outsideTransaction<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try with(isWriting: true) { connection in
            guard connection.transactionState != .none else { return try body(connection) }
            let other = try makeWaiting()
            defer { other.close() }
            return try body(other)
        }
    }

    /// A connection of its own, which is waited for while the server has none left.
    private func makeWaiting() throws -> PostgreSQLConnection {
        let end = ContinuousClock.now.advanced(by: .seconds(limits.acquireTimeout ?? 60))
        while true {
            do {
                return try make()
            } catch let error as PostgreSQLError where error.kind == .outOfResources && ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: Double.random(in: 0.02...0.1))
            }
        }
    }

    /// Runs a block that reads in one snapshot.
    func snapshot<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        try with { connection in
            guard connection.transactionState == .none else { return try body(connection) }
            return try connection.transaction(.beginRepeatableRead) { try body(connection) }
        }
    }

    /// Whether the calling thread has a connection already.
    var isHeld: Bool { pool.isHeld }

    /// A connection that belongs to the caller.
    func make() throws -> PostgreSQLConnection { try pool.makeConnection() }

    func close() {
        pool.close()
        replicas?.close()
    }
}
#endif
