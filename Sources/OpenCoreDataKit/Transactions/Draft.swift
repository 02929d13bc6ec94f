/// Changes that are not committed yet: a form, or work in several steps.
///
/// Nobody sees them before ``commit()``. They are gone with ``discard()``, and with the draft itself. Safe to use from
/// any thread; blocks run one after the other.
public final class Draft: Sendable {
    /// Where the changes are; used inside of its own blocks alone.
    package let context: NSManagedObjectContext

    package init(_ context: NSManagedObjectContext) { self.context = context }

    /// Runs a block with the draft's context, on the context's queue, and gives back what it returns or throws.
    ///
    /// A block that throws undoes nothing: what it changed before is part of the draft.
    ///
    /// - Throws: What the block throws; ``DatabaseError/closed(name:)``.
    @discardableResult
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Result
    ) async throws -> Result {
        let context = context
        try context.requireOpen()
        return try await context.perform(schedule: .enqueued) { try body(context) }
    }

    /// Saves the changes up to the stores. The draft can be used further.
    ///
    /// - Returns: Whether there was anything to save.
    /// - Throws: ``DatabaseError/validation(_:)``: nothing was saved, the draft can be corrected and committed again. Other
    ///   errors may come from further up; the changes then wait there for the next save.
    @discardableResult
    public func commit() async throws -> CommitOutcome { try await context.saveToStore() }

    /// Forgets the changes, and all objects of the draft. The draft can be used further.
    public func discard() async {
        let context = context
        await context.perform(schedule: .enqueued) {
            context.rollback()
            context.reset()
        }
    }
}
