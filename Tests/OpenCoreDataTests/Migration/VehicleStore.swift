import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores of `MigrationModels` with many people, at the first version or one without the attribute `height`, and what
/// is in them.
enum VehicleStore {
    enum Version { case old, new }

    static let people = 1_500

    static func newModel() -> NSManagedObjectModel {
        MigrationModels.make { $0["Person"]?.properties.removeAll { $0.name == "height" } }
    }

    static func model(_ version: Version) -> NSManagedObjectModel {
        version == .old ? MigrationModels.make() : newModel()
    }

    /// Makes a store of the first version: the small one of `MigrationModels`, people, and some large photos.
    @discardableResult
    static func make(at url: URL, people: Int = people, name: String = "Pat", type: String = NSSQLiteStoreType)
        throws -> URL
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationModels.make())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let club = NSEntityDescription.insertNewObject(forEntityName: "Club", into: context)
            club.setValue(name, forKey: "name")
            for number in 0..<people {
                let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue("\(name) \(number)", forKey: "name")
                person.setValue(Float(number), forKey: "height")
                person.setValue(Set([club]), forKey: "clubs")
                if number % 250 == 0 {
                    person.setValue(Data("\(number)".utf8) + Data(repeating: 7, count: 150_000), forKey: "photo")
                }
            }
            try context.save()
        }
        try coordinator.remove(store)
        return url
    }

    /// The version of a store, and whether all is there that should be.
    static func version(
        of url: URL, people: Int = people, name: String = "Pat", type: String = NSSQLiteStoreType
    ) throws -> Version {
        // Opening comes first: it ends what a dead process began.
        let version: Version = (try? open(url, .old, type) { _ in }) != nil ? .old : .new
        try open(url, version, type) { context in
            let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
            #expect(all.count == people)
            for person in all {
                let string = try #require(person.value(forKey: "name") as? String)
                let number = try #require(Int(string.dropFirst(name.count + 1)))
                #expect(string.hasPrefix(name))
                #expect((person.value(forKey: "clubs") as? Set<NSManagedObject>)?.count == 1)
                let photo = person.value(forKey: "photo") as? Data
                let expected = Data("\(number)".utf8) + Data(repeating: 7, count: 150_000)
                #expect(number % 250 == 0 ? photo == expected : photo == nil)
            }
        }
        guard type == NSSQLiteStoreType else { return version }
        #expect(try StoreChecker.findings(inStoreAt: url, model: model(version)).map(\.message) == [])
        #expect(ExternalData(storeURL: url).orphans(besides: []).count == (people + 249) / 250)
        return version
    }

    static func open(
        _ url: URL, _ version: Version, _ type: String = NSSQLiteStoreType,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(version))
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
    }

    /// Migrates a store to the new version.
    static func migrate(_ url: URL, byObjects: Bool = false, type: String = NSSQLiteStoreType) throws {
        let (source, destination) = (model(.old), model(.new))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        let migration = StoreMigration(
            url: url, type: type, metadata: metadata, sourceModel: source, destinationModel: destination,
            configuration: nil, options: nil)
        guard byObjects else { return try migration.runInferred() }
        try migration.run(
            with: NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination),
            direct: false)
    }

    /// Copies the files of a store.
    static func copy(_ url: URL, to other: URL) throws {
        let manager = FileManager.default
        for file in [other, ExternalData(storeURL: other).supportFolder] where manager.fileExists(atPath: file.path) {
            try manager.removeItem(at: file)
        }
        try manager.copyItem(at: url, to: other)
        let support = ExternalData(storeURL: url).supportFolder
        guard manager.fileExists(atPath: support.path) else { return }
        try manager.copyItem(at: support, to: ExternalData(storeURL: other).supportFolder)
    }
}
