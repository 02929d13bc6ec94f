/// The open stores of a database with their contexts, from an opening to an erasure or the end.
final class DatabaseSession: Sendable {
    let coordinator: DatabaseCoordinator
    let tree: ContextTree
    let plan: StorePlan
    private let model: NSManagedObjectModel
    private let watch: CommitWatch
    private let external: ExternalWatch?
    /// What reads and writes wait for; `nil` for stores in files.
    let admission: Admission?

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
        do {
            for (store, _) in plan.stores {
                try StoreOpening.add(store, databaseName: configuration.name, to: coordinator)
            }
        } catch {
            try? coordinator.retire()
            throw error
        }
        self.coordinator = coordinator
        self.tree = tree
        admission = ServerStores.admission(coordinator)
        watch = CommitWatch(coordinator, hub: core.hub)
        external =
            plan.stores.contains(where: \.store.watched)
            ? ExternalWatch(tree, coordinator, core: core, mark: mark) : nil
    }

    /// Whether an import can have a coordinator of its own: other stores than SQLite keep their rows in memory.
    var canBeShared: Bool { plan.stores.allSatisfy { $0.store.type == .sqlite } }

    /// Takes the stores out and ends the watches.
    func end() throws {
        watch.end()
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

    /// A coordinator and a context of their own on the same files.
    func makeImportContext() throws -> NSManagedObjectContext {
        guard canBeShared else {
            let context = tree.makeBackground("import")
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            return context
        }
        let second = NSPersistentStoreCoordinator(managedObjectModel: model)
        for (store, url) in plan.stores {
            var options = StoreOpening.options(of: store)
            options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = nil
            try StoreOpening.add(
                store.type, configuration: store.configuration, at: url, options: options, ifIncompatible: .fail,
                to: second)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = second
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.name = "\(coordinator.core.name).import\(mark)"
        return context
    }
}
