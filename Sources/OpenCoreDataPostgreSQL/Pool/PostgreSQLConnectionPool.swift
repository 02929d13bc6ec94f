#if PostgreSQL
import Foundation
import Logging
import OpenCoreData

/// The connections of one store to its database.
///
/// A nested `withConnection` uses the thread's connection again and never waits. Other threads get connections in
/// the order of their requests.
///
/// Safe to use from any thread. A block must not pass its connection to another thread.
package final class PostgreSQLConnectionPool: Sendable {
    package struct Limits: Sendable, Hashable {
        /// How many connections there are at most (`NSPersistentStoreConnectionPoolMaxSizeKey`).
        package var maximum = 8
        /// How long a thread waits for a connection, in seconds; `nil` means without limit.
        package var acquireTimeout: Double? = 60
        /// After how long without use a connection is tried before it is used, in seconds.
        package var idleTime: Double = 30
        /// How long a connection is used, in seconds, plus or minus a tenth; `nil` means without limit.
        package var lifetime: Double? = 3600

        package init() {}
    }

    package let address: PostgreSQLAddress
    package let options: PostgreSQLOptions
    package let limits: Limits
    /// Called with each connection that is made.
    private let prepare: (@Sendable (PostgreSQLConnection) -> Void)?
    /// Called when the server can't be reached, and when it can be again: once for each outage.
    private let report: @Sendable (String) -> Void
    let state = UnfairMutex(State())
    let work = WorkCounters()
    /// Where statements are logged that take too long, whichever connection they run on.
    private let slow: SlowStatementLog?

    /// Creates a pool; it connects when it is first used.
    package init(
        _ address: PostgreSQLAddress, options: PostgreSQLOptions = PostgreSQLOptions(), limits: Limits = Limits(),
        prepare: (@Sendable (PostgreSQLConnection) -> Void)? = nil,
        report: @escaping @Sendable (String) -> Void = { PostgreSQLConnection.log.warning("\($0)") }
    ) {
        self.prepare = prepare
        self.report = report
        self.address = address
        self.options = options
        self.limits = limits
        slow = address.settings.merged(options).slowStatementLog
    }

    deinit { close() }

    /// Runs a block with a connection.
    ///
    /// A transaction that the block leaves open is rolled back, a connection that it broke is replaced.
    ///
    /// - Parameters:
    ///   - activity: What the connection is used for, such as `saving`, for messages.
    ///   - isWriting: Whether the block counts as a write.
    /// - Throws: The block's error, or `PostgreSQLError`: `poolTimeout` names who has the connections.
    package func withConnection<Result>(
        for activity: StaticString, isWriting: Bool = false, _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        let thread = Self.thread
        let lease: Lease
        switch try access(thread, activity) {
        case .held(let connection): return try cancellable(connection, body)
        case .granted(let grant, let isCurrent): lease = try usable(grant, isCurrent, thread, activity)
        case .waiting(let waiter):
            let (grant, isCurrent) = try wait(waiter, thread, activity, limits.acquireTimeout)
            lease = try usable(grant, isCurrent, thread, activity)
        }
        var isStale = false
        defer { giveBack(lease, isStale: isStale) }
        do {
            return try work.measure(isWriting ? .write : .read) { try cancellable(lease.connection, body) }
        } catch let error as PostgreSQLError {
            // After a failover the other connections are to the wrong server as well.
            if error.kind == .readOnly, options.session == .readWrite { isStale = true }
            throw error
        }
    }

    /// Opens a connection outside of the pool, which belongs to the caller.
    package func makeConnection() throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address, options: options, slow: slow)
        prepare?(connection)
        return connection
    }

    /// Whether the calling thread has a connection.
    package var isHeld: Bool { heldConnection(of: Self.thread) != nil }

    /// Ends the connections: idle ones now, others when their block ends. Later use throws.
    package func close() {
        let (idle, waiters) = state.withLock { state in
            state.isClosed = true
            defer { (state.idle, state.waiters) = ([], []) }
            state.count -= state.idle.count
            return (state.idle, state.waiters)
        }
        for lease in idle { lease.connection.close() }
        for waiter in waiters { waiter.semaphore.signal() }
    }

    /// Runs a block whose statements end when the search that this thread reads for is cancelled.
    private func cancellable<Result>(
        _ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        guard let read = CancellableRead.current, read.begin(with: connection.cancellation) else {
            return try body(connection)
        }
        let outer = connection.read
        connection.read = read
        defer {
            connection.read = outer
            read.rowCount = nil
            read.end(with: connection.cancellation)
        }
        try read.check()
        do {
            return try body(connection)
        } catch let error as PostgreSQLError where error.kind == .cancelled && read.isCancelled {
            throw CocoaError(.userCancelled)
        }
    }

    /// A number that no other living thread has.
    private static var thread: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }
}

