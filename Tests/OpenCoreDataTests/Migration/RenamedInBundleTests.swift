import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A renaming that only the model file of the store's version knows: the copy in a store has no renaming identifiers.
@Suite(.enabled(if: !TestStack.isOnServer)) struct RenamedInBundleTests {
    /// amount, then total, which was amount, then sum, which was amount too.
    private static func version(_ number: Int) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Order"
        let name = ["amount", "total", "sum"][number]
        entity.properties = [
            MigrationModels.attribute(name, .integer64AttributeType, was: number == 0 ? nil : "amount"),
            MigrationModels.attribute("note", .stringAttributeType),
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func makeStore(in folder: TemporaryFolder, type: String) throws {
        let stack = try TestStack(model: version(1), type: type, folder: folder)
        try stack.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "Order", into: context).setValue(7, forKey: "total")
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    }

    private static func sum(_ model: NSManagedObjectModel, in folder: TemporaryFolder, type: String) throws -> Int? {
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let stack = try TestStack(model: model, type: type, folder: folder, options: options)
        return try stack.inContext { context in
            let orders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Order"))
            return orders.first?.value(forKey: "sum") as? Int
        }
    }

    private static func write(in folder: TemporaryFolder) throws -> URL {
        let compiled = folder.file("Shop.momd")
        try CompiledModelBundle(
            versions: (0..<3).map { .init(name: "V\($0)", model: version($0)) }, currentVersionName: "V2"
        ).write(to: compiled)
        return compiled
    }

    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func theVersionBesideTheModelIsUsed(type: String) throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(in: folder, type: type)
        let compiled = try Self.write(in: folder)
        let model = try #require(NSManagedObjectModel(contentsOf: compiled))
        #expect(try Self.sum(model, in: folder, type: type) == 7)
    }

    @Test func aSingleVersionOfAFolderKnowsTheOthers() throws {
        let folder = try TemporaryFolder()
        try Self.makeStore(in: folder, type: NSSQLiteStoreType)
        let compiled = try Self.write(in: folder)
        let model = try #require(NSManagedObjectModel(contentsOf: compiled.appendingPathComponent("V2.mom")))
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(try Self.sum(copy, in: folder, type: NSSQLiteStoreType) == 7)
    }

    @Test func aModelMergedOfSeveralFilesKnowsThemAll() throws {
        let folder = try TemporaryFolder()
        let compiled = try Self.write(in: folder)
        let other = NSEntityDescription()
        other.name = "Other"
        let second = NSManagedObjectModel()
        second.entities = [other]
        let file = folder.file("Other.mom")
        try second.encodedCompiledModel().write(to: file)
        let others = try #require(NSManagedObjectModel(contentsOf: file))
        let old = try #require(NSManagedObjectModel(byMerging: [Self.version(1), others]))
        let stack = try TestStack(model: old, folder: folder)
        try stack.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "Order", into: context).setValue(7, forKey: "total")
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let current = try #require(NSManagedObjectModel(contentsOf: compiled))
        let merged = try #require(NSManagedObjectModel(byMerging: [current, others]))
        #expect(try Self.sum(merged, in: folder, type: NSSQLiteStoreType) == 7)
    }

    @Test func aModelThatIsSpreadOverBundlesIsPutTogether() throws {
        let folder = try TemporaryFolder()
        let marked = (0..<3).map { number in
            let model = Self.version(number)
            model.entities[0].versionHashModifier = "spread"
            return model
        }
        let other = NSEntityDescription()
        (other.name, other.versionHashModifier) = ("Other", "spread")
        let second = NSManagedObjectModel()
        second.entities = [other]
        let bundles = try [ProgramBundle([marked[1]]), ProgramBundle([second])]
        let old = try #require(NSManagedObjectModel(byMerging: [marked[1], second]))
        let stack = try TestStack(model: old, folder: folder)
        try stack.inContext { context in
            NSEntityDescription.insertNewObject(forEntityName: "Order", into: context).setValue(7, forKey: "total")
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        let new = try #require(NSManagedObjectModel(byMerging: [marked[2], second]))
        #expect(try Self.sum(new, in: folder, type: NSSQLiteStoreType) == 7)
        withExtendedLifetime(bundles) {}
    }
}
