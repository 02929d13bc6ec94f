import Synchronization

/// Counts saves of a container's contexts that are of interest.
///
/// Those who read `eventCounter` with `withObservationTracking` are notified of each. Saves of other processes are not counted.
public final class HistoryObserver: Observable, Sendable {
    private struct State {
        var count = 0
        /// The highest number of each store: the token of a transaction names its own store only.
        var known: [String: Int64] = [:]

        /// Counts transactions, but for those that another thread has counted in the meantime.
        mutating func count(_ tokens: [DefaultHistoryToken]) {
            count += tokens.count { token in
                token.tokenValue?.contains { $0.value > known[$0.key] ?? 0 } ?? false
            }
        }

        /// Notes which transactions are known.
        mutating func note(_ tokens: [DefaultHistoryToken]) {
            for token in tokens { known.merge(token.tokenValue ?? [:], uniquingKeysWith: max) }
        }
    }

    private let registrar = ObservationRegistrar()
    private let subscription = Subscription()
    private let state: Mutex<State>

    /// Watches over the history of a container's stores.
    ///
    /// With tokens, transactions after the latest of them of each store are counted at once, and all of a store that
    /// no token names. If transactions after a token are deleted, those that are left are counted. The observation ends
    /// when the observer is released; the container isn't kept.
    ///
    /// - Parameters:
    ///   - historyTokens: What is known already; by default all that was saved before.
    ///   - observedModels: The classes that are of interest; by default all.
    ///   - authors: The authors that are of interest; by default all.
    ///   - modelContainer: The container.
    ///   - isolation: The actor that the observer is made on.
    /// - Throws: What the store says of its history.
    public init(
        historyTokens: [DefaultHistoryToken] = [], observedModels: [any PersistentModel.Type] = [],
        authors: [String] = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        let context = ModelContext(modelContainer)
        var start = State()
        start.note(try historyTokens.isEmpty ? [context.newestHistoryToken()].compactMap(\.self) : historyTokens)
        state = Mutex(start)
        let names = Set(observedModels.map { Schema.entityName(ofType: $0) })
        let wanted = Set(authors)
        let reference = ObserverReference(self)
        let stack = modelContainer.stack
        subscription.start(stack) { [weak stack] _, _ in
            guard let stack else { return }
            reference.observer?.readOn(stack.container, names, wanted)
        }
        readOn(modelContainer, names, wanted)
    }

    /// How many transactions of interest were met.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return state.withLock { $0.count }
    }

    private func readOn(_ container: ModelContainer, _ names: Set<String>, _ authors: Set<String>) {
        let known = state.withLock { $0.known }
        guard let transactions = try? ModelContext(container).remainingTransactions(after: known) else { return }
        let isOfInterest = { (transaction: DefaultHistoryTransaction) in
            (authors.isEmpty || transaction.author.map(authors.contains) ?? false)
                && (names.isEmpty
                    || transaction.changes.contains { names.contains($0.changedPersistentIdentifier.entityName) })
        }
        let all = transactions.map(\.token)
        let tokens = transactions.filter(isOfInterest).map(\.token)
        guard !tokens.isEmpty else { return state.withLock { $0.note(all) } }
        registrar.withMutation(of: self, keyPath: \.eventCounter) {
            state.withLock { state in
                state.count(tokens)
                state.note(all)
            }
        }
    }
}
