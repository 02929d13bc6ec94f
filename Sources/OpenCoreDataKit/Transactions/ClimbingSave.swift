/// Saves a context, then its parent, and so on up to the stores, each on its own queue, without blocking the caller.
package enum ClimbingSave {
    /// Begins a save and returns before anything happened.
    ///
    /// Each level is saved after the one below; the contexts that merge automatically have caught up when the end is
    /// notified. A level that fails keeps its changes, and those below stay saved.
    ///
    /// - Parameters:
    ///   - context: Where to begin.
    ///   - waits: Whether the end is reported only after the contexts that merge automatically have merged.
    ///   - explain: What to make of an error; called on the queue of the context that failed.
    ///   - completion: Called once, after the last level or with the first error, on the queue of the last context that
    ///     had something to do.
    package static func start(
        from context: NSManagedObjectContext, waitingForMerges waits: Bool = true,
        explain: @escaping @Sendable (any Error) -> any Error = { $0 },
        completion: @escaping @Sendable (Result<CommitOutcome, any Error>) -> Void
    ) {
        let climb = Climb(waits: waits, explain: explain, completion: completion)
        climb.save(context, outcome: .unchanged, followers: [])
    }

    /// Saves up to the stores and says whether there was anything to save.
    ///
    /// - Throws: Errors of the first level that fails, in the kit's words.
    package static func run(from context: NSManagedObjectContext) async throws -> CommitOutcome {
        try await CalledBack.value { start(from: context, explain: DatabaseError.saving, completion: $0) }
    }

    private struct Climb: Sendable {
        let waits: Bool
        let explain: @Sendable (any Error) -> any Error
        let completion: @Sendable (Result<CommitOutcome, any Error>) -> Void

        /// Threads that saves of children may block at a time, while their parents are busy.
        private static let slots = SaveSlots(128)

        func save(
            _ context: NSManagedObjectContext, outcome: CommitOutcome, followers: [NSManagedObjectContext]
        ) {
            context.perform {
                guard context.parent != nil, context.hasChanges else {
                    return saveNow(context, outcome: outcome, followers: followers)
                }
                Self.slots.run {
                    saveNow(context, outcome: outcome, followers: followers)
                } orLater: {
                    save(context, outcome: outcome, followers: followers)
                }
            }
        }

        /// Called on the context's queue.
        private func saveNow(
            _ context: NSManagedObjectContext, outcome: CommitOutcome, followers: [NSManagedObjectContext]
        ) {
            do {
                var outcome = outcome
                var followers = followers
                if context.hasChanges {
                    // Recorded before the save, because followers start to merge during the save.
                    if waits { followers += context.followers }
                    try context.save()
                    outcome = .saved
                }
                if let parent = context.parent {
                    save(parent, outcome: outcome, followers: followers)
                } else {
                    wait(for: followers[...], .success(outcome))
                }
            } catch {
                completion(.failure(explain(error)))
            }
        }

        /// Lets each context come to the end of what it was asked so far.
        private func wait(
            for contexts: ArraySlice<NSManagedObjectContext>, _ result: Result<CommitOutcome, any Error>
        ) {
            guard let first = contexts.first else { return completion(result) }
            first.perform { wait(for: contexts.dropFirst(), result) }
        }
    }
}
