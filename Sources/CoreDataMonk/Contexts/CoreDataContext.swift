public import OpenCoreDataKit

// @unchecked Sendable because all properties are constants of Sendable types; subclasses of this module promise the
// same.
/// Begins updates and reports their commits. It has no objects of its own: an update reads and changes in a context
/// that is made for it.
///
/// Any number may work on one stack side by side. Safe to use from any thread.
public class CoreDataContext: @unchecked Sendable {
    /// The parent that an update context saves into.
    public enum UpdateTarget: Sendable, Hashable {
        /// The main context, which then saves further up.
        case mainContext
        /// The stack's root context, which then saves to the stores.
        ///
        /// - Parameter autoMerge: Whether the main context merges what the root context saves.
        case rootContext(autoMerge: Bool)
        /// The stores.
        case persistentStore
    }

    /// Whether update blocks run side by side.
    public enum UpdateOrder: Sendable, Hashable {
        /// One block at a time, first come, first served.
        case serial
        /// Blocks of different update contexts run side by side; those of one run in order.
        case `default`
    }

    /// The stack whose stores are updated.
    public let stack: CoreDataStack
    /// The parent that updates save into.
    public let updateTarget: UpdateTarget
    /// Whether update blocks run side by side.
    public let updateOrder: UpdateOrder
    let main: NSManagedObjectContext?
    /// The turns of a serial context's blocks.
    let turns: UpdateTurns?

    /// Creates a context.
    ///
    /// With `rootContext(autoMerge: true)`, the main context's `automaticallyMergesChangesFromParent` is set. The main
    /// context isn't used by a context whose updates save to the stores.
    ///
    /// - Parameters:
    ///   - stack: The stack whose stores are updated.
    ///   - mainContext: The main context that updates save into, or that merges what they save.
    ///   - updateTarget: What updates save into.
    ///   - updateOrder: Whether update blocks run concurrently.
    /// - Throws: `DatabaseError.invalidLayout` if the stack has no such context to save or merge into.
    public init(
        stack: CoreDataStack, mainContext: NSManagedObjectContext? = nil,
        updateTarget: UpdateTarget = .rootContext(autoMerge: false), updateOrder: UpdateOrder = .default
    ) throws {
        try Self.check(updateTarget, stack: stack, mainContext: mainContext)
        self.stack = stack
        self.updateTarget = updateTarget
        self.updateOrder = updateOrder
        main = mainContext
        turns = updateOrder == .serial ? UpdateTurns() : nil
        if case .rootContext(autoMerge: true) = updateTarget {
            mainContext?.automaticallyMergesChangesFromParent = true
        }
    }

    private static func check(
        _ target: UpdateTarget, stack: CoreDataStack, mainContext: NSManagedObjectContext?
    ) throws {
        let hasRoot = stack.rootManagedObjectContext != nil
        var layout = Layout(hasWriter: hasRoot, mainOn: hasRoot ? .writer : .store, draftsOn: .store)
        switch target {
        case .persistentStore: return
        case .mainContext:
            layout.draftsOn = .main
            guard mainContext == nil else { return }
            throw DatabaseError.invalidLayout(
                layout, reason: "Updates save into the main context, but the stack has no main context.")
        case .rootContext(let autoMerge):
            layout.draftsOn = .writer
            if autoMerge { layout.merging = .intoMain }
            try layout.validate()
            guard autoMerge, mainContext == nil else { return }
            throw DatabaseError.invalidLayout(
                layout,
                reason: "Saves of the root context are merged into the main context, but the stack has no main context."
            )
        }
    }

    // MARK: Updates

    /// Runs an update in a context of its own, later, on a queue of its own. What the block does not commit is
    /// discarded.
    ///
    /// Returns at once. Each call uses a new context, so blocks of two calls don't see each other's uncommitted
    /// changes. Objects of other contexts have to be brought in with `use(_:)`.
    ///
    /// ```swift
    /// main.beginUpdate { update in
    ///     let person = try update.create(Person.self)
    ///     person.name = "Ada"
    ///     try update.commit()
    /// }
    /// ```
    ///
    /// - Parameter block: Gets the update. What it throws goes to the stack's ``CoreDataStack/handleError(_:)``.
    @preconcurrency
    public func beginUpdate(_ block: @escaping @Sendable (CoreDataUpdate) throws -> Void) {
        beginUpdateContext().perform(block)
    }

    /// Runs an update in a context of its own and waits for the block. What it does not commit is discarded.
    ///
    /// A commit has reached the stores when this returns: what reads values from them, as `query`, finds it, and
    /// forgetting the main context's objects loses nothing of it.
    ///
    /// In a block of a serial context, it stops the program for the same context, because it would wait for itself.
    ///
    /// - Parameter block: Gets the update. What it throws goes to the stack's ``CoreDataStack/handleError(_:)``.
    public func beginUpdateAndWait(_ block: (CoreDataUpdate) throws -> Void) {
        beginUpdateContext().performAlone(block)
    }

    /// A context for an update that takes several blocks.
    ///
    /// Keep it as long as its blocks are to see each other's changes: releasing it discards what isn't committed.
    ///
    /// - Returns: The context, whose blocks run in order.
    public func beginUpdateContext() -> CoreDataUpdateContext { CoreDataUpdateContext(self) }
}
