import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Migrating XML and binary stores when they are added.
@Suite struct FileStoreMigrationTests {
    static let types = [NSXMLStoreType, NSBinaryStoreType]
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("Letters.file")
    }

    /// - Parameter name: What no other test uses: models of all tests are found.
    private static func version(_ number: Int, _ type: String, _ name: String = "Letter") -> NSManagedObjectModel {
        let letter = NSEntityDescription()
        letter.name = "Filed\(type)\(name)"
        letter.properties = [
            number == 0
                ? MigrationModels.attribute("subject", .stringAttributeType)
                : MigrationModels.attribute("headline", .stringAttributeType, was: "subject"),
            MigrationModels.attribute("pages", number == 0 ? .integer16AttributeType : .integer64AttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [letter]
        return model
    }

    private func make(_ type: String, _ name: String = "Letter") throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(0, type, name))
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        var metadata = store.metadata ?? [:]
        metadata["color"] = "red"
        store.metadata = metadata
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<700 {
                let letter = NSEntityDescription.insertNewObject(forEntityName: "Filed\(type)\(name)", into: context)
                letter.setValue("Letter \(number)", forKey: "subject")
                letter.setValue(number, forKey: "pages")
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    @Test(arguments: types) func aFileIsMigratedWhenTheProgramHasItsModel(type: String) throws {
        try make(type)
        let bundle = try ProgramBundle([Self.version(0, type)])
        defer { withExtendedLifetime(bundle) {} }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(1, type))
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: MigrationModels.automatically)
        #expect(store.metadata?["color"] as? String == "red")
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let letters = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Filed\(type)Letter"))
            #expect(letters.count == 700)
            for letter in letters {
                let pages = try #require(letter.value(forKey: "pages") as? Int)
                #expect(letter.value(forKey: "headline") as? String == "Letter \(pages)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Letters.file"])
    }

    @Test(arguments: types) func withoutItsModelAFileIsLeftAlone(type: String) throws {
        try make(type, "Orphan")
        let before = try Data(contentsOf: url)
        let model = Self.version(1, type, "Orphan")
        model.entities[0].name = "Filed\(type)Note"
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: url, options: MigrationModels.automatically)
        }
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect(try Data(contentsOf: url) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Letters.file"])
    }

    // MARK: The store's own class of managers

    private struct Reached: Error {}

    private final class OwnManager: NSMigrationManager, StoreMigrationManager {
        required override init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
            super.init(sourceModel: sourceModel, destinationModel: destinationModel)
        }

        override func migrateStore(
            from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
            with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
            destinationOptions dOptions: [AnyHashable: Any]? = nil
        ) throws { throw Reached() }
    }

    private final class PlainManager: NSMigrationManager {}

    // @unchecked Sendable as the superclass.
    private final class OwnStore: ArchiveStore, @unchecked Sendable {
        override class func migrationManagerClass() -> AnyClass { OwnManager.self }
    }

    // @unchecked Sendable as the superclass.
    private final class PlainStore: ArchiveStore, @unchecked Sendable {
        override class func migrationManagerClass() -> AnyClass { PlainManager.self }
    }

    @Test func theManagerOfTheStoresClassMigrates() throws {
        NSPersistentStoreCoordinator.registerStoreClass(OwnStore.self, forStoreType: "OwnStore")
        NSPersistentStoreCoordinator.registerStoreClass(PlainStore.self, forStoreType: "PlainStore")
        func migrate(_ type: String) throws {
            let (source, destination) = (Self.version(0, ""), Self.version(1, ""))
            try StoreMigration(
                url: url, type: type, metadata: [:], sourceModel: source, destinationModel: destination,
                configuration: nil, options: nil
            ).run(with: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination))
        }
        #expect(throws: Reached.self) { try migrate("OwnStore") }
        let error = #expect(throws: CocoaError.self) { try migrate("PlainStore") }
        #expect(error?.code == .migration)
        #expect(error?.localizedDescription.contains("PlainManager") == true)
    }
}