// MARK: Connections on their way

extension PostgreSQLConnectionPool {
    /// A connection on its way between the pool and the thread that uses it.
    // The connection is not safe to share. It is in exactly one place: in the pool's idle list, or with the one thread
    // that took it out under the lock.
    // What changes is written by that thread.
    final class Lease: @unchecked Sendable {
        let connection: PostgreSQLConnection
        /// When its time is over.
        let end: ContinuousClock.Instant?
        /// Which generation of connections it belongs to; those before a failover are of no use any longer.
        let generation: Int
        let serverProcess: Int32
        var lastUse = ContinuousClock.now

        init(connection: PostgreSQLConnection, end: ContinuousClock.Instant?, generation: Int) {
            self.connection = connection
            self.end = end
            self.generation = generation
            serverProcess = connection.serverProcess
        }
    }

    /// A thread that waits. What it was given is under the pool's lock.
    final class Waiter: @unchecked Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        var grant: Grant?
        /// The error of an attempt that was made for all.
        var failure: PostgreSQLError?
    }

    enum Grant {
        case connection(Lease)
        /// The right to make one.
        case slot
    }

    /// Who has a connection.
    struct Holder {
        let thread: UInt
        let activity: StaticString
        let since = ContinuousClock.now
        /// Nil while it is being made.
        var lease: Lease?
    }

    struct State {
        /// The one used last is at the end.
        var idle: [Lease] = []
        /// Those that are there or being made.
        var count = 0
        var holders: [Holder] = []
        var waiters: [Waiter] = []
        var generation = 0
        var isClosed = false
        /// Since when the server can't be reached.
        var outage: ContinuousClock.Instant?
        /// Until when no connection is made beside those that are there, as the server had none left.
        var fullUntil: ContinuousClock.Instant?

        /// Whether the server had no connection left a moment ago.
        var isFull: Bool { fullUntil.map { $0 > .now } ?? false }

        func held(by thread: UInt) -> PostgreSQLConnection? {
            holders.last { $0.thread == thread }?.lease?.connection
        }

        /// Notes who has what was granted.
        ///
        /// - Returns: Whether a connection is of the present generation.
        mutating func hold(_ grant: Grant, _ thread: UInt, _ activity: StaticString) -> Bool {
            var holder = Holder(thread: thread, activity: activity)
            defer { holders.append(holder) }
            guard case .connection(let lease) = grant else { return true }
            holder.lease = lease
            return lease.generation == generation
        }

        mutating func setLease(_ lease: Lease?, of thread: UInt) {
            guard let index = holders.lastIndex(where: { $0.thread == thread }) else { return }
            holders[index].lease = lease
        }
    }

    /// How many connections there are, how many of them are idle, and how many threads wait.
    package var usage: (connections: Int, idle: Int, waiting: Int) {
        state.withLock { ($0.count, $0.idle.count, $0.waiters.count) }
    }

    /// What a thread that asks for a connection gets.
    private enum Access {
        /// The one that it has already.
        case held(PostgreSQLConnection)
        /// A connection, or a slot for one, and whether it is of the present generation.
        case granted(Grant, isCurrent: Bool)
        /// A place behind those that have asked before.
        case waiting(Waiter)
    }

    private func heldConnection(of thread: UInt) -> PostgreSQLConnection? {
        state.withLock { $0.held(by: thread) }
    }

    private func access(_ thread: UInt, _ activity: StaticString) throws -> Access {
        try state.withLock { state in
            if let connection = state.held(by: thread) { return .held(connection) }
            guard !state.isClosed else { throw closedError }
            if state.waiters.isEmpty, let grant = Self.free(&state, limits) {
                return .granted(grant, isCurrent: state.hold(grant, thread, activity))
            }
            let waiter = Waiter()
            state.waiters.append(waiter)
            return .waiting(waiter)
        }
    }

    /// The connection of a grant, or a new one in its place. Where the server has none left, one of those that are there is
    /// waited for, or one that others give up.
    private func usable(
        _ grant: Grant, _ isCurrent: Bool, _ thread: UInt, _ activity: StaticString
    ) throws -> Lease {
        let end = limits.acquireTimeout.map { ContinuousClock.now.advanced(by: .seconds($0)) }
        var (grant, isCurrent) = (grant, isCurrent)
        while true {
            do {
                return try usable(grant, isCurrent, thread)
            } catch let error as PostgreSQLError where error.kind == .outOfResources {
                let left = end.map { ContinuousClock.now.duration(to: $0) / .seconds(1) }
                if let left, left <= 0 {
                    giveUpSlot(of: thread)
                    throw error
                }
                if let waiter = try waiter(afterFullnessOf: thread) {
                    (grant, isCurrent) = try wait(waiter, thread, activity, left)
                } else {
                    Thread.sleep(forTimeInterval: min(Double.random(in: 0.02...0.1), left ?? 0.1))
                    (grant, isCurrent) = (.slot, true)
                }
            }
        }
    }

    /// Gives up the slot of a thread whose connection the server refused; it keeps it where there is no other connection.
    ///
    /// - Returns: The thread's place before all others.
    private func waiter(afterFullnessOf thread: UInt) throws -> Waiter? {
        try state.withLock { state in
            state.fullUntil = ContinuousClock.now.advanced(by: .seconds(1))
            guard state.count > 1 || state.isClosed else { return nil }
            state.holders.lastIndex { $0.thread == thread }.map { _ = state.holders.remove(at: $0) }
            state.count -= 1
            if state.isClosed { throw closedError }
            let waiter = Waiter()
            state.waiters.insert(waiter, at: 0)
            return waiter
        }
    }

    /// The same without waiting; the thread keeps its slot when the server has no connection left.
    private func usable(_ grant: Grant, _ isCurrent: Bool, _ thread: UInt) throws -> Lease {
        if case .connection(let lease) = grant {
            if isCurrent, isUsable(lease) { return lease }
            state.withLock { $0.setLease(nil, of: thread) }
            lease.connection.close()
        }
        let start = ContinuousClock.now
        do {
            let lease = try make()
            let outage = state.withLock { state in
                state.setLease(lease, of: thread)
                defer { state.outage = nil }
                return state.outage
            }
            if let outage {
                let seconds = outage.duration(to: .now).components.seconds
                report("\(address.displayName) can be reached again after \(seconds) s.")
            }
            return lease
        } catch let error as PostgreSQLError where error.kind == .outOfResources {
            throw error
        } catch {
            if let error = error as? PostgreSQLError, error.kind == .cannotConnect { note(error, since: start) }
            giveUpSlot(of: thread)
            throw error
        }
    }

    /// Notes that the server can't be reached. Threads that waited while that was tried need not try it one after the other.
    private func note(_ error: PostgreSQLError, since start: ContinuousClock.Instant) {
        let (isNew, waiters) = state.withLock { state in
            let isNew = state.outage == nil
            if isNew { state.outage = start }
            // Where a connection works, those that wait get it.
            guard start.duration(to: .now) > .seconds(1), state.idle.isEmpty,
                state.holders.allSatisfy({ $0.lease == nil })
            else { return (isNew, [Waiter]()) }
            for waiter in state.waiters { waiter.failure = error }
            defer { state.waiters = [] }
            return (isNew, state.waiters)
        }
        if isNew { report("\(error)") }
        for waiter in waiters { waiter.semaphore.signal() }
    }

    private func wait(
        _ waiter: Waiter, _ thread: UInt, _ activity: StaticString, _ timeout: Double?
    ) throws -> (Grant, isCurrent: Bool) {
        work.measure(.wait) {
            if let timeout {
                _ = waiter.semaphore.wait(timeout: .now() + timeout)
            } else {
                waiter.semaphore.wait()
            }
        }
        return try state.withLock { state in
            guard let grant = waiter.grant else {
                state.waiters.removeAll { $0 === waiter }
                if let failure = waiter.failure { throw failure }
                throw state.isClosed ? closedError : timeoutError(state)
            }
            return (grant, state.hold(grant, thread, activity))
        }
    }

    private static func free(_ state: inout State, _ limits: Limits) -> Grant? {
        if let lease = state.idle.popLast() { return .connection(lease) }
        guard state.count < max(1, limits.maximum), state.count == 0 || !state.isFull else { return nil }
        state.count += 1
        return .slot
    }

    private func make() throws -> Lease {
        let generation = state.withLock { $0.generation }
        let connection = try makeConnection()
        // Not all at once, as they were made.
        let end = limits.lifetime.map {
            ContinuousClock.now.advanced(by: .seconds($0 * Double.random(in: 0.9...1.1)))
        }
        return Lease(connection: connection, end: end, generation: generation)
    }

    private func isUsable(_ lease: Lease) -> Bool {
        guard lease.connection.isAlive else { return false }
        guard lease.lastUse.duration(to: .now) > .seconds(limits.idleTime) else { return true }
        return (try? lease.connection.execute("SELECT 1", isPrepared: false)) != nil
    }

    private func giveBack(_ lease: Lease, isStale: Bool) {
        lease.connection.rollback()
        let isOver = lease.end.map { $0 < .now } ?? false
        lease.lastUse = .now
        let isKept = state.withLock { state in
            if isStale { state.generation += 1 }
            if let index = state.holders.lastIndex(where: { $0.lease === lease }) {
                state.holders.remove(at: index)
            }
            guard !state.isClosed, !isOver, !lease.connection.isBroken, lease.generation == state.generation else {
                Self.passSlot(&state)
                return false
            }
            if state.waiters.isEmpty {
                state.idle.append(lease)
            } else {
                Self.pass(.connection(lease), &state)
            }
            return true
        }
        if !isKept { lease.connection.close() }
    }

    /// Lets the next one make the connection that this thread could not make.
    private func giveUpSlot(of thread: UInt) {
        state.withLock { state in
            if let index = state.holders.lastIndex(where: { $0.thread == thread }) {
                state.holders.remove(at: index)
            }
            Self.passSlot(&state)
        }
    }

    private static func passSlot(_ state: inout State) {
        // The last one tries again, so that no one waits for ever.
        if state.waiters.isEmpty || state.isClosed || (state.isFull && state.count > 1) {
            state.count -= 1
        } else {
            pass(.slot, &state)
        }
    }

    private static func pass(_ grant: Grant, _ state: inout State) {
        let waiter = state.waiters.removeFirst()
        waiter.grant = grant
        waiter.semaphore.signal()
    }

    private var closedError: PostgreSQLError {
        PostgreSQLError(.misuse, "The store was removed and its connections closed.", location: address.displayName)
    }

    private func timeoutError(_ state: State) -> PostgreSQLError {
        let holders = state.holders.map { holder in
            let seconds = holder.since.duration(to: .now).components.seconds
            let process = holder.lease.map { "server process \($0.serverProcess)" } ?? "connecting"
            return "\(holder.activity) for \(seconds) s (\(process))"
        }
        return PostgreSQLError(
            .poolTimeout,
            "No connection became free in \(limits.acquireTimeout ?? 0) s. \(state.count) are in use: "
                + "\(holders.joined(separator: ", ")); \(state.waiters.count) more threads are waiting.",
            location: address.displayName)
    }
}
#endif
