package import Foundation

/// The connections of one store file: a writer, and readers that work beside it.
///
/// With a write-ahead log up to `maximumReaders` threads read while one writes. Without one, a single connection does
/// everything, because readers and the writer would lock each other out. A thread that is inside `read` or `write` gets
/// the same connection again when it asks again, so nested use neither waits for itself nor sees an older state.
///
/// Safe to use from any thread. A block must not hand its connection to another thread. Errors of SQLite leave `read`
/// and `write` as `CocoaError`.
package final class SQLiteConnectionPool: Sendable {
    /// The number of readers when nothing else is asked for.
    package static let defaultMaximumReaders = StoreLimits().maximumReaders

    package let url: URL
    package let configuration: SQLiteConfiguration
    /// The file of the write-ahead log.
    let logPath: String
    /// How long threads wait for connections, and how long the write-ahead log may get.
    package let limits: StoreLimits
    /// Which file was opened.
    private let file: FileIdentity?
    /// Whether several connections work side by side.
    package let isConcurrent: Bool

    let state: UnfairMutex<State>
    private let didWrite: (@Sendable () -> Void)?
    let work = WorkCounters()
    let writerGate: ConnectionGate
    let readerGate: ConnectionGate

    /// Opens the first connection, so that what is wrong with the file shows at once.
    ///
    /// For a store open for writing this brings the file into the configured journal mode: check that it is a store
    /// that may be opened before.
    ///
    /// - Parameters:
    ///   - limits: How many connections read at a time, and what else is bounded.
    ///   - didWrite: Called after each block that wrote, on its thread.
    /// - Throws: `CocoaError`.
    package init(
        url: URL, configuration: SQLiteConfiguration, limits: StoreLimits = StoreLimits(),
        didWrite: (@Sendable () -> Void)? = nil
    ) throws {
        self.url = url
        self.didWrite = didWrite
        self.configuration = configuration
        self.limits = limits
        logPath = url.path + "-wal"
        let first: State
        do {
            if configuration.isWritable {
                var beside = configuration
                beside.movesLogBeside = true
                let writer = try SQLiteConnection(path: url.path, configuration: beside)
                isConcurrent = try writer.activateJournalMode() == "wal"
                writer.watchFiles(hasLog: isConcurrent)
                first = State(writer: Lease(connection: writer))
            } else {
                isConcurrent = true
                first = State(idleReaders: [try Self.openReader(url: url, configuration: configuration)])
            }
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .opening)
        }
        file = FileIdentity(of: url.path)
        writerGate = ConnectionGate(1, work)
        readerGate = ConnectionGate(max(1, limits.maximumReaders), work)
        state = UnfairMutex(first)
    }

    /// Whether the file is where it was when it was opened.
    var isFileInPlace: Bool { file == nil || FileIdentity(of: url.path) == file }

    /// Runs a block with a connection that reads.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` when none became free in the time that the limits allow.
    package func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        if let holder = holder(forWriting: false) {
            let connection = holder.lease.connection
            return try translating(.reading) {
                // Reads inside of others are part of them; those of a pinned state are inside of none.
                guard holder.isPinned else { return try CancellableRead.reading(connection) { try body(connection) } }
                return try work.measure(.read) { try CancellableRead.reading(connection) { try body(connection) } }
            }
        }
        guard isConcurrent else {
            return try exclusively(.reading) { connection in
                try CancellableRead.reading(connection) { try body(connection) }
            }
        }
        guard readerGate.enter(timeout: limits.readerTimeout) else { throw readersBusyError }
        defer { readerGate.leave() }
        let lease = try takeReader()
        defer { giveBackReader(lease) }
        return try translating(.reading) {
            try work.measure(.read) {
                try CancellableRead.reading(lease.connection) { try body(lease.connection) }
            }
        }
    }

    /// Runs a block with two connections that see the same state of the file, for two threads.
    ///
    /// - Returns: `nil`, without running the block, where the caller should read alone: inside of another read or a
    ///   write, when no two readers are free, or when the file was written just then.
    func readTogether<Result>(_ body: (SQLiteConnection, SQLiteConnection) throws -> Result) throws -> Result? {
        guard isConcurrent, configuration.isWritable, Self.hasSeveralProcessors, CancellableRead.current == nil,
            heldConnection(forWriting: false) == nil, readerGate.enterAtOnce()
        else { return nil }
        defer { readerGate.leave() }
        guard readerGate.enterAtOnce() else { return nil }
        defer { readerGate.leave() }
        let lease = try takeReader()
        defer { giveBackReader(lease) }
        // One more connection may be one too many for the process; reading alone needs none.
        guard let other = try? takeReader() else { return nil }
        defer { giveBackReader(other) }
        return try translating(.reading) {
            guard try Self.begin(lease.connection, withSameStateAs: other.connection) else { return nil }
            return try work.measure(.read) { try body(lease.connection, other.connection) }
        }
    }

    private static let hasSeveralProcessors = ProcessInfo.processInfo.activeProcessorCount > 1

    /// Begins a transaction on both connections.
    ///
    /// A connection's data version changes with each commit of any other one. Where it is the same before the one
    /// transaction began and in the other, nothing was committed between the two.
    ///
    /// - Returns: Whether both see the same state.
    private static func begin(
        _ connection: SQLiteConnection, withSameStateAs other: SQLiteConnection
    ) throws -> Bool {
        let before = try other.dataVersion()
        try connection.run("BEGIN")
        // The transaction takes its place in the log with the first read.
        _ = try connection.dataVersion()
        try other.run("BEGIN")
        return try other.dataVersion() == before
    }

    /// Runs a block with the connection that writes.
    ///
    /// Other writers of the pool wait; readers do not.
    ///
    /// The block begins and ends transactions itself (`SQLiteConnection.transaction`).
    package func write<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        guard configuration.isWritable else {
            throw CoreDataError.make(
                CocoaError.Code.fileWriteNoPermission.rawValue,
                "The store “\(url.lastPathComponent)” was opened for reading only.", path: url.path)
        }
        if let connection = heldConnection(forWriting: true) {
            return try translating(.saving) { try body(connection) }
        }
        let result = try exclusively(.saving) { connection in
            defer { connection.saveLogWithoutName() }
            connection.openFiles?.recordNewFiles()
            try requireShortLog(connection)
            let result = try explaining(connection) { try body(connection) }
            watchLog(connection)
            moveLogBeside(connection)
            return result
        }
        didWrite?()
        return result
    }

    /// Runs a write. What fails because the file is not in its place any more says so.
    private func explaining<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            try connection.checkFileIsInPlace()
            throw error
        }
    }

    /// Closes the connections: idle ones now, others when their block ends.
    ///
    /// With the last one SQLite moves the write-ahead log into the file. Later use throws.
    ///
    /// - Parameter lastly: Called with the writer, unless a thread uses it, before it is closed and when the readers
    ///   are.
    package func close(_ lastly: (SQLiteConnection) -> Void = { _ in }) {
        endSnapshots()
        let underWay = state.withLock { state in
            state.isClosed = true
            return state.checkpoint.underWay
        }
        underWay.wait()
        let (readers, writer) = state.withLock { state -> ([Lease], Lease?) in
            let writer = state.writerIsOut ? nil : state.writer
            if writer != nil { state.writer = nil }
            defer { state.idleReaders.removeAll() }
            return (state.idleReaders, writer)
        }
        for lease in readers { lease.connection.close() }
        // The writer goes last: it is the one that may move the log into the file.
        guard let writer else { return }
        lastly(writer.connection)
        writer.connection.close()
    }

    deinit {
        close()
    }
}

