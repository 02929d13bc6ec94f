import CoreDataPlatform

/// A block that changes the stores, as one transaction.
///
/// When a block ends, the next one begins on the contexts' queue at once, without a thread of Swift's own: what waits for
/// these threads, such as the requests of a busy server, doesn't keep writers waiting that have their turn.
struct WritingBlock: Sendable {
    /// What a block has while it changes the stores, and keeps to run again.
    struct Place: Sendable {
        fileprivate let turn: DatabaseTurns.Turn?
        fileprivate let admission: Admission?

        func end() {
            admission?.leave()
            turn?.end()
        }
    }

    /// How a run has ended.
    struct Run: Sendable {
        let outcome: Result<TransactionChanges, any Error>
        /// The block's place if its changes are still to be announced or it failed; `nil` if the place was given up.
        let place: Place?
    }

    let core: DatabaseCore
    let session: DatabaseSession
    /// Whether others may write at the same time, in stores that can do so.
    let runsBesideOthers: Bool
    /// Whether the caller is on the main queue, and is to find the main context up to date.
    let isForMain: Bool
    let policy: NSMergePolicyType
    let cancellation: CancellationFlag
    /// Keeps its result itself: what is not generic is quicker.
    let body: @Sendable (Context) throws -> Void

    /// Runs the block once, on its context's queue.
    ///
    /// - Parameter place: That of the run before; `nil` to wait for one.
    func run(in place: Place?) async -> Run {
        let caller = CallerScope.current
        return await withCheckedContinuation { continuation in
            let enter: @Sendable (Result<Place, any Error>) -> Void = { place in
                switch place {
                case .success(let place): start(in: place, for: caller) { continuation.resume(returning: $0) }
                case .failure(let error):
                    continuation.resume(returning: Run(outcome: .failure(error), place: nil))
                }
            }
            if let place { enter(.success(place)) } else { take(enter) }
        }
    }

    /// Waits for the turn, and then for a connection, which readers have in the meantime.
    private func take(_ begin: @escaping @Sendable (Result<Place, any Error>) -> Void) {
        if runsBesideOthers { return enter(nil, begin) }
        core.turns.take { enter($0, begin) }
    }

    private func enter(
        _ turn: DatabaseTurns.Turn?, _ begin: @escaping @Sendable (Result<Place, any Error>) -> Void
    ) {
        guard let admission = session.serverAdmission else {
            return begin(.success(Place(turn: turn, admission: nil)))
        }
        admission.enter(first: turn != nil, cancellation: cancellation) { entered in
            if case .failure = entered { turn?.end() }
            begin(entered.map { Place(turn: turn, admission: admission) })
        }
    }

    private func start(in place: Place, for caller: CallerScope, _ end: @escaping @Sendable (Run) -> Void) {
        let contexts = runsBesideOthers ? session.lockingContexts : session.writingContexts
        let context = session.takeContext(from: contexts, policy: policy)
        context.perform {
            caller.run {
                let outcome = Result {
                    defer { contexts.end(context) }
                    return try BlockTransaction(
                        context: context, cancellation: cancellation, runsBesideOthers: runsBesideOthers
                    ).run(body)
                }
                guard case .success(let changes) = outcome,
                    session.announceAtOnce(changes, core, isForMain: isForMain)
                else { return end(Run(outcome: outcome, place: place)) }
                place.end()
                end(Run(outcome: outcome, place: nil))
            }
        }
    }
}
