public import OpenCoreDataKit

/// Reads and changes objects in the block of an update.
///
/// Holding it keeps the update alive. When it is released, uncommitted changes are discarded.
public final class CoreDataUpdate: CoreDataFetch, Sendable {
    let context: CoreDataUpdateContext
    /// Held for as long as the update lives, so that no other block of a serial context comes in between.
    private let turn: TurnQueue.Turn?
    /// Whether a caller waits for the block, and may read what it committed right afterwards.
    private let isAwaited: Bool

    init(_ context: CoreDataUpdateContext, _ turn: TurnQueue.Turn?, isAwaited: Bool) {
        self.context = context
        self.turn = turn
        self.isAwaited = isAwaited
    }

    /// The engine's context, to be used inside the update's blocks.
    public var managedObjectContext: NSManagedObjectContext { context.managedObjectContext }

    /// The stack whose stores are updated.
    public var stack: CoreDataStack { context.owner.stack }

    /// Runs a block of the same update later. May be called from any thread; objects of the update may be used in it.
    ///
    /// It runs after the blocks that wait already, on the update's queue, even if this block has ended by then.
    ///
    /// - Parameter block: Gets the update. What it throws goes to the stack's ``CoreDataStack/handleError(_:)``.
    @preconcurrency
    public func perform(_ block: @escaping @Sendable (CoreDataUpdate) throws -> Void) {
        let later = isAwaited ? CoreDataUpdate(context, turn, isAwaited: false) : self
        managedObjectContext.perform { self.context.run(later, block) }
    }

    /// Saves the changes so far into the context or store that the update saves into; from there they go on to the stores
    /// by themselves, or, in a block that is waited for, before this returns. Without changes nothing happens.
    ///
    /// May be called several times in a block. New objects have permanent identifiers afterwards. An object that is
    /// related to one in another store makes it throw, and nothing is saved.
    ///
    /// - Throws: Validation errors, conflicts, the errors of a file. Errors further up go to the stack's
    ///   ``CoreDataStack/handleError(_:)``, and the changes stay in the context that could not be saved.
    public func commit() throws {
        let context = managedObjectContext
        guard context.hasChanges else { return }
        try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        try StoreBorders.check(context)
        try context.save()
        if isAwaited {
            self.context.owner.climbNow(from: context.parent)
        } else {
            self.context.owner.climb(from: context.parent)
        }
    }

    /// Forgets all changes that were not committed, and all objects. Objects that are held can't be used any more; the
    /// update can continue with those that it fetches now.
    ///
    /// What was committed before stays. Objects that the update got with `use(_:)` have to be brought in again.
    public func rollback() { managedObjectContext.reset() }
}
