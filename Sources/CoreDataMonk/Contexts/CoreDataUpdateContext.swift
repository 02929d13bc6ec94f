public import OpenCoreDataKit

/// A context for an update, on a queue of its own: several blocks, run in order, that see each other's changes.
///
/// Made by ``CoreDataContext/beginUpdateContext()``. Changes that were not committed are discarded when it is released,
/// and when a block throws. Safe to use from any thread; its objects are for its blocks alone.
public final class CoreDataUpdateContext: Sendable {
    /// The engine's context.
    public let managedObjectContext: NSManagedObjectContext
    let owner: CoreDataContext

    init(_ owner: CoreDataContext) {
        self.owner = owner
        managedObjectContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        managedObjectContext.name = "CoreDataMonk update"
        switch owner.updateTarget {
        case .mainContext: managedObjectContext.parent = owner.main
        case .rootContext: managedObjectContext.parent = owner.stack.rootManagedObjectContext
        case .persistentStore: managedObjectContext.persistentStoreCoordinator = owner.stack.persistentStoreCoordinator
        }
    }

    // MARK: Blocks

    /// Runs a block later, after those that wait already.
    ///
    /// Returns at once. Blocks see each other's uncommitted changes. If a block throws, all uncommitted changes of the
    /// context are discarded, also those of blocks before it.
    ///
    /// - Parameter block: Gets the update. What it throws goes to ``handleError(_:)``.
    @preconcurrency
    public func perform(_ block: @escaping @Sendable (CoreDataUpdate) throws -> Void) {
        guard let turns = owner.turns else {
            managedObjectContext.perform { self.run(nil, isAwaited: false, block) }
            return
        }
        turns.take { turn in
            self.managedObjectContext.perform { self.run(turn, isAwaited: false, block) }
        }
    }

    /// Runs a block after those that wait already, and waits for it.
    ///
    /// Stops the program when it is called inside a block of a serial context for a block of the same context.
    ///
    /// A commit in the block has reached the stores when this returns, unless it failed. If the block throws,
    /// uncommitted changes are discarded.
    ///
    /// - Parameter block: Gets the update. What it throws goes to ``handleError(_:)``.
    public func performAndWait(_ block: (CoreDataUpdate) throws -> Void) {
        #if canImport(ObjectiveC)
        // Apple's queues don't say who is on them; they let the caller in who is.
        performAlone(block)
        #else
        guard MainQueue.isCurrent, !managedObjectContext.isOnQueue else { return performAlone(block) }
        // An earlier block may be busy, and need the main queue.
        let turn = owner.turns?.waitForTurn()
        let done = Arrival<Void>()
        withoutActuallyEscaping(block) { block in
            let waited = WaitedBlock(block)
            managedObjectContext.perform {
                waited.run { self.run(turn, isAwaited: true, $0) }
                done.set(())
            }
            done.wait()
        }
        #endif
    }

    /// The same if no block can be waiting, or the caller's queue isn't needed.
    func performAlone(_ block: (CoreDataUpdate) throws -> Void) {
        let turn = owner.turns?.waitForTurn()
        managedObjectContext.performAndWait { run(turn, isAwaited: true, block) }
    }

    /// Waits until the blocks that wait already have run.
    ///
    /// Commits of these blocks may still be on their way to the stores. Stops the program inside a block of a serial
    /// context.
    public func wait() { performAndWait { _ in } }

    /// Commits, after the blocks that wait already.
    ///
    /// Returns at once. Errors go to ``handleError(_:)``.
    public func commit() { perform { try $0.commit() } }

    /// Forgets what is not committed, after the blocks that wait already.
    ///
    /// Returns at once. What was committed before stays.
    public func rollback() { perform { $0.rollback() } }

    /// Reports an error as ``CoreDataStack/handleError(_:)`` does.
    ///
    /// May be called on any thread.
    ///
    /// - Parameter error: The error.
    public func handleError(_ error: any Error) { owner.stack.handleError(error) }

    private func run(_ turn: TurnQueue.Turn?, isAwaited: Bool, _ block: (CoreDataUpdate) throws -> Void) {
        run(CoreDataUpdate(self, turn, isAwaited: isAwaited), block)
    }

    /// Runs a block on the context's queue. One that throws leaves no half-done changes behind.
    func run(_ update: CoreDataUpdate, _ block: (CoreDataUpdate) throws -> Void) {
        do {
            if let turns = owner.turns {
                try turns.holding { try block(update) }
            } else {
                try block(update)
            }
        } catch {
            managedObjectContext.rollback()
            handleError(error)
        }
    }
}

/// A block that another queue runs while its owner waits. It is released before the owner is notified.
// @unchecked Sendable because the owner hands it over and does not touch it again.
private final class WaitedBlock: @unchecked Sendable {
    private var block: ((CoreDataUpdate) throws -> Void)?

    init(_ block: @escaping (CoreDataUpdate) throws -> Void) { self.block = block }

    @inline(never)
    func run(_ body: ((CoreDataUpdate) throws -> Void) -> Void) {
        guard let block else { return }
        self.block = nil
        body(block)
    }
}
