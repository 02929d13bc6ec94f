public import OpenCoreDataKit

// @unchecked Sendable because all properties are constants; the context's objects are checked to be used on its queue.
/// Reads on the main queue, and begins updates.
///
/// What is read is for the main queue alone; updates may be begun from any thread.
public final class CoreDataMainContext: CoreDataContext, CoreDataFetch, @unchecked Sendable {
    /// The engine's context, to be used on the main queue.
    public let managedObjectContext: NSManagedObjectContext

    /// Creates a main context.
    ///
    /// The context has the merge policy `NSRollbackMergePolicy`: its own edits give way to what was saved.
    ///
    /// - Parameters:
    ///   - stack: The stack whose stores are read. The context sits on its root context, or on the stores if it has none.
    ///   - updateTarget: What updates save into.
    ///   - updateOrder: Whether update blocks run side by side.
    /// - Throws: `DatabaseError.invalidLayout` when updates are to save into a root context that the stack does not have.
    public init(
        stack: CoreDataStack, updateTarget: UpdateTarget = .mainContext, updateOrder: UpdateOrder = .default
    ) throws {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.name = "CoreDataMonk main"
        context.mergePolicy = NSRollbackMergePolicy
        if let root = stack.rootManagedObjectContext {
            context.parent = root
        } else {
            context.persistentStoreCoordinator = stack.persistentStoreCoordinator
        }
        managedObjectContext = context
        try super.init(stack: stack, mainContext: context, updateTarget: updateTarget, updateOrder: updateOrder)
    }

    /// Forgets all objects and all changes that were not saved. Objects that are held can't be used any longer.
    ///
    /// Call it on the main queue. Changes that updates have committed into this context but that aren't in the stores
    /// yet are lost as well.
    public func reset() { managedObjectContext.reset() }

    /// Discards the values of unchanged objects, here and in the ancestors, so that they are read from the stores
    /// again. Unsaved changes are kept.
    ///
    /// Call it on the main queue. Use it after another program has changed the file. Objects are read again when one of
    /// their values is used.
    public func refreshAll() {
        if managedObjectContext.parent == nil {
            // The coordinator has rows in memory, too, which others may have changed in the file.
            let ids = managedObjectContext.registeredObjects.map(\.objectID).filter { !$0.isTemporaryID }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [managedObjectContext])
        }
        managedObjectContext.refreshAllObjects()
        var ancestor = managedObjectContext.parent
        while let context = ancestor {
            context.perform { context.refreshAllObjects() }
            ancestor = context.parent
        }
    }
}
