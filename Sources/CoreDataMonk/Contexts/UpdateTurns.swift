import OpenCoreDataKit

/// The turns of a serial context's blocks: one block at a time, first come, first served.
final class UpdateTurns: Sendable {
    private let queue = TurnQueue()

    /// The turns that the running block has.
    @TaskLocal private static var held: Set<ObjectIdentifier> = []

    /// Calls `start` as soon as it's this caller's turn. The closure must not wait.
    func take(_ start: @escaping @Sendable (TurnQueue.Turn) -> Void) { queue.take(start) }

    /// Waits for a turn. Stops the program when the caller has one already: it would wait for itself.
    func waitForTurn() -> TurnQueue.Turn {
        programmerError(
            unless:
                !Self.held.contains(ObjectIdentifier(self)),
            "A block of a serial context waits for another block of the same context, which can't run before it has "
                + "returned. Use perform or beginUpdate instead.")
        let arrival = Arrival<TurnQueue.Turn>()
        take { arrival.set($0) }
        return arrival.wait()
    }

    /// Runs a block that has a turn.
    func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$held.withValue(Self.held.union([ObjectIdentifier(self)]), operation: body)
    }
}
