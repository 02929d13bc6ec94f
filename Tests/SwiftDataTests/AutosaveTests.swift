#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

import class CoreDataEngine.UndoManager

private enum Shop {
    @Model final class Owner {
        var name: String
        @Relationship(deleteRule: .deny, inverse: \Pet.owner) var pets: [Pet] = []
        init(name: String) { self.name = name }
    }

    @Model final class Pet {
        var name: String
        var owner: Owner?
        init(name: String, owner: Owner? = nil) {
            self.name = name
            self.owner = owner
        }
    }

    /// Can't be written below zero.
    struct Price: Codable, Equatable {
        var cents: Int

        func encode(to encoder: any Encoder) throws {
            if cents < 0 { throw Refusal() }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(cents, forKey: .cents)
        }

        private enum CodingKeys: CodingKey { case cents }
    }
    struct Refusal: Error {}

    @Model final class Toy {
        var price: Price
        init(price: Price) { self.price = price }
    }
}

/// What the main context saves by itself.
@MainActor
struct AutosaveTests {
    private typealias Owner = Shop.Owner
    private typealias Pet = Shop.Pet
    private typealias Toy = Shop.Toy

    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let main: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Owner.self, Toy.self, configurations: ModelConfiguration(url: folder.file("shop.store")))
        main = container.mainContext
    }

    private func count<T: PersistentModel>(_ type: T.Type) throws -> Int {
        try ModelContext(container).fetchCount(FetchDescriptor<T>())
    }

    private func isSaved(_ condition: () throws -> Bool) async throws -> Bool {
        try await eventually { (try? condition()) ?? false }
    }

    /// An owner whose deletion the pet denies.
    private func makeOwner() throws -> Owner {
        let owner = Owner(name: "Ann")
        main.insert(Pet(name: "Rex", owner: owner))
        try main.save()
        return owner
    }

    @Test func whatFailedIsTriedAgainWithTheNextChange() async throws {
        let owner = try makeOwner()
        main.delete(owner)
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(main.hasChanges)
        // The pet goes, too, and nothing is wrong any more.
        let pet = try #require(try main.fetch(FetchDescriptor<Pet>()).first)
        main.delete(pet)
        #expect(try await isSaved { try count(Owner.self) == 0 })
        try main.save()
        main.insert(Owner(name: "Bob"))
        #expect(try await isSaved { try count(Owner.self) == 1 })
    }

    @Test func theNextSaveThrowsWhatIsStillWrongAndNothingElse() async throws {
        let owner = try makeOwner()
        main.delete(owner)
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(throws: (any Error).self) { try main.save() }
        main.rollback()
        try main.save()
        main.insert(Pet(name: "Tom"))
        #expect(try await isSaved { try count(Pet.self) == 2 })
    }

    @Test func aValueThatCanBeSavedTakesTheErrorOfTheFormerAway() async throws {
        let toy = Toy(price: Shop.Price(cents: 1))
        main.insert(toy)
        toy.price.cents = -1
        toy.price = Shop.Price(cents: 2)
        try main.save()
        toy.price.cents = -1
        main.insert(Pet(name: "Rex"))
        #expect(try await isSaved { try count(Pet.self) == 1 })
        #expect(throws: (any Error).self) { try main.save() }
        try main.save()
        let other = Toy(price: Shop.Price(cents: -1))
        main.insert(other)
        main.delete(other)
        try main.save()
        #expect(try count(Toy.self) == 1)
    }

    @Test func undoneAndRedoneChangesAreSaved() async throws {
        main.undoManager = UndoManager()
        let owner = Owner(name: "Ann")
        main.insert(owner)
        main.processPendingChanges()
        #expect(try await isSaved { try count(Owner.self) == 1 })
        owner.name = "Bea"
        main.processPendingChanges()
        #expect(try await isSaved { !main.hasChanges })
        main.undoManager?.undo()
        #expect(owner.name == "Ann")
        #expect(try await isSaved { try ModelContext(container).fetch(FetchDescriptor<Owner>()).first?.name == "Ann" })
        main.undoManager?.redo()
        #expect(try await isSaved { try ModelContext(container).fetch(FetchDescriptor<Owner>()).first?.name == "Bea" })
    }

    @Test func switchingItOnSavesWhatIsChanged() async throws {
        main.autosaveEnabled = false
        main.insert(Owner(name: "Ann"))
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(try count(Owner.self) == 0)
        main.autosaveEnabled = true
        #expect(try await isSaved { try count(Owner.self) == 1 })
    }

    @Test func changesAreSavedOfAContextThatNothingElseHolds() async throws {
        container.mainContext.insert(Owner(name: "Ann"))
        #expect(try await isSaved { try count(Owner.self) == 1 })
    }
}
#endif
