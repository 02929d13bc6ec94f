import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

@MainActor @Suite struct ObjectValuesTests {
    @Test(arguments: Club.storeTypes) func valuesAreToldFromTheFirstOn(type: String) async throws {
        let club = try Club(type: type)
        let player = try Player.create(in: club.main)
        try player.set(\.name, to: "a")
        try club.main.save()
        let ofObject = StreamReader(player.object.values(for: \.name))
        let ofRecord = StreamReader(player.values(for: \.name))
        #expect(await ofObject.next() == "a")
        #expect(await ofRecord.next() == "a")
        try player.set(\.name, to: "b")
        club.main.processPendingChanges()
        // An equal value, and a change of something else, are no news.
        try player.set(\.score, to: 5)
        try club.main.save()
        try player.set(\.name, to: "c")
        try club.main.save()
        #expect(await ofObject.next() == "b")
        #expect(await ofObject.next() == "c")
        #expect(await ofRecord.next() == "b")
        #expect(await ofRecord.next() == "c")
        club.main.delete(player.object)
        try club.main.save()
        #expect(await ofObject.next() == nil)
        #expect(await ofRecord.next() == nil)
    }

    @Test(arguments: Club.storeTypes) func mergesRefreshesAndRollbacksAreTold(type: String) async throws {
        let club = try Club(type: type)
        let player = try Player.create(in: club.main)
        try player.set(\.score, to: 1)
        try club.main.save()
        let scores = StreamReader(player.values(for: \.score))
        #expect(await scores.next() == 1)
        let background = club.stack.context()
        let log = NotificationLog(background, [.NSManagedObjectContextDidSave])
        func change(_ score: Int) throws {
            try background.performAndWait {
                let same = try #require(background.existingObject(with: player.object.objectID) as? PlayerEntity)
                try Player(object: same).set(\.score, to: score)
                try background.save()
            }
        }
        try change(2)
        club.main.mergeChanges(fromContextDidSave: try #require(log.entries.last?.notification))
        #expect(await scores.next() == 2)
        try player.set(\.score, to: 3)
        club.main.processPendingChanges()
        club.main.rollback()
        #expect(await scores.next() == 3)
        #expect(await scores.next() == 2)
        try change(4)
        club.main.refresh(player.object, mergeChanges: true)
        club.main.processPendingChanges()
        #expect(await scores.next() == 4)
        club.main.reset()
        #expect(await scores.next() == nil)
    }

    @Test func relatedRecordsAreTold() async throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        let team = try Team.create(in: club.main)
        let teams = StreamReader(player.values(for: \.team))
        #expect(await teams.next() == .some(nil))
        try player.set(\.team, to: team)
        club.main.processPendingChanges()
        #expect(await teams.next() == team)
        club.main.delete(team.object)
        try club.main.save()
        #expect(await teams.next() == .some(nil))
    }

    @Test func valuesThatAreDecodedMayBeErrors() async throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        let kinds = StreamReader(player.values(for: \.kind))
        #expect(try await kinds.next()?.get() == .some(nil))
        player.object.kind = "referee"
        club.main.processPendingChanges()
        let result = await kinds.next()
        #expect(throws: DatabaseError.self) { try result?.get() }
    }

    @Test func aStreamEndsWithTheContext() async throws {
        var club: Club? = try Club()
        let values: AsyncStream<String?>
        do {
            let main = try #require(club?.main)
            values = try Player.create(in: main).values(for: \.name)
        }
        club = nil
        var count = 0
        for await _ in values { count += 1 }
        #expect(count == 1)
    }

    @Test func anObjectWithoutContextHasOneValue() async throws {
        let model = ClubModel.make()
        let entity = try #require(model.entitiesByName["Player"])
        defer { withExtendedLifetime(model) {} }
        let player = PlayerEntity(entity: entity, insertInto: nil)
        player.name = "Ann"
        var names: [String?] = []
        for await name in player.values(for: \.name) { names.append(name) }
        #expect(names == ["Ann"])
    }
}
