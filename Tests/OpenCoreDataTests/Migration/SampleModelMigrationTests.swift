import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores that Apple's framework wrote, taken through the versions of their models with files and policies.
@Suite(
    .enabled(if: Fixtures.available), .enabled(if: SQLiteShell.isAvailable, "this machine has no sqlite3 command"))
struct SampleModelMigrationTests {
    static func number(_ sql: String, _ url: URL) throws -> Int? {
        Int(try SQLiteShell.run(sql, on: url).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    // MARK: Staged

    static func model3(_ version: Int) throws -> NSManagedObjectModel {
        let name = version == 1 ? "SampleModel3" : "SampleModel3_v\(version)"
        return try NSManagedObjectModel(
            contentsOfModelFile: Fixtures.url("coredataplus/SampleModel3/SampleModel3.momd/\(name).mom"))
    }

    // Behaviour 10.7
    @Test func aContainerTakesAStoreThroughItsStages() throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy("coredataplus/SampleModel3/SampleModel3_V1.sqlite", into: folder)
        let versions = try (1...3).map { number in
            let model = try Self.model3(number)
            return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let custom = NSCustomMigrationStage(migratingFrom: versions[1], to: versions[2])
        custom.willMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "User")
                request.predicate = NSPredicate(format: "petName != nil")
                for user in try context.fetch(request) {
                    let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
                    pet.setValue(user.value(forKey: "petName"), forKey: "name")
                    user.setValue(pet, forKey: "pet")
                    user.setValue(nil, forKey: "petName")
                }
                try context.save()
            }
        }
        let manager = NSStagedMigrationManager([
            NSLightweightMigrationStage([versions[0].versionChecksum]), custom,
        ])
        let model = try Self.model3(3).withoutClasses()
        let container = NSPersistentContainer(name: "SampleModel3", managedObjectModel: model)
        let description = try #require(container.persistentStoreDescriptions.first)
        description.url = url
        description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let users = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "User"))
            #expect(users.count == 12)
            for user in users {
                let pet = user.value(forKey: "pet") as? NSManagedObject
                #expect((pet?.value(forKey: "name") as? String)?.hasPrefix("Dog_") == true)
            }
        }
        #expect(try Self.number("SELECT count(DISTINCT ZPET) FROM ZUSER", url) == 12)
        #expect(try Self.number("SELECT count(*) FROM pragma_table_info('ZUSER') WHERE name = 'ZPETNAME'", url) == 0)
    }

    // MARK: A mapping model with policies

    /// Makes an object for each maker that cars of the second version name.
    final class V2to3MakerPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
            guard let name = sInstance.value(forKey: "maker") as? String,
                let car = manager.destinationInstances(
                    forEntityMappingName: mapping.name, sourceInstances: [sInstance]
                ).first
            else { return }
            let context = manager.destinationContext
            let request = NSFetchRequest<NSManagedObject>(entityName: "Maker")
            request.predicate = NSPredicate(format: "name == %@", name)
            let maker =
                try context.fetch(request).first
                ?? NSEntityDescription.insertNewObject(forEntityName: "Maker", into: context)
            maker.setValue(name, forKey: "name")
            car.setValue(maker, forKey: "createdBy")
        }
    }

    static func migrateToThird(_ file: String) throws -> (url: URL, source: URL, folder: TemporaryFolder) {
        V2to3MakerPolicy.register()
        let folder = try TemporaryFolder()
        let source = try Fixtures.copy("coredataplus/SampleModel/SampleModel_V2.sqlite", into: folder)
        let mapping = try NSMappingModel(contentsOfMappingFile: Fixtures.url("coredataplus/SampleModel/\(file)"))
        let manager = NSMigrationManager(
            sourceModel: try MappingFileTests.model(2), destinationModel: try MappingFileTests.model(3))
        let target = folder.file("V3.sqlite")
        try manager.migrateStore(
            from: source, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: target,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        return (target, source, folder)
    }

    // Behaviour 10.5, 10.6
    @Test(arguments: ["V2toV3.cdm", "V2toV3.xcmappingmodel"])
    func aMappingModelFromAFileCarriesItsPoliciesOut(_ file: String) throws {
        let (url, source, folder) = try Self.migrateToThird(file)
        defer { withExtendedLifetime(folder) {} }
        #expect(try Self.number("SELECT count(*) FROM ZCAR", url) == 125)
        #expect(try Self.number("SELECT count(*) FROM ZPERSON", url) == 20)
        let makers = try SQLiteShell.run(
            "SELECT DISTINCT ZMAKER FROM ZCAR WHERE ZMAKER IS NOT NULL ORDER BY ZMAKER", on: source)
        #expect(try SQLiteShell.run("SELECT ZNAME FROM ZMAKER ORDER BY ZNAME", on: url) == makers)
        let before = try SQLiteShell.run(
            "SELECT ZNUMBERPLATE, ZMODEL, ZMAKER, p.ZFIRSTNAME, p.ZLASTNAME FROM ZCAR c LEFT JOIN ZPERSON p "
                + "ON c.ZOWNER = p.Z_PK ORDER BY 1", on: source)
        let after = try SQLiteShell.run(
            "SELECT ZNUMBERPLATE, ZMODEL, m.ZNAME, p.ZFIRSTNAME, p.ZLASTNAME FROM ZCAR c LEFT JOIN ZPERSON p "
                + "ON c.ZOWNER = p.Z_PK LEFT JOIN ZMAKER m ON c.ZCREATEDBY = m.Z_PK ORDER BY 1", on: url)
        #expect(before == after)
        #expect(try StoreChecker.findings(inStoreAt: url, model: try MappingFileTests.model(3)).isEmpty)
    }

    @Test func aStoreOfTheFirstVersionGoesThroughTheSecond() throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy("coredataplus/SampleModel/SampleModel_V1.sqlite", into: folder)
        let first = try SQLiteShell.run("SELECT ZNUMBERPLATE, ZMAKER FROM ZCAR ORDER BY 1", on: url)
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try MappingFileTests.model(2).withoutClasses())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
        try coordinator.remove(store)
        #expect(try SQLiteShell.run("SELECT ZNUMBERPLATE, ZMAKER FROM ZCAR ORDER BY 1", on: url) == first)
        V2to3MakerPolicy.register()
        let manager = NSMigrationManager(
            sourceModel: try MappingFileTests.model(2), destinationModel: try MappingFileTests.model(3))
        let target = folder.file("V3.sqlite")
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: try MappingFileTests.compiled(),
            toDestinationURL: target, destinationType: NSSQLiteStoreType, destinationOptions: nil)
        let third = try SQLiteShell.run(
            "SELECT ZNUMBERPLATE, m.ZNAME FROM ZCAR c LEFT JOIN ZMAKER m ON c.ZCREATEDBY = m.Z_PK ORDER BY 1",
            on: target)
        #expect(third == first)
    }
}
