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
        await withCheckedContinuation { continuation in
            take { continuation.resume(returning: $0) }
        }
    }

    /// Calls a block when it is its turn: at once, or on the thread that ends the turn before.
    func take(_ block: @escaping @Sendable (Turn) -> Void) { take([], block) }

    private func take(_ turns: [TurnQueue.Turn], _ block: @escaping @Sendable (Turn) -> Void) {
        guard turns.count < queues.count else { return block(Turn(turns: turns)) }
        queues[turns.count].take { self.take(turns + [$0], block) }
    }
}
