public import OpenCoreDataKit

extension CoreDataManager {
    /// Begins to save a context, its parent and so on up to the store, and returns before anything happened.
    ///
    /// - Parameters:
    ///   - context: Where to begin.
    ///   - completion: Called once: after the store has the changes and the other contexts have merged them, or with the
    ///     first error. Called on the queue of the last context that was saved.
    @preconcurrency
    public func save(
        context: NSManagedObjectContext,
        withCompletion completion: (@Sendable (Result<SaveOutcome, any Error>) -> Void)? = nil
    ) {
        THRCoreData.save(context: context, withCompletion: completion)
    }

    /// Begins to save the main context, and returns before anything happened.
    ///
    /// - Parameter completion: Called once on the main queue: after the store has the changes and the background context
    ///   has merged them, or with an error.
    @preconcurrency
    public func saveMainContext(
        withCompletion completion: (@Sendable (Result<SaveOutcome, any Error>) -> Void)? = nil
    ) {
        save(context: mainContext, withCompletion: completion)
    }

    /// Begins to save the background context, and returns before anything happened.
    ///
    /// - Parameter completion: Called once on the context's queue: after the store has the changes and the main context has
    ///   merged them, or with an error.
    @preconcurrency
    public func saveBackgroundContext(
        withCompletion completion: (@Sendable (Result<SaveOutcome, any Error>) -> Void)? = nil
    ) {
        save(context: backgroundContext, withCompletion: completion)
    }
}
