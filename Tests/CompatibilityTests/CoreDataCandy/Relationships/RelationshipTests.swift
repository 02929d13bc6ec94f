import CoreDataCandy
import TestSupport
import Testing

@Suite struct RelationshipTests {
    // Feature CANDY-15, CANDY-27
    @Test(arguments: StoreKind.allCases) func childrenAreReadAndTheInverseIsSet(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        try stack.inContext { context throws in
            let player = Player("Zerator", in: context)
            #expect(player.current(\.games).isEmpty)
            #expect(player.current(\.favorites).isEmpty)
            let games = ["b", "a", "c"].map { Game($0, in: context) }
            for game in games {
                player.add(game, to: \.games)
                player.add(game, to: \.favorites)
            }
            #expect(Set(player.current(\.games)) == Set(games))
            #expect(player.current(\.favorites) == games)
            #expect(games.allSatisfy { $0.current(\.player) == player })
            #expect(games.allSatisfy { $0.current(\.favoriteOf) == player })
            try context.save()
        }
        try stack.inContext { context throws in
            let player = try #require(try Player.request().first().fetch(in: context))
            #expect(Set(player.current(\.games).mapCurrent(\.title)) == ["a", "b", "c"])
            #expect(player.current(\.favorites).mapCurrent(\.title) == ["b", "a", "c"])
            let games: [Game] = player.current(\.games)
            #expect(games.count == 3)
        }
    }

    // Feature CANDY-16, CANDY-28
    @Test(arguments: StoreKind.allCases) func parentsAndSiblingsAreRead(_ kind: StoreKind) throws {
        try kind.stack().inContext { context throws in
            let player = Player("Zerator", score: 7, in: context)
            let game = Game("Chess", in: context)
            let profile = Profile(entity: ProfileEntity(context: context))
            #expect(game.current(\.player) == nil)
            #expect(game.current(\.player, \.name) == nil)
            #expect(game.current(\.player, \.score) == nil)
            player.add(game, to: \.games)
            let parent: Player? = game.current(\.player)
            let name: String? = game.current(\.player, \.name)
            let score: Int? = game.current(\.player, \.score)
            #expect(parent == player)
            #expect(name == "Zerator")
            #expect(score == 7)
            player.assign(nil, to: \.name)
            #expect(game.current(\.player, \.name) == nil)
            #expect(profile.current(\.player) == nil)
            let entity = try #require(try PlayerEntity.request().first().fetch(in: context))
            entity.profile = try context.fetch(NSFetchRequest<ProfileEntity>(entityName: "Profile")).first
            #expect(profile.current(\.player) == player)
            #expect(player.current(\.profile) == profile)
            #expect(player.current(\.profile, \.text) == "")
        }
    }

    // Feature CANDY-29
    @Test(arguments: StoreKind.allCases) func addingTwiceIsOnceAndRemovingDeletesNothing(_ kind: StoreKind) throws {
        try kind.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let game = Game("Chess", in: context)
            let other = Game("Go", in: context)
            player.add(game, to: \.games)
            player.add(game, to: \.games)
            player.add(other, in: \.games)
            #expect(Set(player.current(\.games)) == [game, other])
            player.add(game, to: \.favorites)
            player.add(other, to: \.favorites)
            player.add(game, to: \.favorites)
            #expect(player.current(\.favorites) == [game, other])
            try context.save()
            player.remove(game, from: \.games)
            player.remove(game, from: \.favorites)
            #expect(player.current(\.games) == [other])
            #expect(player.current(\.favorites) == [other])
            #expect(game.current(\.player) == nil)
            try context.save()
            #expect(try Game.request().all().fetch(in: context).count == 2)
            // One that is not there.
            player.remove(game, from: \.games)
            #expect(player.current(\.games) == [other])
        }
    }

    // Feature CANDY-29
    @Test func aChildOfAnotherContextStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try StoreKind.memory.stack()
            let context = stack.context()
            let other = stack.context()
            let game = other.performAndWait { Game("Chess", in: other) }
            context.performAndWait {
                Player("Zerator", in: context).add(game, to: \.games)
            }
        }
        #expect(said(result).contains("The Game can't be related by 'games' to the Player"))
    }

    // Feature CANDY-30
    @Test(arguments: StoreKind.allCases) func orderedOperations(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        func titles(_ player: Player) -> String { player.current(\.favorites).mapCurrent(\.title).joined() }
        try stack.inContext { context throws in
            let player = Player("Zerator", in: context)
            let games = ["a", "b", "c", "d"].map { Game($0, in: context) }
            player.insert(games[0], at: 0, in: \.favorites)
            player.insert(games[1], at: 0, in: \.favorites)
            player.insert(games[2], at: 1, in: \.favorites)
            player.insert(games[3], at: 3, in: \.favorites)
            #expect(titles(player) == "bcad")
            // One that is there goes to the index.
            player.insert(games[3], at: 0, in: \.favorites)
            #expect(titles(player) == "dbca")
            player.remove(at: 1, from: \.favorites)
            #expect(titles(player) == "dca")
            player.moveElement(at: 0, to: 2, in: \.favorites)
            #expect(titles(player) == "cad")
            player.moveElement(at: 2, to: 1, in: \.favorites)
            #expect(titles(player) == "cda")
            player.swapElements(at: 0, 2, in: \.favorites)
            #expect(titles(player) == "adc")
            #expect(games[1].current(\.favoriteOf) == nil)
            #expect(games[0].current(\.favoriteOf) == player)
            try context.save()
        }
        try stack.inContext { context throws in
            #expect(titles(try #require(try Player.request().first().fetch(in: context))) == "adc")
        }
    }

    // Feature CANDY-30
    @Test func aPlaceThatIsNotThereStops() async {
        let insert = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try StoreKind.memory.stack().inContext { context throws in
                let player = Player("Zerator", in: context)
                player.insert(Game("a", in: context), at: 1, in: \.favorites)
            }
        }
        #expect(said(insert).contains("There is no index 1 among the 0 members of 'favorites' of Player."))
        let move = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try StoreKind.memory.stack().inContext { context throws in
                let player = Player("Zerator", in: context)
                player.add(Game("a", in: context), to: \.favorites)
                player.moveElement(at: 0, to: 1, in: \.favorites)
            }
        }
        #expect(said(move).contains("There is no index 1 among the 1 members of 'favorites' of Player."))
    }
}
