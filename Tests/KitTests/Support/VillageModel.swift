import OpenCoreData
import OpenCoreDataKit
import TestSupport

/// The model of the tests of databases: villagers in houses, and notes that no configuration but their own has.
enum VillageModel {
    static func make() -> NSManagedObjectModel {
        let villager = entity("Villager", Villager.self)
        let house = entity("House", House.self)
        let notice = entity("Notice", Notice.self)
        villager.properties = [
            LibraryModel.attribute("name", .stringAttributeType, optional: false),
            LibraryModel.attribute("age", .integer64AttributeType, default: 0),
            LibraryModel.attribute("street", .stringAttributeType),
            LibraryModel.relationship("house", to: house, rule: .nullifyDeleteRule),
        ]
        house.properties = [
            LibraryModel.attribute("number", .integer64AttributeType, default: 0),
            LibraryModel.relationship("villagers", to: villager, toMany: true, rule: .nullifyDeleteRule),
        ]
        notice.properties = [LibraryModel.attribute("text", .stringAttributeType)]
        LibraryModel.pair(villager, "house", house, "villagers")
        let model = NSManagedObjectModel()
        model.entities = [villager, house, notice]
        model.setEntities([villager, house], forConfigurationName: "Lasting")
        model.setEntities([notice], forConfigurationName: "Passing")
        return model
    }

    /// A later version, with an attribute more; stores of the first can be migrated to it.
    static func makeSecondVersion() -> NSManagedObjectModel {
        let model = make()
        model.entitiesByName["House"]?.properties.append(
            LibraryModel.attribute("color", .stringAttributeType))
        return model
    }

    /// A model that has nothing in common with the others.
    static func makeForeign() -> NSManagedObjectModel {
        let other = NSEntityDescription()
        other.name = "Villager"
        other.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        other.properties = [LibraryModel.attribute("weight", .doubleAttributeType, optional: false)]
        let model = NSManagedObjectModel()
        model.entities = [other]
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

final class Villager: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    static let ageProperty = ManagedProperty<Int64>("age")
    static let streetProperty = ManagedProperty<String?>("street")
    static let houseProperty = ManagedProperty<House?>("house")

    var name: String? {
        get { self[Villager.nameProperty] }
        set { self[Villager.nameProperty] = newValue }
    }

    var age: Int64 {
        get { self[Villager.ageProperty] }
        set { self[Villager.ageProperty] = newValue }
    }

    var street: String? {
        get { self[Villager.streetProperty] }
        set { self[Villager.streetProperty] = newValue }
    }

    var house: House? {
        get { self[Villager.houseProperty] }
        set { self[Villager.houseProperty] = newValue }
    }
}

final class House: NSManagedObject {
    static let numberProperty = ManagedProperty<Int64>("number")
    static let villagersProperty = ManagedProperty<Set<Villager>>("villagers")

    var number: Int64 {
        get { self[House.numberProperty] }
        set { self[House.numberProperty] = newValue }
    }

    var villagers: Set<Villager> {
        get { self[House.villagersProperty] }
        set { self[House.villagersProperty] = newValue }
    }
}

final class Notice: NSManagedObject {
    static let textProperty = ManagedProperty<String?>("text")

    var text: String? {
        get { self[Notice.textProperty] }
        set { self[Notice.textProperty] = newValue }
    }
}
