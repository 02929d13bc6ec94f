/// The open stores of a database with their contexts, from an opening to an erasure or the end.
final class DatabaseSession: Sendable {
    let coordinator: DatabaseCoordinator
    let tree: ContextTree
    let plan: StorePlan
    private let model: NSManagedObjectModel
    private let watch: CommitWatch
    private let external: ExternalWatch?
    private let keeper: HistoryKeeper?
    /// What reads and writes wait for; `nil` for stores in files.
    let serverAdmission: Admission?
    /// What reads wait for.
    let admission: Admission
    /// Contexts of blocks that have ended.
    let readingContexts = BlockContexts()
    let writingContexts = BlockContexts(runInTurn: true)
    /// Of blocks that lock rows and run beside each other.
    let lockingContexts = BlockContexts()

    /// What the names of the session's contexts end with; the history of a store names who saved by it.
    private let mark: String

    /// Opens the stores.
    init(_ configuration: Database.Configuration, model: NSManagedObjectModel, core: DatabaseCore) throws {
        plan = try StorePlan(configuration, model: model)
        self.model = model
        let coordinator = DatabaseCoordinator(model: model, core: core, files: plan.stores.compactMap(\.url))
        mark = " #\(UUID().uuidString.prefix(8))"
        let tree = try ContextTree(
            coordinator: coordinator, layout: configuration.layout, name: configuration.name, mark: mark)
        var kept: [HistoryKeeper.Kept] = []
        do {
            for (store, _) in plan.stores {
                let added = try StoreOpening.add(store, databaseName: configuration.name, to: coordinator)
                if store.watched, !store.isReadOnly, let seconds = store.keepHistory.seconds {
                    kept.append(HistoryKeeper.Kept(identifier: added.identifier, seconds: seconds))
                }
            }
        } catch {
            try? coordinator.retire()
            throw error
        }
        self.coordinator = coordinator
        self.tree = tree
        serverAdmission = ServerStores.admission(coordinator)
        admission = serverAdmission ?? Self.fileAdmission(plan)
        watch = CommitWatch(coordinator, tree: tree, hub: core.hub)
        external =
            plan.stores.contains(where: \.store.watched)
            ? ExternalWatch(tree, coordinator, core: core, mark: mark) : nil
        keeper = external.flatMap { watch in
            kept.isEmpty ? nil : HistoryKeeper(kept, watch: watch, tree, core: core)
        }
    }

    /// Each block that reads has a connection to each file, beside those of other contexts.
    private static func fileAdmission(_ plan: StorePlan) -> Admission {
        let limits = plan.stores.map(\.store.limits)
        let limit = 2 * (limits.map(\.readers).min() ?? StoreLimits().readers)
        let timeout = limits.compactMap(\.patience).min()
        return Admission(limit: limit, timeout: timeout) { waiting in
            DatabaseError.storeFailed(
                store: plan.stores.first?.url?.displayName ?? "", url: plan.stores.first?.url,
                cause: CoreDataError.make(
                    NSPersistentStoreTimeoutError,
                    "None of \(limit) blocks that read ended in \(timeout ?? 0) s so that another could begin; \(waiting) more "
                        + "wait. Make reads shorter, or allow more of them with Store.limits.maximumReaders."))
        }
    }

    /// Whether all stores are on servers.
    var isOnServers: Bool { serverAdmission != nil && plan.stores.allSatisfy { $0.url?.isFileURL == false } }

    /// Takes the stores out and ends the watches.
    func end() throws {
        watch.end()
        keeper?.end()
        external?.end()
        try coordinator.retire()
    }

    /// Empties the files, after ``end()``.
    func destroyFiles() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        for case (let store, let url?) in plan.stores where StoreOpening.mayExist(store, at: url) {
            do {
                try StoreOpening.destroy(store, at: url, by: coordinator)
            } catch {
                throw DatabaseError.storeFailed(store: url.displayName, url: url, cause: error)
            }
        }
    }
}
