import OpenCoreDataKit
import Synchronization

/// Which store keeps the objects of which class: one store for each entity, one entity for each class.
final class StoreRegister: Sendable {
    /// A store in a file, as requested.
    struct Request: Sendable, Equatable {
        let path: String
        let configuration: String?
        let isMigrating: Bool

        init(_ url: URL, configuration: String?, isMigrating: Bool) {
            path = url.resolvingSymlinksInPath().standardizedFileURL.path
            self.configuration = configuration
            self.isMigrating = isMigrating
        }
    }

    private let coordinator: NSPersistentStoreCoordinator
    /// Finds the entities of classes. Has no objects.
    private let lookUp: NSManagedObjectContext
    private let requests = Mutex<[Request]>([])
    /// Held while a store is added. Who is notified of the new store may come back here.
    private let adding = NSRecursiveLock()

    init(_ coordinator: NSPersistentStoreCoordinator) {
        self.coordinator = coordinator
        lookUp = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        lookUp.persistentStoreCoordinator = coordinator
    }

    // MARK: Adding

    /// Adds a store.
    ///
    /// - Parameter request: The requested file. It isn't added again if it is already there with the same options.
    func add(_ store: Store, request: Request? = nil) throws {
        try adding.withLock {
            if let request, try isThere(request) { return }
            try refuseSharing(store.configuration, request?.path ?? "in memory")
            try StoreOpening.add(store, databaseName: "", to: coordinator)
            if let request { requests.withLock { $0.append(request) } }
        }
    }

    private func isThere(_ request: Request) throws -> Bool {
        guard let known = requests.withLock({ $0.first { $0.path == request.path } }) else { return false }
        if known == request { return true }
        throw DatabaseError.duplicateStore(
            store: request.path,
            reason: "A different one is already there, of \(known.configuration ?? "all entities") and "
                + "\(known.isMigrating ? "with" : "without") migration.")
    }

    /// Refuses a second store for an entity, and a second entity for a class.
    private func refuseSharing(_ configuration: String?, _ label: String) throws {
        var owners: [String: (entity: String, store: String)] = [:]
        for entity in coordinator.layout.entities {
            guard let className = entity.entity.ownClassName, let store = store(of: entity) else { continue }
            owners[className] = (entity.name, store.label)
        }
        let entities = coordinator.managedObjectModel.entities(forConfigurationName: configuration) ?? []
        for entity in entities {
            guard let layout = coordinator.layout[entity.name ?? ""] else { continue }
            let className = entity.ownClassName
            if let store = store(of: layout) {
                throw DatabaseError.duplicateStore(
                    store: label,
                    reason:
                        "The entity \(layout.name) of the class \(className ?? "NSManagedObject") is kept by the store "
                        + "\(store.label) already.")
            }
            guard let className else { continue }
            if let owner = owners.updateValue((layout.name, label), forKey: className) {
                throw DatabaseError.duplicateStore(
                    store: label,
                    reason:
                        "The class \(className) of the entity \(layout.name) belongs to the entity \(owner.entity) in "
                        + "the store \(owner.store) already.")
            }
        }
    }

    // MARK: Finding

    /// The entity of a class and the store that keeps its objects.
    func home(of type: NSManagedObject.Type) throws -> (entity: NSEntityDescription, store: NSPersistentStore) {
        do {
            let layout = try lookUp.performAndWait {
                SendableBox(try lookUp.entityLayout(for: type, named: nil))
            }.value
            if let store = store(of: layout) { return (layout.entity, store) }
        } catch DatabaseError.unknownEntity {
            // The same to the caller as an entity without a store.
        }
        throw CoreDataUnregisteredClass(
            className: String(reflecting: type),
            registered: coordinator.layout.entities.filter { store(of: $0) != nil }.compactMap(\.entity.ownClassName)
                .sorted())
    }

    private func store(of entity: EntityLayout) -> NSPersistentStore? { coordinator.rowStores(for: entity).first }
}

extension NSEntityDescription {
    /// The class of the entity's objects, where it is one of the application's.
    fileprivate var ownClassName: String? {
        guard let name = managedObjectClassName, !name.isEmpty, name != "NSManagedObject" else { return nil }
        return name
    }
}

extension NSPersistentStore {
    fileprivate var label: String {
        guard let url, url.isFileURL else { return "in memory" }
        return url.path
    }
}
