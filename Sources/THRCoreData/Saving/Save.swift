public import OpenCoreDataKit

/// Begins to save a context, its parent and so on up to the store, each on its own queue, and returns before anything
/// happened.
///
/// A context that can't be saved keeps its changes; those below it stay saved.
///
/// Contexts without changes are passed over, and nothing to save is a success with ``SaveOutcome/noChanges``.
///
/// - Parameters:
///   - context: Where to begin. May be called from any thread.
///   - completion: Called once: after the store has the changes and the contexts that merge them have done so, or with the
///     first error. Called on the queue of the last context that was saved.
@preconcurrency
public func save(
    context: NSManagedObjectContext,
    withCompletion completion: (@Sendable (Result<SaveOutcome, any Error>) -> Void)? = nil
) {
    ClimbingSave.start(from: context) { result in
        guard let completion else { return }
        switch result {
        case .failure(let error): completion(.failure(error))
        // Back from the context that merged last.
        case .success(let outcome): context.top.perform { completion(.success(SaveOutcome(outcome))) }
        }
    }
}

extension NSManagedObjectContext {
    /// The context at the end of the chain of parents.
    fileprivate var top: NSManagedObjectContext {
        var context = self
        while let parent = context.parent { context = parent }
        return context
    }
}
