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
    package let source: ModelSource
    package let coordinator: NSPersistentStoreCoordinator
    package let store: NSPersistentStore
    private let context: NSManagedObjectContext

    package var model: NSManagedObjectModel { source.model }

    /// Opens the store at `path` with the model at `modelPath`, or with the one that the store itself keeps.
    package init(path: String, modelPath: String?, access: Access) throws {
        let url = try InputFile.url(path)
        let source = try ModelSource(storeURL: url, modelPath: modelPath, reconstructs: access == .reading)
        try self.init(url: url, source: try source.adoptingHashes(ofStoreAt: url), access: access)
    }

    /// Opens the store at `url`, which is created where it is missing and the access is for writing.
    package init(url: URL, source: ModelSource, access: Access) throws {
        if access == .writing, Foundation.access(url.path, W_OK) != 0, errno == EROFS {
            throw ToolFailure("The store \(url.path) cannot be changed: the disk is read-only.")
        }
        self.url = url
        self.source = source
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: source.model)
        store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: Self.options(for: url, access: access))
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Runs a block on the context's queue.
    package func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        try context.performAndWait { try body(context) }
    }

    /// The entity named `name`.
    package func entity(named name: String) throws -> NSEntityDescription {
        if let entity = model.entitiesByName[name] { return entity }
        let similar = model.entitiesByName.keys.first { $0.lowercased() == name.lowercased() }
        let hint = similar.map { "did you mean \($0)?" } ?? "it has \(Self.listed(model.entitiesByName.keys.sorted()))."
        throw ToolFailure("The model has no entity named \(name); \(hint)")
    }

    /// The object that a user named by its URI or by `Entity/p12`.
    package func object(named name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let text = ObjectName.uri(name, storeIdentifier: store.identifier ?? ""), let uri = URL(string: text),
            let id = coordinator.managedObjectID(forURIRepresentation: uri)
        else {
            throw ToolFailure("\(name) names no object of the store \(url.lastPathComponent).")
        }
        do {
            return try context.existingObject(with: id)
        } catch let error as CocoaError where error.code.rawValue == NSManagedObjectReferentialIntegrityError {
            throw ToolFailure("The store \(url.lastPathComponent) has no object \(ObjectName.short(text)).")
        }
    }

    private static func options(for url: URL, access: Access) -> [AnyHashable: Any] {
        switch access {
        case .reading:
            return [NSReadOnlyPersistentStoreOption: true]
        case .writing:
            // A store that records its history must go on doing so.
            guard (try? StoreFacts(url: url).hasHistory) == true else { return [:] }
            return [NSPersistentHistoryTrackingKey: true]
        }
    }

    /// A list of names for a sentence, not too long.
    package static func listed(_ names: [String]) -> String {
        let shown = names.prefix(12).joined(separator: ", ")
        return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
    }
}
