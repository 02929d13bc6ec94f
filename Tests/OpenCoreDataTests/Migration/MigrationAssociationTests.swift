import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What a migration manager says of objects that came from others, when they were made in another order than they are
/// read.
@Suite struct MigrationAssociationTests {
    private static let peopleCount = 5

    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "AssociatedPerson"
        entity.properties = [MigrationModels.attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func makeStore(in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("People.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<peopleCount {
                let person = NSEntityDescription.insertNewObject(forEntityName: "AssociatedPerson", into: context)
                person.setValue("person \(number)", forKey: "name")
            }
            try context.save()
        }
        try coordinator.remove(store)
        return url
    }

    @Test(arguments: [ReversingPolicy.self, RepeatingPolicy.self] as [AssociatingPolicy.Type])
    func associationsAreFoundWhateverTheOrder(_ policy: AssociatingPolicy.Type) throws {
        let folder = try TemporaryFolder()
        let url = try Self.makeStore(in: folder)
        policy.register()
        let mapping = NSEntityMapping()
        mapping.name = "People"
        mapping.mappingType = .customEntityMappingType
        mapping.sourceEntityName = "AssociatedPerson"
        mapping.destinationEntityName = "AssociatedPerson"
        mapping.entityMigrationPolicyClassName = String(describing: policy)
        let mappings = NSMappingModel()
        mappings.entityMappings = [mapping]
        let manager = NSMigrationManager(sourceModel: Self.model(), destinationModel: Self.model())
        let log = CheckCount()
        manager.userInfo = ["log": log]
        try manager.migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: mappings,
            toDestinationURL: folder.file("New.sqlite"),
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        #expect(log.checks == policy.orders(Self.peopleCount).count)
    }
}

/// How many associations were looked up.
private final class CheckCount {
    var checks = 0
}

/// Makes the destination objects when all source objects are known, in orders of its own, and looks every one up.
class AssociatingPolicy: NSEntityMigrationPolicy {
    private var sources: [NSManagedObject] = []

    /// The places of the source objects, in the order in which destination objects are made for them.
    class func orders(_ count: Int) -> [Int] { [] }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        sources.append(sInstance)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        var made: [(source: NSManagedObject, destination: NSManagedObject)] = []
        for index in Self.orders(sources.count) {
            let copy = NSEntityDescription.insertNewObject(
                forEntityName: "AssociatedPerson", into: manager.destinationContext)
            copy.setValue(sources[index].value(forKey: "name"), forKey: "name")
            manager.associate(sourceInstance: sources[index], withDestinationInstance: copy, for: mapping)
            made.append((sources[index], copy))
        }
        for (source, destination) in made {
            let found = manager.destinationInstances(forEntityMappingName: "People", sourceInstances: [source])
            #expect(found == made.filter { $0.source === source }.map(\.destination))
            #expect(
                manager.sourceInstances(forEntityMappingName: "People", destinationInstances: [destination]) == [source]
            )
            (manager.userInfo?["log"] as? CheckCount)?.checks += 1
        }
        let all = manager.destinationInstances(forEntityMappingName: "People", sourceInstances: nil)
        #expect(all == made.map(\.destination))
    }
}

/// From the last object to the first.
private final class ReversingPolicy: AssociatingPolicy {
    override class func orders(_ count: Int) -> [Int] { (0..<count).reversed() }
}

/// Each object twice in a row, and then all of them once more.
private final class RepeatingPolicy: AssociatingPolicy {
    override class func orders(_ count: Int) -> [Int] { (0..<count).flatMap { [$0, $0] } + (0..<count) }
}
