#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private enum Kennel {
    enum Size: String, Codable { case small, large }

    struct Place: Codable, Equatable { var city: String }

    @Model class Animal {
        var name: String
        var age: Int = 1
        init(name: String) { self.name = name }
    }

    @Model class Dog: Animal {
        var breed: String
        var tricks: [String] = []
        var size: Size?
        var place = Place(city: "Bonn")
        var weight: Double = 10
        var friends: [Animal] = []
        @Transient var note = ""
        var puppies: [Puppy] = []

        init(name: String, breed: String?, tricks: [String] = [], size: Size? = nil, friends: [Animal] = []) {
            if let breed {
                self.breed = breed
            } else {
                self.breed = "unknown"
            }
            (self.tricks, self.size) = (tricks, size)
            place = Place(city: "Oslo")
            self.friends = friends
            note = "new"
            super.init(name: name)
            self.breed += "!"
            weight = 20
        }
    }

    @Model final class Puppy: Dog {
        var birthday: Date
        @Relationship(inverse: \Kennel.Dog.puppies) var mother: Dog?

        convenience init(of mother: Dog) { self.init(of: mother, on: Date(timeIntervalSinceReferenceDate: 5)) }

        init(of mother: Dog, on birthday: Date) {
            self.birthday = birthday
            self.mother = mother
            super.init(name: "Puppy of \(mother.name)", breed: nil)
            age = 0
        }
    }

    class Thing {
        let label: String
        init() { label = "thing" }
    }

    @Model final class Toy: Thing {
        var color: String
        var size: Int = 1
        var length: Int

        init(color: String) {
            // A local variable is no property.
            var size = 5
            if !color.isEmpty { size = 6 }
            self.color = color
            length = size
            super.init()
        }

        init(red size: Int) {
            if size > 3 {
                let color = "dark red"
                self.color = color
            } else {
                color = "red"
            }
            self.size = size
            length = 0
            super.init()
        }
    }
}

/// Initializers of subclasses as Swift has them for stored properties: own ones first, then those of the superclass.
struct EarlyAssignmentTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Kennel.Animal.self, Kennel.Dog.self, Kennel.Puppy.self, Kennel.Toy.self,
            configurations: ModelConfiguration(url: folder.file("kennel.store")))
    }

    @Test func valuesThatWereSetBeforeTheSuperclassAreThere() throws {
        let friend = Kennel.Animal(name: "Tom")
        let dog = Kennel.Dog(name: "Rex", breed: "Collie", tricks: ["sit"], size: .large, friends: [friend])
        #expect(dog.name == "Rex" && dog.breed == "Collie!" && dog.tricks == ["sit"] && dog.size == .large)
        #expect(dog.place == Kennel.Place(city: "Oslo") && dog.weight == 20 && dog.age == 1 && dog.note == "new")
        let puppy = Kennel.Puppy(of: dog)
        #expect(puppy.name == "Puppy of Rex" && puppy.mother === dog && puppy.breed == "unknown!" && puppy.age == 0)
        let context = ModelContext(container)
        context.insert(puppy)
        #expect(dog.modelContext === context && friend.modelContext === context)
        try context.save()

        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<Kennel.Puppy>()).first)
        #expect(found.birthday == Date(timeIntervalSinceReferenceDate: 5) && found.tricks.isEmpty && found.size == nil)
        let mother = try #require(found.mother)
        #expect(mother.breed == "Collie!" && mother.tricks == ["sit"] && mother.size == .large)
        #expect(mother.place == Kennel.Place(city: "Oslo") && mother.friends.map(\.name) == ["Tom"])
        found.breed = "Beagle"
        found.tricks.append("jump")
        try other.save()
        let third = try #require(try ModelContext(container).fetch(FetchDescriptor<Kennel.Puppy>()).first)
        #expect(third.breed == "Beagle" && third.tricks == ["jump"])
    }

    @Test func aModelThatIsAssignedEarlyTakesTheNewOneIntoItsContext() throws {
        let context = ModelContext(container)
        let mother = Kennel.Dog(name: "Rex", breed: "Collie")
        context.insert(mother)
        let puppy = Kennel.Puppy(of: mother)
        #expect(puppy.modelContext === context && puppy.name == "Puppy of Rex" && puppy.age == 0)
        #expect(mother.puppies == [puppy])
        try context.save()
        let found = try #require(try ModelContext(container).fetch(FetchDescriptor<Kennel.Puppy>()).first)
        #expect(found.mother?.name == "Rex" && found.mother?.puppies == [found] && found.breed == "unknown!")
        #expect(found.birthday == Date(timeIntervalSinceReferenceDate: 5))
    }

    @Test func localVariablesAreNoProperties() throws {
        let context = ModelContext(container)
        for toy in [Kennel.Toy(color: "blue"), Kennel.Toy(red: 2), Kennel.Toy(red: 4)] { context.insert(toy) }
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<Kennel.Toy>(sortBy: [SortDescriptor(\.size)]))
        #expect(found.map(\.color) == ["blue", "red", "dark red"] && found.map(\.size) == [1, 2, 4])
        #expect(found.map(\.length) == [6, 0, 0] && found.map(\.label) == ["thing", "thing", "thing"])
    }
}
#endif
