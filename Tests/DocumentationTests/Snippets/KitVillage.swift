import OpenCoreDataKit
import TestSupport

/// The classes of the examples about queries.
final class Village: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")

    var name: String {
        get { self[Village.nameProperty] }
        set { self[Village.nameProperty] = newValue }
    }
}

final class Villager: NSManagedObject {
    static let numberProperty = ManagedProperty<Int64>("number")
    static let nameProperty = ManagedProperty<String>("name")
    static let ageProperty = ManagedProperty<Int32>("age")
    static let tradeProperty = ManagedProperty<String?>("trade")
    static let villageProperty = ManagedProperty<Village?>("village")

    var number: Int64 {
        get { self[Villager.numberProperty] }
        set { self[Villager.numberProperty] = newValue }
    }

    var name: String {
        get { self[Villager.nameProperty] }
        set { self[Villager.nameProperty] = newValue }
    }

    var age: Int32 {
        get { self[Villager.ageProperty] }
        set { self[Villager.ageProperty] = newValue }
    }

    var trade: String? {
        get { self[Villager.tradeProperty] }
        set { self[Villager.tradeProperty] = newValue }
    }

    var village: Village? {
        get { self[Villager.villageProperty] }
        set { self[Villager.villageProperty] = newValue }
    }
}

enum VillageModel {
    static func make() -> NSManagedObjectModel {
        let village = NSEntityDescription()
        village.name = "Village"
        village.managedObjectClassName = NSStringFromClass(Village.self)
        village.properties = [LibraryModel.attribute("name", .stringAttributeType, optional: false, default: "")]
        village.uniquenessConstraints = [["name"]]
        let villager = NSEntityDescription()
        villager.name = "Villager"
        villager.managedObjectClassName = NSStringFromClass(Villager.self)
        villager.properties = [
            LibraryModel.attribute("number", .integer64AttributeType, default: 0),
            LibraryModel.attribute("name", .stringAttributeType, optional: false, default: ""),
            LibraryModel.attribute("age", .integer32AttributeType, default: 0),
            LibraryModel.attribute("trade", .stringAttributeType),
            LibraryModel.relationship("village", to: village, rule: .nullifyDeleteRule),
        ]
        villager.uniquenessConstraints = [["number"]]
        let model = NSManagedObjectModel()
        model.entities = [village, villager]
        return model
    }
}
