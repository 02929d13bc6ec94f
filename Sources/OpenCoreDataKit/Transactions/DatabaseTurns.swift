#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Whose turn it is to change the stores of a database: all databases of the process that are on one file follow each other.
///
/// Those that wait are suspended tasks, where the store itself would block their threads.
final class DatabaseTurns: Sendable {
    /// The right to change the stores, until it is ended or released.
    struct Turn: Sendable {
        fileprivate let turns: [TurnQueue.Turn]

        func end() { for turn in turns.reversed() { turn.end() } }
    }

    private struct Reference {
        weak var queue: TurnQueue?
    }

    private static let known = Mutex<[String: Reference]>([:])

    private let queues: [TurnQueue]

    /// - Parameter urls: Where the stores are; those in memory are the database's own.
    init(_ urls: [URL]) {
        // In one order, so that databases with several stores don't wait for each other.
        let keys = Set(urls.map(OpenFiles.key)).sorted()
        queues = keys.isEmpty ? [TurnQueue()] : keys.map(Self.queue)
    }

    private static func queue(_ key: String) -> TurnQueue {
        known.withLock { known in
            if let queue = known[key]?.queue { return queue }
            known = known.filter { $0.value.queue != nil }
            let queue = TurnQueue()
            known[key] = Reference(queue: queue)
            return queue
        }
    }

    /// Waits for a turn without blocking a thread.
    func take() async -> Turn {
        var turns: [TurnQueue.Turn] = []
        for queue in queues { turns.append(await queue.take()) }
        return Turn(turns: turns)
    }
}

/// Whether the task of a block was cancelled, for the block's thread.
final class CancellationFlag: Sendable {
    private let flag = Mutex(false)
    private let reads: StoppableReads?

    /// - Parameter stopsStatements: Whether a statement that runs ends as well. Those of files are short, and reading them is
    ///   quicker where it need not be.
    init(stopsStatements: Bool) { reads = stopsStatements ? StoppableReads() : nil }

    func set() {
        flag.withLock { $0 = true }
        reads?.stop()
    }

    /// - Throws: `CancellationError`.
    func check() throws { if flag.withLock({ $0 }) { throw CancellationError() } }

    /// Runs a block on this thread, whose statements may end when the task is cancelled.
    ///
    /// - Throws: What the block throws; `CancellationError` when the task was cancelled.
    func stopping<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            try check()
            let result = try reads?.run(body) ?? body()
            try check()
            return result
        } catch {
            try check()
            throw error
        }
    }

    /// Runs a transaction on this thread, whose statements may end until it is committed when the task is cancelled.
    func stoppingUntilCommitted<Result>(_ body: () throws -> Result) throws -> Result {
        try reads?.runUntilCommitted(body) ?? body()
    }

    /// Whether an error means that the cancellation has ended a statement.
    func isCause(of error: any Error) -> Bool {
        guard flag.withLock({ $0 }), let error = error as? CocoaError else { return false }
        if error.code == .userCancelled { return true }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(isCause) ?? false
    }
}
