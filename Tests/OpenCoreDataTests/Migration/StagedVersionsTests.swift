import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The versions of a lightweight stage are gone through one by one, where the program has their models.
@Suite(.serialized) struct StagedVersionsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A name that changes with each version and each time says the former one.
    private static let names = ["subject", "caption", "headline"]

    private static func version(_ number: Int) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "StagedLetter"
        let former = number > 0 ? names[number - 1] : nil
        entity.properties = [MigrationModels.attribute(names[number], .stringAttributeType, was: former)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func store() throws -> URL {
        let stack = try TestStack(model: Self.version(0), folder: folder)
        try stack.inContext { context in
            let letter = NSEntityDescription.insertNewObject(forEntityName: "StagedLetter", into: context)
            letter.setValue("Hello", forKey: "subject")
            try context.save()
        }
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        return stack.url
    }

    private func headline(_ stages: [NSMigrationStage]) throws -> String? {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.version(2))
        var options = MigrationModels.automatically
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
        let url = try store()
        try coordinator.addPersistentStore(
            ofType: TestStack.type(of: url), configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "StagedLetter")).first?
                .value(forKey: "headline") as? String
        }
    }

    private var stage: NSLightweightMigrationStage {
        NSLightweightMigrationStage((0...2).map { Self.version($0).versionChecksum })
    }

    @Test func aChainOfRenamingsIsFollowedThroughTheModelsOfABundle() throws {
        let bundle = try ProgramBundle((0...2).map(Self.version))
        defer { withExtendedLifetime(bundle) {} }
        #expect(try headline([stage]) == "Hello")
    }

    @Test func withoutTheModelsTheLastVersionIsInferredFromTheFirst() throws {
        #expect(try headline([stage]) == nil)
    }
}
