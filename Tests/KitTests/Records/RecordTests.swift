import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

@MainActor @Suite struct RecordTests {
    /// Runs a test on a main context of each kind of store.
    private func onEachStore(_ body: (Club) throws -> Void) throws {
        for type in Club.storeTypes { try body(Club(type: type)) }
    }

    @Test func recordsOfTheSameObjectAreEqual() throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        #expect(player == Player(object: player.object))
        #expect(Set([player, Player(object: player.object), try Player.create(in: club.main)]).count == 2)
        try player.save()
        try club.stack.inContext { context in
            let same = try #require(context.existingObject(with: player.object.objectID) as? PlayerEntity)
            #expect(Player(object: same) != player)
        }
    }

    @Test func theDescriptionHasTheValuesOrSaysThatTheyWereNotRead() throws {
        let club = try Club()
        let game = try Game.create(in: club.main)
        try game.set(\.title, to: "Chess")
        #expect(game.debugDescription == "Game(date: nil, title: Chess)")
        try game.save()
        club.main.refresh(game.object, mergeChanges: false)
        #expect(game.debugDescription == "Game(not loaded)")
    }

    @Test func everyTypeOfFieldKeepsItsValue() throws {
        try onEachStore { club in
            let player = try Player.create(in: club.main)
            let joined = Date(timeIntervalSinceReferenceDate: 12345.5)
            let token = UUID()
            let home = try #require(URL(string: "https://example.org/a"))
            try player.set(\.name, to: "Ann")
            try player.set(\.score, to: 300)
            try player.set(\.rank, to: 7)
            try player.set(\.ratio, to: 0.5)
            try player.set(\.isActive, to: true)
            try player.set(\.joined, to: joined)
            try player.set(\.token, to: token)
            try player.set(\.home, to: home)
            try player.save()
            club.main.reset()
            let all = try club.main.fetch(NSFetchRequest<PlayerEntity>(entityName: "Player"))
            let read = Player(object: try #require(all.first))
            let score: Int = read[\.score]
            let rank: Int? = read[\.rank]
            #expect(read[\.name] == "Ann" && score == 300 && rank == 7 && read[\.ratio] == 0.5 && read[\.isActive])
            #expect(read[\.joined] == joined && read[\.token] == token && read[\.home] == home)
            try read.set(\.rank, to: nil)
            try read.toggle(\.isActive)
            #expect(read[\.rank] == nil && !read[\.isActive])
        }
    }

    @Test func aDefaultIsReadAndNotWritten() throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        defer { withExtendedLifetime(club) {} }
        #expect(player[\.city] == "Nowhere" && player.object.city == nil)
        try player.set(\.city, to: "Bonn")
        #expect(player[\.city] == "Bonn" && player.object.city == "Bonn")
    }

    @Test func aNumberThatDoesNotFitIsRefused() throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        defer { withExtendedLifetime(club) {} }
        try player.set(\.score, to: 12)
        for number in [Int(Int16.max) + 1, Int.max, -1] {
            #expect(throws: DatabaseError.self) { try player.set(\.score, to: number) }
        }
        #expect(throws: DatabaseError.self) { try player.set(\.rank, to: Int(Int32.min) - 1) }
        #expect(player[\.score] == 12 && player[\.rank] == nil)
    }

    @Test func rulesAreCheckedInOrderAndNamePropertyAndValue() throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        defer { withExtendedLifetime(club) {} }
        try player.set(\.name, to: "Ann")
        let error = #expect(throws: DatabaseError.self) { try player.set(\.name, to: "  ") }
        guard case .validation(let failures) = error, let failure = failures.first else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
        #expect(failure.entity == "Player" && failure.property == "name" && failure.reason.contains("empty"))
        #expect(player[\.name] == "Ann")
        #expect(throws: DatabaseError.self) { try player.check("", for: \.name) }
        try player.check("Bob", for: \.name)
        #expect(player[\.name] == "Ann")
        // nil passes rules about values, but not the one about nil.
        try player.set(\.name, to: nil)
        #expect(throws: DatabaseError.self) { try player.set(\.joined, to: nil) }
    }

    @Test func aUniqueValueIsRefusedToOthers() throws {
        try onEachStore { club in
            let ann = try Player.create(in: club.main)
            let bob = try Player.create(in: club.main)
            try ann.set(\.name, to: "Ann")
            // Unsaved values count, saved ones too; an object's own value does not.
            #expect(throws: DatabaseError.self) { try bob.set(\.name, to: "Ann") }
            try ann.set(\.name, to: "Ann")
            try club.main.save()
            #expect(throws: DatabaseError.self) { try bob.check("Ann", for: \.name) }
            #expect(bob[\.name] == nil)
            try ann.set(\.name, to: nil)
            try bob.set(\.name, to: nil)
            try bob.set(\.name, to: "Ann")
            let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            child.parent = club.main
            let other = try Player.create(in: child)
            #expect(throws: DatabaseError.self) { try other.set(\.name, to: "Ann") }
        }
    }

    @Test func anObjectWithoutContextCanNotBeToldToBeUnique() throws {
        let model = ClubModel.make()
        let entity = try #require(model.entitiesByName["Player"])
        defer { withExtendedLifetime(model) {} }
        let player = Player(object: PlayerEntity(entity: entity, insertInto: nil))
        #expect(throws: DatabaseError.self) { try player.set(\.name, to: "Ann") }
    }

    @Test func codableValuesAreKeptAsData() throws {
        try onEachStore { club in
            let player = try Player.create(in: club.main)
            #expect(try player[\.avatar] == nil && player[\.shownAvatar].width == 0)
            try player.set(\.avatar, to: Avatar(width: 3, letters: ["a"]))
            try player.save()
            club.main.refresh(player.object, mergeChanges: false)
            #expect(try player[\.avatar] == Avatar(width: 3, letters: ["a"]))
            try player.set(\.avatar, to: nil)
            #expect(player.object.avatar == nil)
        }
    }

    @Test func whatCanNotBeDecodedIsAnErrorOrTheFallback() throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        defer { withExtendedLifetime(club) {} }
        player.object.avatar = Data("no json".utf8)
        let error = #expect(throws: DatabaseError.self) { try player[\.avatar] }
        #expect("\(try #require(error))".contains("Player.avatar"))
        #expect(player[\.shownAvatar] == Avatar(width: 0, letters: []))
        #expect(player.object.avatar == Data("no json".utf8))
    }

    @Test func rawValuesAreKept() throws {
        let club = try Club()
        let player = try Player.create(in: club.main)
        defer { withExtendedLifetime(club) {} }
        #expect(try player[\.kind] == nil && player[\.shownKind] == .other)
        try player.set(\.kind, to: .keeper)
        #expect(player.object.kind == "keeper" && player[\.shownKind] == .keeper)
        player.object.kind = "referee"
        #expect(throws: DatabaseError.self) { try player[\.kind] }
        #expect(player[\.shownKind] == .other)
    }

    @Test func aClassThatTheModelDoesNotHaveIsRefused() throws {
        let stack = try TestStack()
        stack.inContext { context in
            _ = #expect(throws: DatabaseError.self) { _ = try Player.create(in: context) }
        }
    }

    @Test func savingGoesUpToTheStore() throws {
        let club = try Club()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = club.main
        try Player.create(in: child).save()
        #expect(!child.hasChanges && !club.main.hasChanges)
        #expect(try club.stack.sqlite("SELECT count(*) FROM ZPLAYER") == "1")
    }
}
