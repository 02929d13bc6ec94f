import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A copy of a store that Apple's framework wrote, migrated when it was added with another model.
struct FixtureMigration {
    static var automatically: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    let folder: TemporaryFolder
    let url: URL

    init(_ path: String) throws {
        folder = try TemporaryFolder()
        url = try Fixtures.copy(path, into: folder)
    }

    /// Opens the copy with a model, which migrates it, and closes it again.
    func migrate(to model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model.withoutClasses())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: Self.automatically)
        try coordinator.remove(store)
    }

    /// What differs from a new store of the model, and what the checker finds.
    func problems(model: NSManagedObjectModel) throws -> [String] {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        let statements = try connection.rows(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'sqlite%' ORDER BY rowid"
        ).compactMap { if case .text(let sql) = $0[0] { sql } else { nil } }
        let schema = try SQLSchema(entities: model.entities)
        let hasHistory = statements.contains { $0.hasPrefix("CREATE TABLE ACHANGE") }
        let expected = schema.createStatements + (hasHistory ? schema.historyStatements : [])
        var problems = statements == expected ? [] : ["The schema is that of no new store."]
        problems += try StoreChecker.findings(inStoreAt: url, model: model).map(\.message)
        return problems
    }

    /// A version of a model in a folder of versions.
    static func model(_ path: String, version: String) throws -> NSManagedObjectModel {
        let url = try Fixtures.url(path)
        if url.pathExtension == "momd" {
            let bundle = try CompiledModelBundle(contentsOf: url)
            return try #require(bundle.versions.first { $0.name == version }?.model)
        }
        let bundle = try ModelSourceBundle(contentsOf: url)
        return try #require(bundle.versions.first { $0.name == version }?.document).model()
    }
}
