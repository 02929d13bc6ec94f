import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A class of this file alone, so that no other test's model has it.
final class OpenStoreThing: NSManagedObject {}

/// Which entity a class has of several models in use.
@Suite struct EntityOfClassTests {
    private func coordinator() -> NSPersistentStoreCoordinator {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.managedObjectClassName = NSStringFromClass(OpenStoreThing.self)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return NSPersistentStoreCoordinator(managedObjectModel: model)
    }

    @Test func modelsWithAnOpenStoreComeFirst() throws {
        func open(_ coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        }
        let first = coordinator()
        let store = try open(first)
        let second = coordinator()
        #expect(OpenStoreThing.entity().managedObjectModel === first.managedObjectModel)
        _ = try open(second)
        #expect(OpenStoreThing.entity().managedObjectModel === second.managedObjectModel)
        var third: NSPersistentStoreCoordinator? = coordinator()
        _ = try third.map(open)
        #expect(OpenStoreThing.entity().managedObjectModel === third?.managedObjectModel)
        let model = third?.managedObjectModel
        third = nil
        #expect(OpenStoreThing.entity().managedObjectModel === second.managedObjectModel && model != nil)
        for store in second.persistentStores { try second.remove(store) }
        #expect(OpenStoreThing.entity().managedObjectModel === first.managedObjectModel)
        try first.remove(store)
        #expect(OpenStoreThing.entity().managedObjectModel === model)
    }
}
