public import OpenCoreDataKit

extension NSManagedObjectContext {
    /// Runs a block on the context's queue, later. The name of `perform` in older code.
    ///
    /// Returns at once. May be called on any thread.
    ///
    /// - Parameter block: The block.
    @preconcurrency
    public func performBlock(_ block: @escaping @Sendable () -> Void) { perform(block) }

    /// Runs a block on the context's queue and waits for it. The name of `performAndWait` in older code.
    ///
    /// May be called in a block of the same context.
    ///
    /// - Parameter block: The block.
    public func performBlockAndWait(_ block: () -> Void) { performAndWait(block) }

    /// Runs a block on the context's queue and waits for it. May be nested.
    ///
    /// For older code: `performAndWait(_:)` passes on errors and results as well.
    ///
    /// - Parameter body: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @discardableResult
    public func performAndWaitOrThrow<Result>(_ body: () throws -> Result) rethrows -> Result {
        try performAndWait(body)
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs a block on the coordinator's queue and waits for it. May be nested.
    ///
    /// For older code: the coordinator's own `performAndWait(_:)` passes on errors and results as well.
    ///
    /// - Parameter body: The block.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @discardableResult
    public func performAndWaitOrThrow<Result>(_ body: () throws -> Result) rethrows -> Result {
        try performAndWait(body)
    }
}
