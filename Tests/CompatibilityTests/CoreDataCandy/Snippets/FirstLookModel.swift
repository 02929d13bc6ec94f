import CoreDataCandy
import TestSupport
import Testing

// The classes that the example of the library's page takes for granted.

class PersonEntity: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    static let ageProperty = ManagedProperty<Int16>("age")
    static let petsProperty = ManagedProperty<NSSet?>("pets")

    var name: String? {
        get { self[PersonEntity.nameProperty] }
        set { self[PersonEntity.nameProperty] = newValue }
    }

    var age: Int16 {
        get { self[PersonEntity.ageProperty] }
        set { self[PersonEntity.ageProperty] = newValue }
    }

    var pets: NSSet? {
        get { self[PersonEntity.petsProperty] }
        set { self[PersonEntity.petsProperty] = newValue }
    }
}

class PetEntity: NSManagedObject {}

extension PetEntity: DatabaseEntity {}

struct Pet: DatabaseModel {
    typealias Entity = PetEntity
    let _entityWrapper: EntityWrapper<PetEntity>

    init(entity: PetEntity) {
        _entityWrapper = .init(entity: entity)
    }
}

@Suite struct FirstLookTests {
    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        person.managedObjectClassName = NSStringFromClass(PersonEntity.self)
        let pet = NSEntityDescription()
        pet.name = "Pet"
        pet.managedObjectClassName = NSStringFromClass(PetEntity.self)
        person.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("age", .integer16AttributeType, default: 0),
            LibraryModel.relationship("pets", to: pet, toMany: true, rule: .nullifyDeleteRule),
        ]
        pet.properties = [LibraryModel.relationship("owner", to: person, rule: .nullifyDeleteRule)]
        LibraryModel.pair(person, "pets", pet, "owner")
        let model = NSManagedObjectModel()
        model.entities = [person, pet]
        return model
    }

    @Test func theExampleOfThePageRuns() throws {
        let stack = try TestStack(model: Self.model())
        #expect(try stack.inContext(adults(in:)) == ["Candy"])
        #expect(try stack.sqlite("SELECT ZNAME, ZAGE FROM ZPERSON") == "Candy|44")
        #expect(try stack.sqlite("SELECT count(*) FROM ZPET WHERE ZOWNER IS NOT NULL") == "1")
    }
}
