#if Publishers
import CoreDataCandy
import TestSupport
import Testing

/// What a publisher tells.
final class Heard<Value> {
    var values: [Value] = []
    var isOver = false
    private var subscription: AnyCancellable?

    init(_ publisher: AnyPublisher<Value, Never>) {
        subscription = publisher.sink { [weak self] _ in
            self?.isOver = true
        } receiveValue: { [weak self] in
            self?.values.append($0)
        }
    }

    func cancel() { subscription?.cancel() }
}

@Suite struct FieldPublisherTests {
    // Feature CANDY-17
    @Test(arguments: StoreKind.allCases) func assignmentsAreTold(_ kind: StoreKind) throws {
        try kind.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            try context.save()
            let names = Heard(player.publisher(for: \.name))
            #expect(names.values == ["Zerator"])
            player.assign("Maghla", to: \.name)
            context.processPendingChanges()
            #expect(names.values == ["Zerator", "Maghla"])
            // What is no change of the field is not told.
            player.assign(3, to: \.score)
            context.processPendingChanges()
            player.assign(" ", to: \.name)
            context.processPendingChanges()
            try context.save()
            #expect(names.values == ["Zerator", "Maghla"])
            player.assign(nil, to: \.name)
            context.processPendingChanges()
            #expect(names.values == ["Zerator", "Maghla", nil])
            #expect(!names.isOver)
        }
    }

    // Feature CANDY-17
    @Test(arguments: StoreKind.allCases) func mergesAndRefreshesAreTold(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        let context = stack.context()
        let other = stack.context()
        let player = try context.performAndWait { () throws in
            let player = Player("Zerator", in: context)
            try context.save()
            return player
        }
        let names = context.performAndWait { Heard(player.publisher(for: \.name)) }
        let id = try other.performAndWait { () throws in
            let entity = try #require(try PlayerEntity.request().first().fetch(in: other))
            entity.name = "Maghla"
            try other.save()
            return entity.objectID
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [id]], into: [context])
        context.performAndWait { context.processPendingChanges() }
        #expect(names.values == ["Zerator", "Maghla"])
        context.performAndWait {
            player.assign("Unsaved", to: \.name)
            context.processPendingChanges()
            context.rollback()
            context.processPendingChanges()
        }
        #expect(names.values == ["Zerator", "Maghla", "Unsaved", "Maghla"])
    }

    // Feature CANDY-17
    @Test func aDeletionEnds() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            try context.save()
            let names = Heard(player.publisher(for: \.name))
            player.remove()
            context.processPendingChanges()
            #expect(names.values == ["Zerator"])
            #expect(names.isOver)
        }
    }

    // Feature CANDY-17
    @Test func theContextsEndEnds() throws {
        let stack = try StoreKind.sqlite.stack()
        var context: NSManagedObjectContext? = stack.context()
        let names = try #require(
            context.map { context in
                context.performAndWait { Heard(Player("x", in: context).publisher(for: \.name)) }
            })
        #expect(!names.isOver)
        context = nil
        #expect(names.isOver)
        #expect(names.values == ["x"])
    }

    // Feature CANDY-17
    @Test func acancelledSubscriptionHearsNothing() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let names = Heard(player.publisher(for: \.name))
            names.cancel()
            player.assign("Maghla", to: \.name)
            context.processPendingChanges()
            #expect(names.values == ["Zerator"])
            #expect(!names.isOver)
        }
    }

    // Feature CANDY-17
    @Test func publishersAreReadAsSequences() async throws {
        let stack = try StoreKind.sqlite.stack()
        let context = stack.context()
        let player = context.performAndWait { Player("Zerator", in: context) }
        var iterator = player.publisher(for: \.name).values.makeAsyncIterator()
        #expect(await iterator.next() == "Zerator")
        context.performAndWait {
            player.remove()
            context.processPendingChanges()
        }
        #expect(await iterator.next() == nil)
    }

    // Feature CANDY-17
    @Test func convertedFieldsAreTold() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let avatars = Heard(player.publisher(for: \.avatar))
            player.assign(.placeholder, to: \.avatar)
            context.processPendingChanges()
            player.assign(.placeholder, to: \.avatar)
            context.processPendingChanges()
            #expect(avatars.values == [nil, .placeholder])
        }
    }

    // Feature CANDY-18
    @Test(arguments: StoreKind.allCases) func childrenAreToldWhenTheyComeGoAndMove(_ kind: StoreKind) throws {
        try kind.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let games = ["a", "b"].map { Game($0, in: context) }
            let members = Heard(player.publisher(for: \.games))
            let ordered = Heard(player.publisher(for: \.favorites))
            for game in games {
                player.add(game, to: \.games)
                player.add(game, to: \.favorites)
                context.processPendingChanges()
            }
            #expect(members.values.map(Set.init) == [[], [games[0]], Set(games)])
            #expect(ordered.values == [[], [games[0]], games])
            player.swapElements(at: 0, 1, in: \.favorites)
            player.remove(games[0], from: \.games)
            context.processPendingChanges()
            #expect(members.values.last == [games[1]])
            #expect(ordered.values.last == games.reversed())
            games[1].assign("c", to: \.title)
            context.processPendingChanges()
            #expect(members.values.count == 4)
            #expect(ordered.values.count == 4)
        }
    }

    // Feature CANDY-18
    @Test func sortedChildrenFollowTheirSortKeys() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let day = Date(timeIntervalSinceReferenceDate: 0)
            let player = Player("Zerator", in: context)
            let games = [Game("a", date: day + 2, in: context), Game("b", date: day + 1, in: context)]
            for game in games { player.add(game, to: \.games) }
            try context.save()
            let sorted = Heard(player.publisher(for: \.games, sortedBy: .ascending(\.date)))
            let several = Heard(player.publisher(for: \.games, sortedBy: .ascending(\.score), .descending(\.title)))
            #expect(sorted.values == [[games[1], games[0]]])
            #expect(several.values == [[games[1], games[0]]])
            games[0].assign(day, to: \.date)
            context.processPendingChanges()
            #expect(sorted.values == [[games[1], games[0]], games])
            #expect(several.values.count == 1)
            player.add(Game("c", in: context), to: \.games)
            context.processPendingChanges()
            #expect(sorted.values.last?.mapCurrent(\.title) == ["a", "b", "c"])
            #expect(several.values.last?.mapCurrent(\.title) == ["c", "b", "a"])
        }
    }

    // Feature CANDY-17
    @Test func parentsAreTold() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let player = Player("Zerator", in: context)
            let game = Game("a", in: context)
            let parents = Heard(game.publisher(for: \.player))
            player.add(game, to: \.games)
            context.processPendingChanges()
            #expect(parents.values == [nil, player])
        }
    }
}
#endif