// MARK: Checking connections in and out

extension SQLiteConnectionPool {
    /// A connection on its way between the pool and the thread that uses it.
    // The connection is not safe to share. It is in exactly one place: in the pool's idle list, or with the one thread
    // that took it out under the lock.
    struct Lease: @unchecked Sendable {
        let connection: SQLiteConnection
        /// For a connection that trusts the file not to change: how the file looked when it was opened.
        var trusted: LogState?
    }

    /// A connection that a thread holds at present.
    struct Holder {
        var thread: UInt
        var lease: Lease
        var isWriter: Bool
        /// Whether the connection is that of a pinned state, and none of the pool's.
        var isPinned = false
    }

    struct State {
        var writer: Lease?
        var writerIsOut = false
        var idleReaders: [Lease] = []
        var holders: [Holder] = []
        var snapshots: [SnapshotReference] = []
        var isClosed = false
        /// How many backups are under way.
        var backups = 0
        var log = LogWatch()
        var checkpoint = CheckpointState()

        var readersInUse: Int { holders.count { !$0.isWriter && !$0.isPinned } }
    }

    /// Whether the calling thread is inside of `write`.
    var isWriting: Bool { heldConnection(forWriting: true) != nil }

    private func heldConnection(forWriting: Bool) -> SQLiteConnection? {
        holder(forWriting: forWriting)?.lease.connection
    }

