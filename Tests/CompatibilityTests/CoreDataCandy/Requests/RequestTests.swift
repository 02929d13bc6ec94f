import CoreDataCandy
import TestSupport
import Testing

/// Requests over stores: targets, orders, settings and results.
@Suite struct RequestTests {
    /// Thirty players named by number, `00` to `29`.
    private static let thirty = (0..<30).map { PlayerRow(name: String(format: "%02d", $0), age: Int16($0)) }

    // Feature CANDY-1
    @Test func conformingIsEnough() throws {
        #expect(PlayerEntity.modelName == "Player")
        #expect(ProfileEntity.modelName == "Profile")
        let names = try StoreKind.sqlite.withPlayers(PlayerRow.streamers) { context throws in
            try PlayerEntity.request().all().sorted(by: \.score).fetch(in: context).map(\.name)
        }
        #expect(names == ["Joueur", nil, "Maghla", "Mister MV", "Zerator"])
    }

    @Test func withoutAContextAFetchThrows() {
        let error = #expect(throws: (any Error).self) { try PlayerEntity.request().all().fetch() }
        #expect(error?.localizedDescription.contains("There is no context to fetch PlayerEntity in.") == true)
        #expect(throws: (any Error).self) { try Player.request().first().fetch() }
    }

    // Feature CANDY-36
    @Test(arguments: StoreKind.allCases) func targetsLimitAndSkip(_ kind: StoreKind) throws {
        try kind.withPlayers(Self.thirty) { context throws in
            func names(_ entities: [PlayerEntity]) -> [String] { entities.compactMap(\.name) }
            let first: PlayerEntity? = try PlayerEntity.request().first().sorted(by: \.name).fetch(in: context)
            #expect(first?.name == "00")
            let ten: [PlayerEntity] = try PlayerEntity.request().first(nth: 10).sorted(by: \.name).fetch(in: context)
            #expect(names(ten) == (0..<10).map { String(format: "%02d", $0) })
            let after = try PlayerEntity.request().first(nth: 3, after: 5).sorted(by: \.name).fetch(in: context)
            #expect(names(after) == ["05", "06", "07"])
            let all: [PlayerEntity] = try PlayerEntity.request().all().fetch(in: context)
            #expect(all.count == 30)
            let rest = try PlayerEntity.request().all(after: 28).sorted(by: \.name).fetch(in: context)
            #expect(names(rest) == ["28", "29"])
            #expect(try PlayerEntity.request().first().where(\.name == "nobody").fetch(in: context) == nil)
            #expect(try PlayerEntity.request().first(nth: 3).where(\.name == "nobody").fetch(in: context).isEmpty)
            #expect(try PlayerEntity.request().all().where(\.name == "nobody").fetch(in: context).isEmpty)
        }
    }

    // Feature CANDY-36
    @Test func oneObjectIsAskedForWhenOneIsWanted() {
        #expect(PlayerEntity.request().first().request.fetchLimit == 1)
        #expect(PlayerEntity.request().first(nth: 4, after: 2).request.fetchLimit == 4)
        #expect(PlayerEntity.request().first(nth: 4, after: 2).request.fetchOffset == 2)
        #expect(PlayerEntity.request().all(after: 7).request.fetchOffset == 7)
        #expect(PlayerEntity.request().all().request.fetchLimit == 0)
    }

    // Feature CANDY-46
    @Test(arguments: StoreKind.allCases) func everyTargetGivesEntitiesAndModels(_ kind: StoreKind) throws {
        try kind.withPlayers(PlayerRow.streamers) { context throws in
            let entity: PlayerEntity? = try PlayerEntity.request().first().where(\.age == 40).fetch(in: context)
            let entities: [PlayerEntity] = try PlayerEntity.request().first(nth: 2).fetch(in: context)
            let allEntities: [PlayerEntity] = try PlayerEntity.request().all().fetch(in: context)
            let model: Player? = try Player.request().first().where(\.age == 40).fetch(in: context)
            let models: [Player] = try Player.request().first(nth: 2).fetch(in: context)
            let allModels: [Player] = try Player.request().all().fetch(in: context)
            #expect(entity?.name == "Mister MV")
            #expect(entities.count == 2)
            #expect(allEntities.count == 5)
            #expect(model == entity.map(Player.init))
            #expect(models.count == 2)
            #expect(Set(allModels) == Set(allEntities.map(Player.init)))
            #expect(try Player.request().first().where(\.age == 99).fetch(in: context) == nil)
        }
    }

    // Feature CANDY-35
    @Test func aBuilderContinuedTwiceIsTwoRequests() throws {
        let start = Player.request().all().where(\.age >= 20)
        let young = start.and(\.age < 30).sorted(by: \.name)
        let active = start.and(\.isActive).setting(\.fetchLimit, to: 1)
        #expect(start.request.predicate?.predicateFormat == "age >= 20")
        #expect(young.request.predicate?.predicateFormat == "age >= 20 AND age < 30")
        #expect(active.request.predicate?.predicateFormat.hasPrefix("age >= 20 AND isActive == ") == true)
        #expect(start.request.sortDescriptors == nil)
        #expect(young.request.fetchLimit == 0)
        #expect(active.request.fetchLimit == 1)
        #expect(start.request !== start.request)
    }

