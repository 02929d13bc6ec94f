import Synchronization

/// Whether a context merges by itself what others save.
final class AutomaticMerging: Sendable {
    let isOn = Atomic(false)
}

/// The contexts of a coordinator, or the children of a context, held weakly, and what was saved until they have merged it.
///
/// A context may be busy while many others save. What is saved is kept once, and each context knows from where on it has yet to
/// merge, so that a save takes a look at each busy context, and neither a reference nor a list for it.
// Sendable: the lock guards the list.
package final class ObservingContexts: Sendable {
    // @unchecked Sendable because the lock of the list guards what changes.
    fileprivate final class Observer: @unchecked Sendable {
        let identifier: ObjectIdentifier
        private let handle: WeakHandle<NSManagedObjectContext>
        var context: NSManagedObjectContext? { handle.object }
        /// nil for a subclass, which may override the property and is asked.
        let merging: AutomaticMerging?
        /// The number of the first change that it has yet to merge; nil while it isn't going to.
        @exclusivity(unchecked) var first: Int?
        /// The number after the last one, where it stopped merging before it got to it.
        @exclusivity(unchecked) var end: Int?

        init(_ context: NSManagedObjectContext, _ merging: AutomaticMerging?) {
            identifier = ObjectIdentifier(context)
            handle = context.weakHandle
            self.merging = merging
        }

        /// - Parameter willing: Those of the contexts that were asked that want to merge.
        func wants(_ willing: [ObjectIdentifier]) -> Bool {
            merging?.isOn.load(ordering: .relaxed) ?? willing.contains(identifier)
        }
    }

    fileprivate struct State: Sendable {
        var observers: [Observer] = []
        /// What some of them have yet to merge, numbered one after the other.
        var changes: [(saver: ObjectIdentifier, change: RemoteChange)] = []
        /// The number of the first.
        var firstNumber = 0

        var nextNumber: Int { firstNumber + changes.count }
    }

    private let state = UnfairMutex(State())

    package init() {}

    package func add(_ context: NSManagedObjectContext) {
        var merging: AutomaticMerging? = nil
        if context.kind == .confinementConcurrencyType {
            // It has no queue on which it could merge while its user works with it.
            merging = AutomaticMerging()
        } else if type(of: context) == NSManagedObjectContext.self {
            merging = context.observers.automaticMerging
        }
        let observer = Observer(context, merging)
        // Those that are gone took themselves out.
        state.withLock { $0.observers.append(observer) }
    }

    package func remove(_ context: NSManagedObjectContext) {
        let identifier = ObjectIdentifier(context)
        state.withLock { state in
            state.observers.removeAll { $0.identifier == identifier }
            state.trim()
        }
    }

    package var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

    /// The contexts that are alive.
    package var all: [NSManagedObjectContext] { state.withLock { $0.contexts { _ in true } } }

    // MARK: What was saved

    /// Makes the contexts merge what one of them, or their parent, has saved, on their queues.
    ///
    /// - Parameters:
    ///   - saver: The context that saved; `nil` for a batch request, of which no context knows.
    ///   - make: Called if a context needs the change.
    func deliver(from saver: NSManagedObjectContext?, _ make: () -> RemoteChange) {
        // A batch request has no context, so the identifier is the list's own.
        let identifier = saver.map { ObjectIdentifier($0) } ?? ObjectIdentifier(self)
        // Outside of the lock, as it is the program's code.
        let asked = state.withLock { $0.contexts { $0.merging == nil && $0.identifier != identifier } }
        let willing = asked.filter(\.mergesAutomatically).map(ObjectIdentifier.init)
        guard state.withLock({ $0.isAwaited(from: identifier, willing) }) else { return }
        let change = make()
        guard !change.isEmpty else { return }
        for context in state.withLock({ $0.add(change, from: identifier, willing) }) {
            context.perform { for change in self.take(for: context) { context.merge(change) } }
        }
    }

    /// What a context has yet to merge, which it is then taken to have done.
    private func take(for context: NSManagedObjectContext) -> [RemoteChange] {
        let identifier = ObjectIdentifier(context)
        return state.withLock { $0.take(for: identifier) }
    }

    /// How many changes are kept, for tests.
    package var pendingCount: Int { state.withLock { $0.changes.count } }
}

extension ObservingContexts.State {
    fileprivate func contexts(where condition: (ObservingContexts.Observer) -> Bool) -> [NSManagedObjectContext] {
        observers.compactMap { condition($0) ? $0.context : nil }
    }

    /// Whether anybody wants to merge what a context has saved.
    fileprivate func isAwaited(from saver: ObjectIdentifier, _ willing: [ObjectIdentifier]) -> Bool {
        observers.contains { $0.identifier != saver && $0.wants(willing) }
    }

    /// Keeps a change for those that want it.
    ///
    /// - Returns: The contexts that have to be woken up.
    fileprivate mutating func add(
        _ change: RemoteChange, from saver: ObjectIdentifier, _ willing: [ObjectIdentifier]
    ) -> [NSManagedObjectContext] {
        var idle: [NSManagedObjectContext] = []
        let number = nextNumber
        var isWanted = false
        for observer in observers where observer.identifier != saver {
            let isPending = observer.first != nil
            guard observer.wants(willing) else {
                if isPending, observer.end == nil { observer.end = number }
                continue
            }
            isWanted = true
            observer.end = nil
            guard !isPending, let context = observer.context else { continue }
            observer.first = number
            idle.append(context)
        }
        if isWanted { changes.append((saver, change)) }
        return idle
    }

    fileprivate mutating func take(for context: ObjectIdentifier) -> [RemoteChange] {
        guard let observer = observers.first(where: { $0.identifier == context }), let first = observer.first
        else { return [] }
        let pending = changes[(first - firstNumber)..<((observer.end ?? nextNumber) - firstNumber)]
        let taken = pending.filter { $0.saver != context }.map(\.change)
        observer.first = nil
        observer.end = nil
        trim()
        return taken
    }

    /// Drops changes that all contexts have merged.
    fileprivate mutating func trim() {
        guard let least = observers.lazy.compactMap(\.first).min() else {
            firstNumber = nextNumber
            changes = []
            return
        }
        let count = least - firstNumber
        // Not one by one: what is behind them moves.
        guard count > changes.count / 2 else { return }
        changes.removeFirst(count)
        firstNumber = least
    }
}