    /// What the calling thread holds.
    private func holder(forWriting: Bool) -> Holder? {
        let thread = ThreadValue.token
        return state.withLock { state in
            // The last one: a thread that reads, then writes, reads what it has just written.
            state.holders.last { $0.thread == thread && (!forWriting || $0.isWriter) }
        }
    }

    /// Runs a block in which this thread's reads go to a connection that the caller has for itself.
    func holding<Result>(_ connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        let thread = ThreadValue.token
        let lease = Lease(connection: connection)
        state.withLock {
            $0.holders.append(Holder(thread: thread, lease: lease, isWriter: false, isPinned: true))
        }
        defer {
            state.withLock { state in
                let last = state.holders.lastIndex { $0.thread == thread && $0.lease.connection === connection }
                if let last { state.holders.remove(at: last) }
            }
        }
        return try body()
    }

    /// The writer's connection for the calling thread alone.
    private func exclusively<Result>(
        _ activity: SQLiteError.Activity, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let timeout = activity == .saving ? limits.writerTimeout : limits.readerTimeout
        guard writerGate.enter(timeout: timeout) else { throw writerBusyError(activity) }
        defer { writerGate.leave() }
        let lease = try takeWriter()
        defer { giveBackWriter(lease) }
        return try translating(activity) {
            try work.measure(activity == .saving ? .write : .read) { try body(lease.connection) }
        }
    }

    private func takeWriter() throws -> Lease {
        let thread = ThreadValue.token
        let lease = state.withLock { state -> Lease? in
            guard !state.isClosed, let writer = state.writer else { return nil }
            state.writerIsOut = true
            state.holders.append(Holder(thread: thread, lease: writer, isWriter: true))
            return writer
        }
        guard let lease else { throw closedError }
        return lease
    }

    private func giveBackWriter(_ lease: Lease) {
        // A block that failed half-way must not leave its transaction to the next one.
        lease.connection.rollback()
        let isClosed = state.withLock { state in
            state.writerIsOut = false
            state.holders.removeAll { $0.lease.connection === lease.connection }
            if state.isClosed { state.writer = nil }
            return state.isClosed
        }
        if isClosed { lease.connection.close() }
    }

    func takeReader() throws -> Lease {
        while let idle = try takeIdleReader() {
            if idle.trusted == nil || idle.trusted == LogState(of: url) { return idle }
            // The file was read without locks because no process was writing. Now one is, so it is opened again.
            forget(idle)
            idle.connection.close()
        }
        let lease = try translating(.opening) { try Self.openReader(url: url, configuration: configuration) }
        let thread = ThreadValue.token
        state.withLock { $0.holders.append(Holder(thread: thread, lease: lease, isWriter: false)) }
        return lease
    }

    private func takeIdleReader() throws -> Lease? {
        let thread = ThreadValue.token
        let (lease, isClosed) = state.withLock { state -> (Lease?, Bool) in
            guard let lease = state.idleReaders.popLast() else { return (nil, state.isClosed) }
            state.holders.append(Holder(thread: thread, lease: lease, isWriter: false))
            return (lease, false)
        }
        if isClosed { throw closedError }
        return lease
    }

    func giveBackReader(_ lease: Lease) {
        lease.connection.rollback()
        let isKept = state.withLock { state in
            state.holders.removeAll { $0.lease.connection === lease.connection }
            if !state.isClosed { state.idleReaders.append(lease) }
            return !state.isClosed
        }
        if !isKept { lease.connection.close() }
    }

    /// Has the thread that took a connection no longer read from it by itself.
    func withdrawHolder(of lease: Lease) { forget(lease) }

    private func forget(_ lease: Lease) {
        state.withLock { $0.holders.removeAll { $0.lease.connection === lease.connection } }
    }

    static func openReader(url: URL, configuration: SQLiteConfiguration) throws -> Lease {
        var configuration = configuration
        if configuration.isWritable {
            // Opened like the writer, since a file open for reading only cannot share the log's index in all cases.
            configuration.access = .readWrite
            configuration.isQueryOnly = true
        } else if configuration.access == .readOnly {
            let state = LogState(of: url)
            let connection = try SQLiteConnection(
                readingOnly: url.path, configuration: configuration, state: state)
            return Lease(connection: connection, trusted: state.isAtRest ? state : nil)
        }
        return Lease(connection: try SQLiteConnection(path: url.path, configuration: configuration))
    }

    func translating<Result>(
        _ activity: SQLiteError.Activity, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error.cocoaError(while: activity)
        }
    }

    var closedError: CocoaError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store “\(url.lastPathComponent)” was removed and its file closed.",
            path: url.path)
    }
}
