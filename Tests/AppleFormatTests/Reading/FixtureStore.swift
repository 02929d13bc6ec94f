import Foundation
import OpenCoreData
import TestSupport

/// A copy of a store that Apple's framework wrote, opened with the model it carries, or the one beside it.
struct FixtureStore {
    let folder: TemporaryFolder
    let url: URL
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let store: SQLiteStore

    /// Stores whose model is at hand.
    static let paths: [String] = Fixtures.stores.filter { path in
        guard let folder = try? TemporaryFolder(), let url = try? Fixtures.copy(path, into: folder) else {
            return false
        }
        return (try? model(at: url, path)) != nil
    }

    struct Missing: Error {}

    init(_ path: String, readOnly: Bool = false, options: [AnyHashable: Any] = [:]) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        try self.init(path, folder: folder, url: url, readOnly: readOnly, options: options)
    }

    /// Opens a copy again.
    init(
        _ path: String, folder: TemporaryFolder, url: URL, readOnly: Bool = false, options: [AnyHashable: Any] = [:]
    ) throws {
        self.folder = folder
        self.url = url
        model = try Self.model(at: url, path)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model.withoutClasses())
        var options = options
        if readOnly { options[NSReadOnlyPersistentStoreOption] = true }
        // Without, a store that has a history can't be written.
        if try Self.hasHistory(url) { options[NSPersistentHistoryTrackingKey] = true }
        // The hashes of entities with derived attributes are not known.
        options[NSIgnorePersistentStoreVersioningOption] = true
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        guard let store = store as? SQLiteStore else { throw Missing() }
        self.store = store
    }

    private static func hasHistory(_ url: URL) throws -> Bool {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        return try connection.firstValue("SELECT 1 FROM sqlite_master WHERE name='ATRANSACTION'") != nil
    }

    private static func model(at url: URL, _ path: String) throws -> NSManagedObjectModel {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        if let data = try StoreFile.modelCache(in: connection) {
            return try NSManagedObjectModel.decode(modelCache: data)
        }
        let folder = try Fixtures.url(path).deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard let name = names.first(where: { $0.hasSuffix(".mom") || $0.hasSuffix(".xcdatamodeld") }) else {
            throw Missing()
        }
        return try NSManagedObjectModel(contentsOfModelFile: folder.appendingPathComponent(name))
    }

    /// The layouts of all entities.
    var entities: [EntityLayout] { coordinator.layout.entities }

    /// Lines of what the `sqlite3` command prints.
    func shell(_ sql: String) throws -> [String] {
        let string = try SQLiteShell.run(sql, on: url)
        return string.isEmpty ? [] : string.components(separatedBy: "\n")
    }
}
