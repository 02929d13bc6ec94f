#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

private protocol Named: PersistentModel {
    var name: String { get set }
}

private enum Register {
    @Model final class Person: Named {
        var name: String
        @Relationship(inverse: \Pet.owner) var pets: [Pet] = []
        init(name: String) { self.name = name }
    }

    @Model final class Pet: Named {
        var name: String
        var age = 0
        var owner: Person?
        /// It is no property of the store, though it reads one only.
        var rank: Int { age > 2 ? 0 : age }
        init(name: String, owner: Person?) {
            self.name = name
            self.owner = owner
        }
    }
}

/// What programs write for any class of models.
private struct Repository<T: PersistentModel> {
    let context: ModelContext

    func all(_ predicate: Predicate<T>? = nil, _ order: [SortDescriptor<T>] = []) throws -> [T] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
    }

    func with(_ identifiers: [PersistentIdentifier]) throws -> [T] {
        try all(#Predicate { identifiers.contains($0.persistentModelID) })
    }
}

extension Repository where T: Named {
    func named(_ name: String) throws -> [T] { try all(#Predicate { $0.name == name }) }
    func containing(_ text: String) throws -> [String] {
        try all(#Predicate { $0.name.localizedStandardContains(text) }, [SortDescriptor(\.name)]).map(\.name)
    }
    func others(than model: T) throws -> [T] {
        let (identifier, name) = (model.persistentModelID, model.name)
        return try all(#Predicate { $0.persistentModelID != identifier && $0.name != name })
    }
}

struct GenericModelTests {
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func functionsOverAnyClassFindTheirModels(inMemory: Bool) throws {
        let folder = try TemporaryFolder()
        let configuration =
            inMemory ? ModelConfiguration(isStoredInMemoryOnly: true) : ModelConfiguration(url: folder.file("a.store"))
        let context = ModelContext(try ModelContainer(for: Register.Person.self, configurations: configuration))
        let (ann, bob) = (Register.Person(name: "Ann"), Register.Person(name: "Bob"))
        context.insert(ann)
        context.insert(bob)
        for name in ["Rex", "Ann", "\u{c9}t\u{e9}"] { context.insert(Register.Pet(name: name, owner: ann)) }
        try context.save()
        let people = Repository<Register.Person>(context: context)
        let pets = Repository<Register.Pet>(context: context)
        #expect(try people.named("Ann") == [ann])
        #expect(try pets.named("Ann").map(\.owner) == [ann])
        #expect(try pets.containing("ETE") == ["\u{c9}t\u{e9}"])
        #expect(try people.containing("b") == ["Bob"])
        #expect(try people.others(than: ann) == [bob])
        #expect(try people.with([bob.persistentModelID]) == [bob])
        let owner = ann.id
        // A constant that leads to the whole model of the store is no reason to look through it.
        #expect(try pets.all(#Predicate { $0.owner?.id == owner && $0.persistentModelID != owner }).count == 3)
        #expect(try pets.all(#Predicate { $0.owner?.hasChanges == false && $0.owner?.id == owner }).count == 3)
    }

    @Test func computedPropertiesThatReadOnePropertyAreEvaluated() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Register.Person.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        for age in 0..<5 {
            let pet = Register.Pet(name: "\(age)", owner: nil)
            pet.age = age
            context.insert(pet)
        }
        try context.save()
        let pets = Repository<Register.Pet>(context: context)
        #expect(try pets.all(#Predicate { $0.rank > 0 }, [SortDescriptor(\.name)]).map(\.age) == [1, 2])
        let byRank = [SortDescriptor(\Register.Pet.rank, order: .reverse), SortDescriptor(\.name)]
        #expect(try pets.all(nil, byRank).map(\.age) == [2, 1, 0, 3, 4])
    }

    @Test func modelsThatAConditionDeletesBeforeTheyAreSavedStayReadable() throws {
        let context = ModelContext(
            try ModelContainer(
                for: Register.Person.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
        let (ann, rex) = (Register.Person(name: "Ann"), Register.Pet(name: "Rex", owner: nil))
        rex.owner = ann
        context.insert(rex)
        try context.delete(model: Register.Pet.self, where: #Predicate { $0.name == "Rex" })
        #expect(rex.modelContext == nil && rex.name == "Rex")
        try context.save()
        #expect(rex.name == "Rex" && ann.pets.isEmpty)
        #expect(try context.fetchCount(FetchDescriptor<Register.Pet>()) == 0)
    }
}
#endif
