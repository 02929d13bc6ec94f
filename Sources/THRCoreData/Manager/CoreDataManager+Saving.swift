public import OpenCoreDataKit

extension CoreDataManager {
    /// Begins to save a context, its parent and so on up to the store, and returns before anything happened.
    ///
    /// May be called on any thread. A context that can't be saved keeps its changes, and those below it stay saved.
    /// Nothing to save is a success with ``SaveOutcome/noChanges``.
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
    /// May be called on any thread. Nothing to save is a success with ``SaveOutcome/noChanges``.
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
    /// May be called on any thread. Changes of child contexts are saved only if these were saved before.
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