    // Feature CANDY-45
    @Test func settingsReachTheRequest() {
        let settings = Player.request().first(nth: 3)
            .setting(\.returnsDistinctResults, to: true)
            .where(\.age == 20).setting(\.fetchBatchSize, to: 20)
            .sorted(by: \.age).setting(\.includesSubentities, to: false)
            .request
        #expect(settings.returnsDistinctResults)
        #expect(settings.fetchBatchSize == 20)
        #expect(!settings.includesSubentities)
        #expect(settings.fetchLimit == 3)
    }

    // Feature CANDY-45
    @Test func aSettingThatHidesPendingChangesIsObeyed() throws {
        try StoreKind.sqlite.withPlayers(PlayerRow.streamers) { context throws in
            PlayerRow(name: "New").insert(into: context)
            let request = Player.request().all().where(\.name == "New")
            #expect(try request.fetch(in: context).count == 1)
            #expect(try request.setting(\.includesPendingChanges, to: false).fetch(in: context).isEmpty)
        }
    }

    // Feature CANDY-44
    @Test(arguments: StoreKind.allCases) func sortsDecideInTurn(_ kind: StoreKind) throws {
        try kind.withPlayers(PlayerRow.streamers) { context throws in
            func names(_ builder: RequestBuilder<PlayerEntity, SortStep, [PlayerEntity]>) throws -> [String?] {
                try builder.fetch(in: context).map(\.name)
            }
            let all = PlayerEntity.request().all()
            #expect(
                try names(all.sorted(by: \.age).then(by: \.name))
                    == [nil, "Joueur", "Maghla", "Zerator", "Mister MV"])
            #expect(
                try names(all.sorted(by: .ascending, \.age).then(by: .descending, \.name))
                    == [nil, "Maghla", "Joueur", "Zerator", "Mister MV"])
            #expect(
                try names(all.sorted(by: .descending(\.age), .ascending(\.name)))
                    == ["Mister MV", "Zerator", "Joueur", "Maghla", nil])
            // A missing value comes first in a store.
            #expect(
                try names(all.sorted(by: \.ratio).then(by: .descending(\.name)))
                    == [nil, "Zerator", "Mister MV", "Joueur", "Maghla"])
            #expect(
                try names(all.where(\.age >= 20).sorted(by: .descending, \.score))
                    == ["Zerator", "Mister MV", "Maghla", "Joueur"])
        }
    }

    // Feature CANDY-44
    @Test(arguments: StoreKind.allCases) func textsAreSortedByAComparison(_ kind: StoreKind) throws {
        let rows = ["b", "A", "B", "a10", "a9"].map { PlayerRow(name: $0) }
        try kind.withPlayers(rows) { context throws in
            let all = PlayerEntity.request().all()
            #expect(try all.sorted(by: \.name).fetch(in: context).map(\.name) == ["A", "B", "a10", "a9", "b"])
            let natural = all.sorted(by: .ascending, \.name, comparison: .localizedStandard).then(by: \.name)
            #expect(try natural.fetch(in: context).map(\.name).prefix(3) == ["A", "a9", "a10"])
            let folded = all.sorted(by: .ascending(\.name, comparison: .caseInsensitive), .descending(\.name))
            #expect(try folded.fetch(in: context).map(\.name) == ["A", "a10", "a9", "b", "B"])
        }
    }

    // Feature CANDY-34
    @Test func theDefaultContextIsUsedWhenNoneIsGiven() throws {
        let other = try StoreKind.memory.stack()
        try StoreKind.sqlite.withPlayers(PlayerRow.streamers) { context throws in
            try DefaultContext.$current.withValue(context) { () throws in
                #expect(try Player.request().all().fetch().count == 5)
                #expect(try PlayerEntity.request().first().where(\.age == 40).fetch()?.name == "Mister MV")
                // One that is given wins.
                #expect(try Player.request().all().fetch(in: other.context()).isEmpty)
                // So does one that a type has of its own.
                #expect(try Loner.request().all().fetch(in: context).count == 5)
                #expect(Loner.context == nil)
            }
        }
    }

    // Feature CANDY-34
    @Test func aMissingContextIsNamed() {
        let error = #expect(throws: (any Error).self) { _ = try Loner.request().all().fetch() }
        let said = error?.localizedDescription ?? ""
        #expect(said.contains("There is no context to fetch Loner in."))
        #expect(said.contains("static var context: NSManagedObjectContext?"))
    }
}

/// A model without a default context.
private struct Loner: DatabaseModel {
    static var context: NSManagedObjectContext? { nil }

    let _entityWrapper: EntityWrapper<PlayerEntity>

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }
}
