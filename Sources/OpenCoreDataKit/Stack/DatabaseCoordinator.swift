import CoreDataPlatform
import Synchronization

/// The coordinator of an open database: by it a context knows which database it is of.
final class DatabaseCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    // @unchecked Sendable as the class above: what is added is constant or atomic.
    let core: DatabaseCore
    private let files: [String]
    private let retired = Atomic<Bool>(false)

    /// Creates a coordinator and records which files it is going to have open.
    init(model: NSManagedObjectModel, core: DatabaseCore, files: [URL]) {
        self.core = core
        self.files = files.map(OpenFiles.key)
        super.init(managedObjectModel: model)
        #if !canImport(ObjectiveC)
        handedOut = HandedOutIdentifiers()
        onUnreportedChanges = { [core] in core.announce($0) }
        #endif
        OpenFiles.add(self.files)
    }

    /// Whether the stores are gone: erased or closed.
    var isRetired: Bool { retired.load(ordering: .acquiring) }

    /// Takes the stores out. Contexts that are still there can neither fetch nor save any longer.
    func retire() throws {
        guard !retired.exchange(true, ordering: .acquiringAndReleasing) else { return }
        defer { OpenFiles.remove(files) }
        for store in persistentStores { try remove(store) }
    }

    deinit {
        guard !isRetired else { return }
        #if !canImport(ObjectiveC)
        // The superclass would close them after the files are said not to be open.
        for case let store as any RowStore in persistentStores { store.close() }
        #endif
        OpenFiles.remove(files)
    }
}

extension NSManagedObjectContext {
    /// The coordinator, where it is that of a database.
    var databaseCoordinator: DatabaseCoordinator? { persistentStoreCoordinator as? DatabaseCoordinator }

    /// Refuses contexts whose stores are gone.
    ///
    /// - Throws: ``DatabaseError/closed(name:)``.
    func requireOpen() throws {
        guard let coordinator = databaseCoordinator, coordinator.isRetired else { return }
        throw DatabaseError.closed(name: coordinator.core.name)
    }
}
