#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization

/// A state of a store that stays readable: a transaction of its own connection, which sees what there was when it began.
///
/// The server keeps old versions of rows for it, and ends it after `PostgreSQLOptions.idleTransactionTimeout`.
// @unchecked Sendable because the connection is used under `lock` alone.
final class PinnedGeneration: @unchecked Sendable, StoreGeneration {
    let rowCache = RowCache()
    let connection: PostgreSQLConnection
    private let owner: StoreConnections
    private let lock = NSRecursiveLock()

    /// The state that this thread reads in.
    @TaskLocal static var current: PinnedGeneration?

    init(_ owner: StoreConnections) throws {
        self.owner = owner
        connection = try owner.make()
        owner.didPin()
        // The first statement decides what is seen.
        try connection.pipeline([.beginRepeatableRead, PostgreSQLStatement("SELECT 1")])
    }

    deinit {
        connection.close()
        owner.didUnpin()
    }

    var isOver: Bool { lock.withLock { connection.isBroken || connection.transactionState == .none } }

    func belongs(to connections: StoreConnections) -> Bool { owner === connections }

    func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try lock.withLock { try Self.$current.withValue(self) { try body() } }
    }
}
#endif
