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
        var mother: Dog?

        convenience init(of mother: Dog) { self.init(of: mother, on: Date(timeIntervalSinceReferenceDate: 5)) }

        init(of mother: Dog, on birthday: Date) {
            self.birthday = birthday
            self.mother = mother
            super.init(name: "Puppy of \(mother.name)", breed: nil)
            age = 0
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
            for: Kennel.Animal.self, Kennel.Dog.self, Kennel.Puppy.self,
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
}
#endif
