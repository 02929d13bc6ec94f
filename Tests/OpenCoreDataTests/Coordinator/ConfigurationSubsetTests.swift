import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Stores that are added under a configuration which leaves out entities that they have.
@Suite struct ConfigurationSubsetTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var url: URL { folder.file("Zoo.store") }

    /// Animals, some of which are dogs, and keepers. One configuration has no dogs, another no keepers.
    private static func model(dogAttribute: Bool = false, keepers: Bool = true) -> NSManagedObjectModel {
        let animal = PublishingModel.entity("Animal", PublishingModel.attribute("name", .stringAttributeType))
        let dog = PublishingModel.entity("Dog", PublishingModel.attribute("breed", .stringAttributeType))
        if dogAttribute { dog.properties.append(PublishingModel.attribute("age", .integer16AttributeType)) }
        let keeper = PublishingModel.entity("Keeper", PublishingModel.attribute("name", .stringAttributeType))
        animal.subentities = [dog]
        let model = NSManagedObjectModel()
        model.entities = keepers ? [animal, dog, keeper] : [animal, dog]
        model.setEntities(keepers ? [animal, keeper] : [animal], forConfigurationName: "NoDogs")
        model.setEntities([animal, dog], forConfigurationName: "NoKeepers")
        return model
    }

    private func open(
        _ type: NSPersistentStore.StoreType, _ configuration: String?, model: NSManagedObjectModel = Self.model()
    ) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: type, configuration: configuration, at: url)
        return coordinator
    }

    private func inContext<T>(
        _ coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> T
    ) rethrows -> T {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try body(context) }
    }

    private func names(_ entity: String, _ context: NSManagedObjectContext) throws -> [String] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
            .compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    private func add(_ entity: String, _ name: String, _ context: NSManagedObjectContext) {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(name, forKey: "name")
    }

    private func close(_ coordinator: NSPersistentStoreCoordinator) throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private static let types: [NSPersistentStore.StoreType] = [.sqlite, .xml, .binary]

    private func fill(_ type: NSPersistentStore.StoreType) throws {
        let all = try open(type, nil)
        try inContext(all) { context in
            add("Animal", "Ape", context)
            add("Dog", "Rex", context)
            add("Keeper", "Kim", context)
            try context.save()
        }
        try close(all)
    }

    @Test(arguments: types) func anEntityThatIsLeftOutStaysInTheStore(type: NSPersistentStore.StoreType) throws {
        try fill(type)
        let some = try open(type, "NoKeepers")
        try inContext(some) { context in
            #expect(try names("Animal", context) == ["Ape", "Rex"])
            add("Dog", "Tim", context)
            try context.save()
        }
        try close(some)
        let all = try open(type, nil)
        try inContext(all) { context throws in
            #expect(try names("Keeper", context) == ["Kim"])
            #expect(try names("Dog", context) == ["Rex", "Tim"])
        }
        try close(all)
    }

    @Test(arguments: types) func aSubentityThatIsLeftOutStaysInTheStore(type: NSPersistentStore.StoreType) throws {
        try fill(type)
        let some = try open(type, "NoDogs")
        try inContext(some) { context in
            #expect(try names("Animal", context).contains("Ape"))
            add("Animal", "Bee", context)
            try context.save()
        }
        try close(some)
        let all = try open(type, nil)
        try inContext(all) { context throws in
            #expect(try names("Animal", context) == ["Ape", "Bee", "Rex"])
            #expect(try names("Dog", context) == ["Rex"])
            #expect(try names("Keeper", context) == ["Kim"])
        }
        try close(all)
    }

    @Test(arguments: types) func anotherVersionOfWhatIsLeftOutIsNotAccepted(type: NSPersistentStore.StoreType) throws {
        try fill(type)
        let refused = [("NoDogs", Self.model(dogAttribute: true)), ("NoKeepers", Self.model(keepers: false))]
        for (configuration, model) in refused {
            let error = #expect(throws: CocoaError.self) { try open(type, configuration, model: model) }
            #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        #expect(Self.model().isConfiguration(withName: "NoDogs", compatibleWithStoreMetadata: metadata))
        #expect(Self.model().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        for (configuration, model) in refused {
            #expect(!model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata))
        }
    }

    @Test(arguments: types) func aStoreThatHasFewerEntitiesIsNotAccepted(type: NSPersistentStore.StoreType) throws {
        try close(try open(type, "NoKeepers"))
        let error = #expect(throws: CocoaError.self) { try open(type, nil) }
        #expect(error?.code.rawValue == NSPersistentStoreIncompatibleVersionHashError)
    }
}
