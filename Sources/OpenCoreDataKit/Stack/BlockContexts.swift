import CoreDataPlatform
#if !canImport(ObjectiveC)
import Synchronization
#endif

/// Contexts of blocks that have ended, for further blocks: to make one, and to end it, takes longer than a small block.
///
/// A context that is still in use isn't given to others.
final class BlockContexts: Sendable {
    /// How many are kept at most.
    private static let limit = 8

    private let idle = Mutex<[NSManagedObjectContext]>([])

    /// Whose queue the contexts share; `nil` where each has its own.
    let queueOwner: NSManagedObjectContext?

    /// - Parameter runInTurn: Whether the blocks run one after the other.
    init(runInTurn: Bool = false) {
        queueOwner = runInTurn ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : nil
    }

    /// A context in the state of a new one, or `nil` if no idle one is left.
    func take(_ tree: ContextTree) -> NSManagedObjectContext? {
        #if canImport(ObjectiveC)
        return nil
        #else
        return idle.withLock { idle in
            for index in idle.indices.reversed() where isKnownUniquelyReferenced(&idle[index]) {
                let context = idle.remove(at: index)
                if context.renew(for: tree.coordinator) { return context }
            }
            return nil
        }
        #endif
    }

    /// Ends the life of a context's objects, on its queue, and keeps the context.
    func end(_ context: NSManagedObjectContext) {
        #if !canImport(ObjectiveC)
        context.endBlock()
        idle.withLock { idle in
            if idle.count == Self.limit { idle.removeFirst() }
            idle.append(context)
        }
        #endif
    }
}
