import CoreDataCandy
import TestSupport
import Testing

extension EntityWrapper {
    /// Found only if the library doesn't show its own.
    fileprivate var entity: NotOffered { NotOffered() }
}

@Suite struct ModelTests {
    // Feature CANDY-2
    @Test func structsAndClassesAreModels() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let entity = ProfileEntity(context: context)
            entity.text = "Hello"
            let profile = Profile(entity: entity)
            let player = Player("Zerator", in: context)
            #expect(profile.current(\.text) == "Hello")
            #expect(player.current(\.name) == "Zerator")
        }
    }

    // Feature CANDY-2
    @Test func theEntityIsHidden() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            #expect(type(of: player._entityWrapper.entity) == NotOffered.self)
        }
    }

    // Feature CANDY-2
    @Test func makingAModelFetchesNothing() throws {
        try StoreKind.sqlite.withPlayers(PlayerRow.streamers) { context throws in
            let entity = try #require(try PlayerEntity.request().first().fetch(in: context))
            context.refresh(entity, mergeChanges: false)
            let player = Player(entity: entity)
            #expect(entity.isFault)
            #expect(player == Player(entity: entity))
            #expect(entity.isFault)
        }
    }

    // Feature CANDY-3
    @Test func modelsOfOneObjectAreEqual() throws {
        let stack = try StoreKind.sqlite.stack()
        try stack.inContext { context throws in
            let entity = PlayerRow(name: "Zerator").insert(into: context)
            let other = Player("Maghla", in: context)
            try context.save()
            #expect(Player(entity: entity) == Player(entity: entity))
            #expect(Player(entity: entity) != other)
            let counts = [Player(entity: entity): 1, other: 2]
            #expect(counts[Player(entity: entity)] == 1)
            #expect(Set([Player(entity: entity), Player(entity: entity), other]).count == 2)
            let elsewhere = stack.context()
            let same = try Player.request().first().where(\.name == "Zerator").fetch(in: elsewhere)
            #expect(same != nil)
            #expect(same != Player(entity: entity))
        }
    }

    // Feature CANDY-3
    @Test func theDescriptionTellsTheValuesOrThatTheyAreNotThere() throws {
        try StoreKind.sqlite.withPlayers([PlayerRow(name: "Zerator", score: 3)]) { context throws in
            let entity = try #require(try PlayerEntity.request().first().fetch(in: context))
            let player = Player(entity: entity)
            #expect(player.current(\.score) == 3)
            #expect(player.debugDescription.hasPrefix("Player ("))
            #expect(player.debugDescription.contains("name: Zerator"))
            #expect(player.debugDescription.contains("score: 3"))
            #expect(player.debugDescription.contains("avatar: nil"))
            context.refresh(entity, mergeChanges: false)
            #expect(player.debugDescription == "Player (data: fault)")
            #expect(entity.isFault)
        }
    }

    // Feature CANDY-4
    @Test(arguments: StoreKind.allCases) func removingDeletesWithoutSaving(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        try stack.inContext { context throws in
            for row in PlayerRow.streamers { row.insert(into: context) }
            try context.save()
            let player = try #require(try Player.request().first().where(\.age == 40).fetch(in: context))
            player.remove()
            #expect(try Player.request().all().fetch(in: context).count == 4)
            #expect(context.hasChanges)
            #expect(try Player.request().all().fetch(in: stack.context()).count == 5)
            try context.save()
            #expect(try Player.request().all().fetch(in: stack.context()).count == 4)
        }
    }

    // Feature CANDY-4
    @Test func removingWithoutAContextDoesNothing() throws {
        let stack = try StoreKind.memory.stack()
        let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Player"])
        let loose = PlayerEntity(entity: entity, insertInto: nil)
        Player(entity: loose).remove()
        #expect(!loose.isDeleted)
    }

    // Feature CANDY-20
    @Test func readingOverCollections() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let one = Player("One", score: 3, in: context)
            let two = Player(nil, score: 4, in: context)
            one.add(Game("Chess", in: context), to: \.games)
            two.add(Game("Go", in: context), to: \.games)
            #expect([one, two].mapCurrent(\.score) == [3, 4])
            #expect([one, two].compactMapCurrent(\.name) == ["One"])
            #expect([one, two].flatMapCurrent(\.games).mapCurrent(\.title) == ["Chess", "Go"])
            #expect([Game("Chess", in: context), Game("Go", in: context)].flatMapCurrent(\.title) == Array("ChessGo"))
        }
    }
}
