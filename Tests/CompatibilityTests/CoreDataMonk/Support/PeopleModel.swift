import CoreDataMonk
import TestSupport

/// The model of the library's own examples: people with a name, an age and a place, and who is whose friend.
enum PeopleModel {
    /// The configurations "InMemory" and "Database" share no entity.
    static func make() -> NSManagedObjectModel {
        let person = entity("Person", Person.self)
        let student = entity("Student", Student.self)
        let note = entity("Note", Note.self)
        let visit = entity("Visit", Visit.self)
        let creature = entity("Creature", Creature.self)
        creature.isAbstract = true
        person.properties = [
            LibraryModel.attribute("name", .stringAttributeType, optional: false),
            LibraryModel.attribute("age", .integer32AttributeType),
            LibraryModel.attribute("location", .stringAttributeType),
            LibraryModel.attribute("title", .stringAttributeType),
            LibraryModel.attribute("height", .doubleAttributeType),
            LibraryModel.attribute("born", .dateAttributeType),
            LibraryModel.attribute("isMember", .booleanAttributeType, default: false),
            LibraryModel.relationship("friend", to: person, rule: .nullifyDeleteRule),
            LibraryModel.relationship("admirers", to: person, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("friends", to: person, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("friendOf", to: person, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("notes", to: note, toMany: true, rule: .cascadeDeleteRule),
        ]
        student.properties = [LibraryModel.attribute("school", .stringAttributeType)]
        person.subentities = [student]
        note.properties = [
            LibraryModel.attribute("text", .stringAttributeType, default: "empty"),
            LibraryModel.relationship("person", to: person, rule: .nullifyDeleteRule),
        ]
        visit.properties = [LibraryModel.attribute("page", .stringAttributeType)]
        creature.properties = [LibraryModel.attribute("legs", .integer16AttributeType)]
        LibraryModel.pair(person, "friend", person, "admirers")
        LibraryModel.pair(person, "friends", person, "friendOf")
        LibraryModel.pair(person, "notes", note, "person")
        let model = NSManagedObjectModel()
        model.entities = [person, student, note, visit, creature]
        model.setEntities([visit], forConfigurationName: "InMemory")
        model.setEntities([person, student, note], forConfigurationName: "Database")
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

class Person: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    static let ageProperty = ManagedProperty<Int?>("age")
    static let locationProperty = ManagedProperty<String?>("location")
    static let titleProperty = ManagedProperty<String?>("title")
    static let heightProperty = ManagedProperty<Double?>("height")
    static let bornProperty = ManagedProperty<Date?>("born")
    static let isMemberProperty = ManagedProperty<Bool>("isMember")
    static let friendProperty = ManagedProperty<Person?>("friend")
    static let friendsProperty = ManagedProperty<Set<Person>>("friends")
    static let notesProperty = ManagedProperty<Set<Note>>("notes")

    var name: String? {
        get { self[Person.nameProperty] }
        set { self[Person.nameProperty] = newValue }
    }

    var age: Int? {
        get { self[Person.ageProperty] }
        set { self[Person.ageProperty] = newValue }
    }

    var location: String? {
        get { self[Person.locationProperty] }
        set { self[Person.locationProperty] = newValue }
    }

    var title: String? {
        get { self[Person.titleProperty] }
        set { self[Person.titleProperty] = newValue }
    }

    var height: Double? {
        get { self[Person.heightProperty] }
        set { self[Person.heightProperty] = newValue }
    }

    var born: Date? {
        get { self[Person.bornProperty] }
        set { self[Person.bornProperty] = newValue }
    }

    var isMember: Bool {
        get { self[Person.isMemberProperty] }
        set { self[Person.isMemberProperty] = newValue }
    }

    var friend: Person? {
        get { self[Person.friendProperty] }
        set { self[Person.friendProperty] = newValue }
    }

    var friends: Set<Person> {
        get { self[Person.friendsProperty] }
        set { self[Person.friendsProperty] = newValue }
    }

    var notes: Set<Note> {
        get { self[Person.notesProperty] }
        set { self[Person.notesProperty] = newValue }
    }
}

final class Student: Person {
    static let schoolProperty = ManagedProperty<String?>("school")

    var school: String? {
        get { self[Student.schoolProperty] }
        set { self[Student.schoolProperty] = newValue }
    }
}

final class Note: NSManagedObject {
    static let textProperty = ManagedProperty<String?>("text")
    static let personProperty = ManagedProperty<Person?>("person")

    var text: String? {
        get { self[Note.textProperty] }
        set { self[Note.textProperty] = newValue }
    }

    var person: Person? {
        get { self[Note.personProperty] }
        set { self[Note.personProperty] = newValue }
    }
}

/// Kept in memory alone where the model's configurations are used.
final class Visit: NSManagedObject {
    static let pageProperty = ManagedProperty<String?>("page")

    var page: String? {
        get { self[Visit.pageProperty] }
        set { self[Visit.pageProperty] = newValue }
    }
}

final class Creature: NSManagedObject {}

/// A class that no model knows.
final class Stranger: NSManagedObject {}

extension PeopleModel {
    /// Writes the model as an application has it in its bundle.
    static func write(to url: URL) throws {
        try CompiledModelBundle(
            versions: [CompiledModelBundle.Version(name: "People", model: make())], currentVersionName: "People"
        ).write(to: url)
    }
}
