import Foundation
import OpenCoreData
import TestSupport

/// A copy of a store that Apple's framework wrote, opened with the model it carries.
struct FixtureStore {
    let folder: TemporaryFolder
    let url: URL
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let store: SQLiteStore

    /// Stores that carry their model, which is all but those of the oldest frameworks.
    static let paths: [String] = Fixtures.stores.filter { path in
        guard let folder = try? TemporaryFolder(), let url = try? Fixtures.copy(path, into: folder) else { return false }
        return (try? cachedModel(at: url)) != nil
    }

    struct Missing: Error {}

    init(_ path: String, readOnly: Bool = false, options: [AnyHashable: Any] = [:]) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        try self.init(folder: folder, url: url, readOnly: readOnly, options: options)
    }

    init(folder: TemporaryFolder, url: URL, readOnly: Bool = false, options: [AnyHashable: Any] = [:]) throws {
        self.folder = folder
        self.url = url
        model = try Self.cachedModel(at: url)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var options = options
        if readOnly { options[NSReadOnlyPersistentStoreOption] = true }
        // The hashes of entities with derived attributes are not known.
        options[NSIgnorePersistentStoreVersioningOption] = true
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        guard let store = store as? SQLiteStore else { throw Missing() }
        self.store = store
    }

    private static func cachedModel(at url: URL) throws -> NSManagedObjectModel {
        let connection = try SQLiteConnection(readingOnly: url)
        defer { connection.close() }
        guard let data = try StoreFile.modelCache(in: connection) else { throw Missing() }
        return try NSManagedObjectModel.decode(modelCache: data)
    }

    /// The layouts of all entities.
    var entities: [EntityLayout] { coordinator.layout.entities }

    /// Lines of what the `sqlite3` command prints.
    func shell(_ sql: String) throws -> [String] {
        let text = try SQLiteShell.run(sql, on: url)
        return text.isEmpty ? [] : text.components(separatedBy: "\n")
    }
}
