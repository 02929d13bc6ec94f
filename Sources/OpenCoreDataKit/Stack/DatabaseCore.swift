import Synchronization

/// The part of a database that stays the same when its stores are erased or opened again.
final class DatabaseCore: Sendable {
    let name: String
    let gate: OperationGate
    let hub = CommitHub()
    /// Whose turn it is to change the stores.
    let turns: DatabaseTurns
    private let errors: UnawaitedErrors
    private let session = Mutex(SessionReference())

    private struct SessionReference {
        weak var session: DatabaseSession?
    }

    init(_ configuration: Database.Configuration) {
        name = configuration.name
        gate = OperationGate(name: configuration.name)
        turns = DatabaseTurns(
            configuration.stores.compactMap { StoreOpening.url(of: $0, databaseName: configuration.name) })
        errors = UnawaitedErrors(
            label: "OpenCoreData", configuration.name, handler: configuration.onBackgroundError)
    }

    /// Reports an error of work that no caller awaits.
    func report(_ error: any Error) { errors.report(error) }

    /// Notes whose contexts take over what batch requests change.
    func adopt(_ session: DatabaseSession) { self.session.withLock { $0.session = session } }

    /// Whether the main context merges what others save.
    var mainFollows: Bool { session.withLock { $0.session }?.tree.mainFollows ?? false }

    /// Has the lasting contexts take over what a draft has saved.
    func takeOver(_ saved: SavedIDs) async {
        guard !saved.isEmpty, let session = session.withLock({ $0.session }) else { return }
        await session.tree.takeOver(saved)
        await session.tree.settleMainForItself()
    }

    /// Notifies observers of what batch requests and statements outside of blocks have changed.
    func announce(_ changes: TransactionChanges) {
        guard !changes.isEmpty, let session = session.withLock({ $0.session }) else { return }
        let ids = SavedIDs(changes)
        Task {
            await session.tree.takeOver(ids)
            if changes.areUnknown { await session.tree.refreshAll() }
        }
        guard hub.hasListeners else { return }
        if !ids.isEmpty { hub.notify(ids.commit(.saved)) }
        if changes.areUnknown { hub.notify(Commit(kind: .saved)) }
    }
}
