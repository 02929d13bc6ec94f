import OpenCoreDataKit

/// Running blocks that are given the context.
extension NSManagedObjectContext {
    /// Runs a block on the context's queue, later. The context lives until the block has returned.
    ///
    /// Returns at once. Changes that the block doesn't save stay in the context, also after an error.
    ///
    /// - Parameter block: What to do. An error that it throws goes to ``PersistentContainer/onUnhandledError``.
    public func perform(block: sending @escaping (NSManagedObjectContext) throws -> Void) {
        let block = SendableBox(block)
        perform {
            do { try block.value(self) } catch { PersistentContainer.report(error) }
        }
    }

    /// Runs a block on the context's queue, and gives back what it returns or throws without blocking a thread.
    ///
    /// The block runs even if the task is cancelled. Objects that it returns belong to the context's queue.
    ///
    /// - Parameter block: What to do.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @discardableResult
    public func perform<T>(block: sending @escaping (NSManagedObjectContext) throws -> T) async rethrows -> T {
        let boxed = SendableBox(block)
        let result = await perform { SendableBox(Result { try boxed.value(self) }) }
        func rethrow(_ body: () throws -> T) rethrows -> T { try body() }
        return try rethrow { try result.value.get() }
    }

    /// Runs a block on the context's queue, and waits for it. May be nested.
    ///
    /// Don't call it on the main thread for a context that may be busy for long.
    ///
    /// - Parameter block: What to do.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func performAndWait<T>(block: (NSManagedObjectContext) throws -> T) rethrows -> T {
        try performAndWait { try block(self) }
    }
}
