import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

@MainActor @Suite struct RecordRelationshipTests {
    private func names(_ players: [Player]) -> [String?] { players.map { $0[\.name] } }

    private func players(_ names: String..., in context: NSManagedObjectContext) throws -> [Player] {
        try names.map { name in
            let player = try Player.create(in: context)
            try player.set(\.name, to: name)
            return player
        }
    }

    @Test(arguments: Club.storeTypes) func theInverseFollows(type: String) throws {
        let club = try Club(type: type)
        let player = try players("Ann", in: club.main)[0]
        let game = try Game.create(in: club.main)
        let team = try Team.create(in: club.main)
        try team.set(\.city, to: "Bonn")
        #expect(player[\.games].isEmpty && player[\.team]?[\.city] == nil)
        try player.add(game, to: \.games)
        try player.add(game, to: \.games)
        try player.set(\.team, to: team)
        #expect(player[\.games] == [game] && game[\.player] == player)
        #expect(player[\.team]?[\.city] == "Bonn" && team[\.players] == [player])
        try player.save()
        try player.remove(game, from: \.games)
        try team.remove(player, from: \.players)
        #expect(player[\.games].isEmpty && game[\.player] == nil && player[\.team] == nil && !game.object.isDeleted)
        try game.set(\.player, to: player)
        #expect(player[\.games] == [game])
        try player.set(\.games, to: [])
        #expect(game[\.player] == nil)
    }

    @Test func recordsOfDifferentContextsAreNotRelated() throws {
        let club = try Club()
        let player = try players("Ann", in: club.main)[0]
        let team = try Team.create(in: club.main)
        try club.stack.inContext { context in
            let game = try Game.create(in: context)
            let other = try Player.create(in: context)
            #expect(throws: DatabaseError.self) { try player.add(game, to: \.games) }
            #expect(throws: DatabaseError.self) { try player.remove(game, from: \.games) }
            #expect(throws: DatabaseError.self) { try player.set(\.games, to: [game]) }
            #expect(throws: DatabaseError.self) { try game.set(\.player, to: player) }
            #expect(throws: DatabaseError.self) { try team.insert(other, at: 0, in: \.order) }
            #expect(throws: DatabaseError.self) { try team.add(other, to: \.order) }
        }
        #expect(player[\.games].isEmpty && team[\.order].isEmpty)
    }

    @Test(arguments: Club.storeTypes) func anOrderIsKept(type: String) throws {
        let club = try Club(type: type)
        let team = try Team.create(in: club.main)
        let all = try players("a", "b", "c", "d", in: club.main)
        for player in all { try team.add(player, to: \.order) }
        #expect(names(team[\.order]) == ["a", "b", "c", "d"])
        try team.move(from: 0, to: 2, in: \.order)
        #expect(names(team[\.order]) == ["b", "c", "a", "d"])
        try team.swap(0, 3, in: \.order)
        #expect(names(team[\.order]) == ["d", "c", "a", "b"])
        #expect(try team.remove(at: 1, from: \.order) == all[2])
        try team.insert(all[2], at: 0, in: \.order)
        #expect(names(team[\.order]) == ["c", "d", "a", "b"])
        try team.insert(all[1], at: 0, in: \.order)
        try team.add(all[3], to: \.order)
        #expect(names(team[\.order]) == ["b", "c", "d", "a"])
        try team.remove(all[2], from: \.order)
        try team.save()
        club.main.reset()
        let read = try club.main.fetch(NSFetchRequest<TeamEntity>(entityName: "Team")).map(Team.init)
        #expect(names(try #require(read.first)[\.order]) == ["b", "d", "a"])
        #expect(try names(#require(read.first)[\.order, sortedBy: SortDescriptor(\.name)]) == ["a", "b", "d"])
    }

    @Test func placesThatAreNotThereAreRefused() throws {
        let club = try Club()
        let team = try Team.create(in: club.main)
        let all = try players("a", "b", in: club.main)
        try team.set(\.order, to: all)
        #expect(throws: DatabaseError.self) { try team.insert(all[0], at: 2, in: \.order) }
        #expect(throws: DatabaseError.self) { try team.insert(all[0], at: -1, in: \.order) }
        #expect(throws: DatabaseError.self) { try team.remove(at: 2, from: \.order) }
        #expect(throws: DatabaseError.self) { try team.move(from: 0, to: 2, in: \.order) }
        #expect(throws: DatabaseError.self) { try team.swap(-1, 0, in: \.order) }
        #expect(throws: DatabaseError.self) { try team.swap(0, 1, in: \.players) }
        #expect(team[\.order] == all)
    }

    @Test func membersAreToldWhenTheyComeGoOrChangePlaces() async throws {
        let club = try Club()
        let player = try players("Ann", in: club.main)[0]
        let byTitle = StreamReader(player.values(for: \.games, sortedBy: SortDescriptor(\.title)))
        let plain = StreamReader(player.values(for: \.games))
        #expect(await byTitle.next() == [])
        #expect(await plain.next() == [])
        let games = try ["b", "a"].map { title in
            let game = try Game.create(in: club.main)
            try game.set(\.title, to: title)
            try player.add(game, to: \.games)
            return game
        }
        try club.main.save()
        #expect(await byTitle.next() == [games[1], games[0]])
        #expect(await Set(plain.next() ?? []) == Set(games))
        try games[1].set(\.title, to: "z")
        try club.main.save()
        #expect(await byTitle.next() == games)
        try player.remove(games[0], from: \.games)
        try club.main.save()
        #expect(await byTitle.next() == [games[1]])
        #expect(await plain.next() == [games[1]])
        club.main.delete(player.object)
        try club.main.save()
        #expect(await byTitle.next() == nil)
        #expect(await plain.next() == nil)
    }
}
