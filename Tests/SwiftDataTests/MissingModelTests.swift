#if Macros
import Foundation
@testable import SwiftData
import TestSupport
import Testing

private enum Home {
    @Model final class Owner {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
        init(name: String) { self.name = name }
    }

    @Model final class Pet {
        var name: String
        var owner: Owner
        var friend: Friend
        init(name: String, owner: Owner, friend: Friend) {
            self.name = name
            self.owner = owner
            self.friend = friend
        }
    }

    @Model final class Friend {
        var name: String
        var best: Owner
        @Relationship(inverse: \Pet.friend) var pets: [Pet] = []
        init(name: String, best: Owner) {
            self.name = name
            self.best = best
        }
    }
}

/// Models that a property's type promises, and that are gone.
struct MissingModelTests {
    private typealias Owner = Home.Owner
    private typealias Pet = Home.Pet
    private typealias Friend = Home.Friend

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Owner.self, configurations: ModelConfiguration(url: folder.file("home.store")))
        context = ModelContext(container)
        let owner = Owner(name: "Ann")
        context.insert(Pet(name: "Rex", owner: owner, friend: Friend(name: "Tom", best: owner)))
        try context.save()
    }

    @Test func aModelThatIsToBeDeletedIsStillRead() throws {
        let pet = try #require(try context.fetch(FetchDescriptor<Pet>()).first)
        let friend = pet.friend
        context.delete(friend)
        context.processPendingChanges()
        #expect(pet.friend === friend && pet.friend.name == "Tom")
        #expect(throws: (any Error).self) { try context.save() }
        #expect(pet.friend.name == "Tom")
        context.rollback()
        #expect(pet.friend === friend)
        try context.save()
    }

    @Test func modelsThatAreDeletedTogetherStayReadable() throws {
        let owner = try #require(try context.fetch(FetchDescriptor<Owner>()).first)
        let pet = try #require(owner.pets.first)
        let friend = pet.friend
        context.delete(owner)
        context.delete(friend)
        context.processPendingChanges()
        #expect(pet.owner.name == "Ann" && pet.friend.name == "Tom")
        try context.save()
        #expect(pet.modelContext == nil && owner.modelContext == nil)
        #expect(pet.owner.name == "Ann" && pet.friend.name == "Tom" && pet.name == "Rex")
        #expect(friend.best.name == "Ann")
    }

    @Test func aRowWithoutModelHasOneThatStandsForIt() throws {
        try SQLiteShell.run("UPDATE ZPET SET ZOWNER = NULL, ZFRIEND = NULL", on: folder.file("home.store"))
        let fresh = ModelContext(container)
        let pet = try #require(try fresh.fetch(FetchDescriptor<Pet>()).first)
        #expect(pet.owner.name.isEmpty && pet.owner.pets.isEmpty && pet.owner.modelContext == nil)
        #expect(pet.friend.best.name.isEmpty)
        #expect(pet.owner === pet.owner)
        pet.name = "Max"
        #expect(throws: (any Error).self) { try fresh.save() }
        let owner = Owner(name: "Bob")
        pet.owner = owner
        pet.friend = Friend(name: "Tim", best: owner)
        try fresh.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Pet>()).first?.owner.name == "Bob")
    }

    @Test func aModelThatStandsForNoneIsNoneElsewhere() throws {
        try SQLiteShell.run("UPDATE ZPET SET ZOWNER = NULL", on: folder.file("home.store"))
        let fresh = ModelContext(container)
        let pet = try #require(try fresh.fetch(FetchDescriptor<Pet>()).first)
        let friend = pet.friend
        friend.best = pet.owner
        #expect(throws: (any Error).self) { try fresh.save() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Owner>()) == 1)
    }

    // MARK: Deletion

    @Test func membersThatComeToLifeDuringADeletionLeaveTheContext() throws {
        let fresh = ModelContext(container)
        let owner = try #require(try fresh.fetch(FetchDescriptor<Owner>()).first)
        fresh.delete(owner)
        try fresh.save()
        #expect(owner.modelContext == nil)
        #expect(owner.pets.map(\.name) == ["Rex"])
        #expect(owner.pets.allSatisfy { $0.modelContext == nil && $0.owner === owner })
    }

    @Test func newModelsThatGoWithTheirOwnerLeaveTheContext() throws {
        let fresh = ModelContext(container)
        let owner = Owner(name: "Bob")
        let pet = Pet(name: "Max", owner: owner, friend: Friend(name: "Tim", best: owner))
        fresh.insert(pet)
        #expect(owner.pets == [pet])
        fresh.delete(owner)
        #expect(owner.modelContext == nil && owner.name == "Bob" && owner.pets == [pet])
        fresh.delete(pet.friend)
        try fresh.save()
        #expect(pet.modelContext == nil && pet.name == "Max" && pet.owner.name == "Bob" && pet.friend.name == "Tim")
        #expect(try ModelContext(container).fetch(FetchDescriptor<Pet>()).map(\.name) == ["Rex"])
    }

    @Test func deletedModelsDoNotKeepEachOther() throws {
        weak var owner: Owner?
        weak var pet: Pet?
        weak var kept: ModelContext?
        do {
            let fresh = ModelContext(container)
            let found = try #require(try fresh.fetch(FetchDescriptor<Owner>()).first)
            owner = found
            pet = found.pets.first
            kept = fresh
            fresh.delete(found)
            try #require(pet.map { fresh.delete($0.friend) })
            try fresh.save()
            #expect(found.pets.count == 1 && pet != nil)
        }
        #expect(owner == nil && pet == nil && kept == nil)
    }
}
#endif
