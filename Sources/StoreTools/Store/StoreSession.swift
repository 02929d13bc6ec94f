package import Foundation
package import OpenCoreData

/// A store opened for one command, with its model and a context.
package struct StoreSession {
    package enum Access {
        /// The store's files stay as they are.
        case reading
        case writing
    }

    package let url: URL
    /// The store's model as it is, and where it came from.
    package let source: ModelSource
    package let coordinator: NSPersistentStoreCoordinator
    package let store: NSPersistentStore
    private let context: NSManagedObjectContext

    /// The model in use. Its objects have no classes of the application's.
    package var model: NSManagedObjectModel { coordinator.managedObjectModel }

    /// What to call the store in messages.
    package var name: String { StoreAddress(url: url).name }

    /// Opens the store at `path` with the model at `modelPath`, or with the one that the store itself keeps.
    ///
    /// - Parameter path: The path of a file, or the URL of a database on a server.
    package init(
        path: String, modelPath: String?, access: Access, objectClass: NSManagedObject.Type? = nil
    ) throws {
        let url = try StoreAddress(existing: path).url
        let source = try ModelSource(storeURL: url, modelPath: modelPath, reconstructs: access == .reading)
        try self.init(
            url: url, source: try source.adoptingHashes(ofStoreAt: url), access: access, objectClass: objectClass)
    }

    /// Opens the store at `url`, which is created where it is missing and the access is for writing.
    ///
    /// - Parameters:
    ///   - objectClass: The class of all objects: those of the application are not here, and looking for them costs more than
    ///     reading.
    ///   - model: The model of another session, to be shared with it; nil to make one of `source`.
    ///   - type: The store's type; `nil` for that of what is at `url`.
    ///   - announces: Whether what others save is announced, where the store is one that does so.
    package init(
        url: URL, source: ModelSource, access: Access, objectClass: NSManagedObject.Type? = nil,
        sharing model: NSManagedObjectModel? = nil, type: String? = nil, announces: Bool = false
    ) throws {
        let address = StoreAddress(url: url)
        if access == .writing, address.server == nil { try Self.checkPermissions(url) }
        self.url = url
        self.source = source
        let objectClass = objectClass ?? (access == .reading ? NSManagedObject.self : EditedObject.self)
        coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: model ?? source.replacingClasses(with: objectClass).model)
        var options = Self.options(for: address, access: access)
        if announces { options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true }
        do {
            store = try coordinator.addPersistentStore(
                ofType: type ?? address.type, configurationName: nil, at: url, options: options)
        } catch let error as CocoaError where error.code.rawValue == NSPersistentStoreIncompatibleVersionHashError {
            throw Self.wrongModel(source, address, error)
        } catch {
            guard access == .reading, address.server == nil, UnfinishedWrite.isThere(url) else { throw error }
            throw ToolFailure(
                "A write of the store \(url.path) was never finished, and has to be undone before the store can be read: "
                    + "check --repair does that.", cause: error)
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Runs a block on the context's queue.
    package func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        try context.performAndWait { try body(context) }
    }

    /// Runs a block whose saves take effect together at its end, or not at all.
    package func savingTogether<Result>(_ body: () throws -> Result) throws -> Result {
        if let store = store as? any TransactionalStore, !(store is any TogetherSavingStore) {
            var result: Result?
            try store.performTransaction { result = try body() }
            guard let result else { throw ToolFailure("The store \(name) has not run a transaction.") }
            return result
        }
        guard let store = store as? any TogetherSavingStore else {
            throw ToolFailure(
                "The store \(name) is of the type \(store.type), which can't save several changes at once.")
        }
        return try store.savingTogether(body)
    }

    /// The entity named `name`.
    package func entity(named name: String) throws -> NSEntityDescription {
        if let entity = model.entitiesByName[name] { return entity }
        throw ModelSource.unknown(entity: name, in: model)
    }

    /// Says before anything is opened that a store cannot be written.
    package static func checkPermissions(_ url: URL) throws {
        let folder = url.resolvingSymlinksInPath().deletingLastPathComponent()
        if Foundation.access(url.path, W_OK) != 0 {
            switch errno {
            case EROFS: throw ToolFailure("The store \(url.path) cannot be changed: the disk is read-only.")
            case EACCES: throw ToolFailure("The store \(url.path) cannot be changed: it is read-only for this user.")
            default: break
            }
        }
        if Foundation.access(folder.path, W_OK) != 0, errno == EACCES {
            throw ToolFailure(
                "The store \(url.path) cannot be changed: its folder \(folder.path) is read-only for this user, and "
                    + "SQLite keeps its log there.")
        }
    }

    /// Says what is different between a model and the store that it was named for.
    private static func wrongModel(_ source: ModelSource, _ address: StoreAddress, _ error: any Error) -> any Error {
        guard let stored = try? address.metadata()[NSStoreModelVersionHashesKey] as? [String: Data] else {
            return error
        }
        let hashes = source.model.entityVersionHashesByName
        let missing = stored.keys.filter { hashes[$0] == nil }.sorted()
        let different = stored.keys.filter { hashes[$0] != nil && hashes[$0] != stored[$0] }.sorted()
        var parts: [String] = []
        if !missing.isEmpty { parts.append("it lacks \(listed(missing))") }
        if !different.isEmpty {
            parts.append("\(listed(different)) \(different.count == 1 ? "is" : "are") of another version")
        }
        let why = parts.isEmpty ? "it is of another version" : parts.joined(separator: ", and ")
        return ToolFailure(
            "The model \(source.name) is not the one that \(address.name) was written with: \(why). Leave "
                + "out --model to use the store's own, or bring the store to this model with migrate.", cause: error)
    }

    private static func options(for address: StoreAddress, access: Access) -> [AnyHashable: Any] {
        switch access {
        case .reading:
            return [NSReadOnlyPersistentStoreOption: true]
        case .writing:
            // A store that records its history must go on doing so.
            guard (try? address.hasHistory()) == true else { return [:] }
            return [NSPersistentHistoryTrackingKey: true]
        }
    }

    /// A list of names for a sentence, not too long.
    package static func listed(_ names: [String]) -> String {
        let shown = names.prefix(12).joined(separator: ", ")
        return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
    }
}
