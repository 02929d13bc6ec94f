import CoreData
import Foundation
import Testing

extension NSManagedObjectModel {
    static var zoo: NSManagedObjectModel {
        let model = self.init()
        model.entities = [.named("Animal")]
        return model
    }
}

extension NSEntityDescription {
    static func named(_ name: String) -> NSEntityDescription {
        let entity = self.init()
        entity.name = name
        return entity
    }
}

extension NSPropertyDescription {
    static func named(_ name: String) -> Self {
        let property = Self()
        property.name = name
        return property
    }
}

extension NSPersistentStoreCoordinator {
    class func zoo() -> Self { self.init(managedObjectModel: .zoo) }
    convenience init(entity: String) {
        self.init(managedObjectModel: NSManagedObjectModel())
        name = entity
    }
}

extension NSManagedObjectContext {
    static func onMain() -> Self { Self(concurrencyType: .mainQueueConcurrencyType) }
    static func background() -> NSManagedObjectContext { self.init(.privateQueue) }
}

extension NSPersistentContainer {
    static var zoo: NSPersistentContainer { self.init(name: "Zoo", managedObjectModel: .zoo) }
}

/// Subclasses with initializers of their own, which repeat none of the superclass's.
private final class NamedCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    let label: String
    init(label: String) {
        self.label = label
        super.init(managedObjectModel: .zoo)
    }
}

private final class ZooModel: NSManagedObjectModel, @unchecked Sendable {
    override init() {
        super.init()
        entities = [.named("Keeper")]
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }
}

private class ZooContainer: NSPersistentContainer, @unchecked Sendable {
    init(label: String) { super.init(name: label, managedObjectModel: .zoo) }
}

/// `self.init(…)` in static members that an application adds to the engine's classes.
struct StaticMembersTests {
    @Test func theClassesAreMadeInStaticMembers() {
        #expect(NSManagedObjectModel.zoo.entities.map(\.name) == ["Animal"])
        #expect(NSPersistentStoreCoordinator.zoo().managedObjectModel.entitiesByName["Animal"] != nil)
        #expect(NSPersistentStoreCoordinator(entity: "Animal").name == "Animal")
        #expect(NSManagedObjectContext.onMain().concurrencyType == .mainQueueConcurrencyType)
        #expect(NSManagedObjectContext.background().concurrencyType == .privateQueueConcurrencyType)
        #expect(NSPersistentContainer.zoo.name == "Zoo")
    }

    @Test func aPropertyIsOfTheKindThatIsAskedForIt() {
        #expect(type(of: NSPropertyDescription.named("a")) == NSPropertyDescription.self)
        #expect(type(of: NSAttributeDescription.named("a")) == NSAttributeDescription.self)
        #expect(type(of: NSDerivedAttributeDescription.named("a")) == NSDerivedAttributeDescription.self)
        #expect(type(of: NSCompositeAttributeDescription.named("a")) == NSCompositeAttributeDescription.self)
        #expect(type(of: NSRelationshipDescription.named("a")) == NSRelationshipDescription.self)
        #expect(type(of: NSFetchedPropertyDescription.named("a")) == NSFetchedPropertyDescription.self)
        #expect(type(of: NSExpressionDescription.named("a")) == NSExpressionDescription.self)
        #expect(NSAttributeDescription.named("weight").name == "weight")
    }

    @Test func subclassesHaveInitializersOfTheirOwn() {
        #expect(NamedCoordinator(label: "x").label == "x")
        #expect(ZooModel().entities.map(\.name) == ["Keeper"])
        #expect(ZooContainer(label: "Zoo").managedObjectModel.entities.count == 1)
    }
}
