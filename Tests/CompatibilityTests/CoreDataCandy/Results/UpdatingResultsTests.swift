import CoreDataCandy
import TestSupport
import Testing

@Suite struct UpdatingResultsTests {
    // Feature CANDY-33
    @Test func theControllerHasRequestAndSorts() throws {
        try StoreKind.sqlite.withPlayers(PlayerRow.streamers) { context throws in
            let request = Player.request().first(nth: 2).where(\.age >= 20).request
            let controller = try #require(
                Player.updateResultsController(
                    sortedBy: .descending(\.age), .ascending(\.name), for: request, in: context))
            #expect(controller.fetchRequest.predicate?.predicateFormat == "age >= 20")
            #expect(controller.fetchRequest.fetchLimit == 2)
            #expect(controller.fetchRequest.sortDescriptors?.map(\.key) == ["age", "name"])
            #expect(controller.fetchRequest.sortDescriptors?.map(\.ascending) == [false, true])
            #expect(request.sortDescriptors == nil)
            #expect(controller.managedObjectContext === context)
            #expect(controller.fetchedObjects == nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.map(\.name) == ["Mister MV", "Zerator"])
            let all = Player.updateResultsController(sortedBy: [.ascending(\.name)], in: context)
            #expect(all?.fetchRequest.entityName == "Player")
        }
    }

    #if Publishers
    // Feature CANDY-32
    @Test(arguments: StoreKind.allCases) func eachChangeGivesOneArray(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        let context = stack.context()
        try context.performAndWait { () throws in
            let maghla = Player("Maghla", in: context)
            try context.save()
            let players = Heard(Player.updatePublisher(sortedBy: .ascending(\.name), in: context))
            func names(_ index: Int) -> [String?]? {
                players.values.indices.contains(index) ? players.values[index].mapCurrent(\.name) : nil
            }
            #expect(players.values == [[maghla]])
            let dan = Player("Dan", in: context)
            context.processPendingChanges()
            #expect(players.values.count == 2)
            #expect(names(1) == ["Dan", "Maghla"])
            dan.assign("Zoe", to: \.name)
            context.processPendingChanges()
            #expect(players.values.count == 3)
            #expect(names(2) == ["Maghla", "Zoe"])
            maghla.remove()
            context.processPendingChanges()
            #expect(players.values.count == 4)
            #expect(names(3) == ["Zoe"])
            try context.save()
            #expect(players.values.count == 4)
            let id = try stack.inContext { other throws in
                let entity = PlayerRow(name: "Abe").insert(into: other)
                try other.save()
                return entity.objectID
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: [id]], into: [context])
            context.processPendingChanges()
            #expect(players.values.count == 5)
            #expect(names(4) == ["Abe", "Zoe"])
            #expect(!players.isOver)
            players.cancel()
            _ = Player("After", in: context)
            context.processPendingChanges()
            #expect(players.values.count == 5)
        }
    }

    // Feature CANDY-32
    @Test func requestsAndAllSpellings() throws {
        try StoreKind.sqlite.withPlayers(PlayerRow.streamers) { context throws in
            let request = Player.request().all().where(\.age == 20).request
            let some = Heard(Player.updatePublisher(sortedBy: .ascending(\.name), for: request, in: context))
            #expect(some.values.map { $0.mapCurrent(\.name) } == [["Joueur", "Maghla"]])
            try DefaultContext.$current.withValue(context) { () throws in
                let spellings = [
                    Player.updatePublisher(sortedBy: .ascending(\.age), .descending(\.name)),
                    Player.updatePublisher(sortingBy: .ascending(\.age), .descending(\.name)),
                    Player.updatePublisher(sortedBy: [.ascending(\.age), .descending(\.name)]),
                    Player.updatePublisher(sortingBy: [.ascending(\.age), .descending(\.name)]),
                ]
                for spelling in spellings {
                    #expect(
                        Heard(spelling).values.map { $0.mapCurrent(\.name) }
                            == [[nil, "Maghla", "Joueur", "Zerator", "Mister MV"]])
                }
            }
        }
    }

    // Feature CANDY-32
    @Test func aMissingContextIsNamed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Lonely.updatePublisher(sortedBy: .ascending(\.name))
        }
        #expect(said(result).contains("There is no context to fetch Lonely in."))
    }

    // Feature CANDY-32
    @Test func noSortIsAnError() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Player.updatePublisher(sortedBy: [])
        }
        #expect(said(result).contains("Updating results of Player need at least one sort."))
    }
    #endif
}

/// A model without a default context.
private struct Lonely: DatabaseModel {
    static var context: NSManagedObjectContext? { nil }

    let _entityWrapper: EntityWrapper<PlayerEntity>

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }
}
