// The code blocks of the library's own document, in its order, with these edits: `feth` is `fetch`, `fetch` has its
// `try`, `validateAndassign` is `validateAndAssign`, `\.ascending(.name)` is `.ascending(\.name)`, `on self` has its
// colon, `Player.request` its parentheses, `as: UIImage` its `.self`, the default context is static; `.range` is on a
// score that is an integer. `@NSManaged` properties are the accessors of Support/PlayerEntities.swift. `UIImage` is an
// own class off Apple's platforms, whose coding is what the document's example means to be.
import CoreDataCandy
import TestSupport
import Testing

#if canImport(UIKit)
import UIKit
#else
/// An image of one color.
final class UIImage {
    let storeColor: StoreColor
    init(with storeColor: StoreColor) { self.storeColor = storeColor }
    static var placeholder: UIImage { UIImage(with: StoreColor(red: 0, green: 0, blue: 0)) }
}

struct StoreColor: Codable, Equatable {
    let red: Double
    let green: Double
    let blue: Double
}

extension UIImage: Codable {
    enum StoreCodingKeys: CodingKey {
        case storeColor
    }

    convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: StoreCodingKeys.self)
        let storeColor = try container.decode(StoreColor.self, forKey: .storeColor)
        self.init(with: storeColor)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: StoreCodingKeys.self)
        try container.encode(storeColor, forKey: .storeColor)
    }
}

/// A view that shows a text or an image.
final class LabelView {
    var text: String? = ""
    var image: UIImage?
}
#endif

#if !canImport(UIKit)
/// The document's models.
enum Seed {
    struct Player: DatabaseModel {
        public let _entityWrapper: EntityWrapper<PlayerEntity>

        let name = UniqueField(\.name, validations: .notEmpty)
        let score = Field(\.score)  // Int
        let age = Field(\.age, validations: .isIn(18...24))
        let lastGame = Field(\.lastGame)  //  Date?
        let avatar = Field(\.avatar, as: UIImage.self)  // UIImage?
        let games = Children(\.games, as: Game.self)

        init(entity: PlayerEntity) {
            _entityWrapper = .init(entity: entity)
            // perform additional code on the entity if needed
        }
    }

    struct Game: DatabaseModel {
        let _entityWrapper: EntityWrapper<GameEntity>

        let score = Field(\.duration)  // Double
        let player = Parent(\.player, as: Player.self)

        init(entity: GameEntity) {
            _entityWrapper = .init(entity: entity)
        }
    }

    struct Defaults: DatabaseModel {
        let _entityWrapper: EntityWrapper<PlayerEntity>

        let name = Field(\.name, default: "John")  // output: String
        let avatager = Field(\.avatar, as: UIImage.self, default: .placeholder)  // output: UIImage

        init(entity: PlayerEntity) {
            _entityWrapper = .init(entity: entity)
        }
    }

    struct Unique: DatabaseModel {
        let _entityWrapper: EntityWrapper<PlayerEntity>

        let name = UniqueField(\.name)

        init(entity: PlayerEntity) {
            _entityWrapper = .init(entity: entity)
        }
    }

    struct Validated: DatabaseModel {
        let _entityWrapper: EntityWrapper<PlayerEntity>

        // name: String?
        let name1 = Field(\.name, validations: .notEmpty)
        let name2 = Field(\.name, validations: .hasPrefix("Do"))
        let name3 = Field(\.name, validations: .hasPrefix("Do"), .contains("remi"))

        let score = Field(\.score, validations: .range(100...1000))

        init(entity: PlayerEntity) {
            _entityWrapper = .init(entity: entity)
        }
    }
}

@Suite struct SeedExamplesTests {
    private let day = Date(timeIntervalSinceReferenceDate: 0)

    /// Runs a test in a context that is the default one, with the streamers saved.
    private func run(_ kind: StoreKind, _ test: (NSManagedObjectContext) throws -> Void) throws {
        try kind.withPlayers(PlayerRow.streamers) { context throws in
            try DefaultContext.$current.withValue(context) { () throws in try test(context) }
        }
    }

    @Test(arguments: StoreKind.allCases) func overview(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let first = try Seed.Player.request()
                .first()
                .where(\.name == "Zerator")
                .fetch(in: context)  // output: Player?

            let adults = try Seed.Player.request()
                .all(after: 1)
                .where(\.age, .isIn(18...70))
                .sorted(by: \.age)
                .then(by: \.name)
                .fetch(in: context)  // output: [Player]

            let some = try Seed.Player.request()
                .first(nth: 3)
                .where(\.name, .isIn("Zerator", "Mister MV", "Maghla"))
                .or(\.age == 20)
                .setting(\.returnsDistinctResults, to: true)  // set additional properties
                .fetch(in: context)  // output: [Player]

            #expect(first?.current(\.score) == 4000)
            #expect(adults.mapCurrent(\.name) == ["Joueur", "Maghla", "Zerator", "Mister MV"])
            #expect(some.count == 3)
        }
    }

    @Test(arguments: StoreKind.allCases) func currentValues(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let player = try #require(try Seed.Player.request().first().where(\.age == 40).fetch())
            let entity = GameEntity(context: context)
            entity.duration = 1.5
            let game = Seed.Game(entity: entity)
            player.add(game, to: \.games)
            player.assign(.placeholder, to: \.avatar)

            let name: String? = player.current(\.name)
            let score: Int = player.current(\.score)
            let avatar: UIImage? = player.current(\.avatar)
            let games: [Seed.Game] = player.current(\.games)
            let playersName: String? = game.current(\.player, \.name)
            let gamesScore: Double = game.current(\.score)

            #expect(name == "Mister MV")
            #expect(score == 2500)
            #expect(avatar?.storeColor == UIImage.placeholder.storeColor)
            #expect(games == [game])
            #expect(playersName == "Mister MV")
            #expect(gamesScore == 1.5)
        }
    }

    @Test(arguments: StoreKind.allCases) func writing(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let player = try #require(try Seed.Player.request().first().where(\.age == 20).fetch())
            var newName = "Dan"
            player.assign(newName, to: \.name)
            #expect(player.current(\.name) == "Dan")

            newName = "Jane"
            try player.validate(newName, for: \.name)
            #expect(player.current(\.name) == "Dan")

            try player.validateAndAssign(newName, to: \.name)
            #expect(player.current(\.name) == "Jane")
            #expect(throws: CoreDataCandyError.self) { try player.validate("Zerator", for: \.name) }
        }
    }

    @Test(arguments: StoreKind.allCases) func relationships(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let player = try #require(try Seed.Player.request().first().fetch())
            let game = Seed.Game(entity: GameEntity(context: context))
            player.add(game, to: \.games)
            #expect(player.current(\.games) == [game])
            try player.save()
        }
    }

    @Test(arguments: StoreKind.allCases) func advancedMapping(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let entity = try #require(try PlayerEntity.request().first().where(\.name == nil).fetch())
            let player = Seed.Defaults(entity: entity)
            let name: String = player.current(\.name)
            let avatar: UIImage = player.current(\.avatager)
            #expect(name == "John")
            #expect(avatar.storeColor == UIImage.placeholder.storeColor)
            player.assign(UIImage(with: StoreColor(red: 1, green: 0.5, blue: 0)), to: \.avatager)
            #expect(Seed.Player(entity: entity).current(\.avatar)?.storeColor.green == 0.5)

            let unique = Seed.Unique(entity: entity)
            #expect(throws: CoreDataCandyError.self) { try unique.assign("Zerator", to: \.name).get() }

            let validated = Seed.Validated(entity: entity)
            #expect(throws: CoreDataCandyError.self) { try validated.assign("", to: \.name1).get() }
            #expect(throws: CoreDataCandyError.self) { try validated.assign("La", to: \.name2).get() }
            #expect(throws: CoreDataCandyError.self) { try validated.assign("Dofa", to: \.name3).get() }
            #expect(throws: CoreDataCandyError.self) { try validated.assign(99, to: \.score).get() }
            try validated.assign("Doremi", to: \.name3).get()
            try validated.assign(1000, to: \.score).get()
        }
    }

    @Test(arguments: StoreKind.allCases) func targets(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            // fetch all player entities (mapped with the 'Player' database model)
            let all: [Seed.Player] = try Seed.Player.request().all().fetch()

            // fetch the first player entity (mapped with the 'Player' database model)
            let first: Seed.Player? = try Seed.Player.request().first().fetch()

            // fetch the first 10th player entities (mapped with the 'Player' database model)
            let ten: [Seed.Player] = try Seed.Player.request().first(nth: 10).fetch()

            #expect(all.count == 5)
            #expect(first != nil)
            #expect(ten.count == 5)
        }
    }

    @Test(arguments: StoreKind.allCases) func predicates(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let named = Seed.Player.request()
                .first()
                .where(\.name == "Zerator")

            let prefixed = Seed.Player.request()
                .first()
                .where(\.name, .hasPrefix("Z"))

            let adults = Seed.Player.request()
                .all()
                .where(\.age >= 20)

            let good = Seed.Player.request()
                .all()
                .where(\.score, .isIn(1000...5000))

            let listed = Seed.Player.request()
                .first(nth: 10)
                .where(\.name, .isIn("Zerator", "Mister MV", "Maghla"))

            let either = Seed.Player.request()
                .first()
                .where(\.name == "Zerator").or(\.name == "Mister MV")

            let mixed = Seed.Player.request()
                .all()
                .where(\.age >= 20).and(\.name, .hasSuffix("or")).or(\.score < 20)

            #expect(try named.fetch()?.current(\.name) == "Zerator")
            #expect(try prefixed.fetch()?.current(\.name) == "Zerator")
            #expect(try adults.fetch().count == 4)
            #expect(try good.fetch().count == 2)
            #expect(try listed.fetch().count == 3)
            #expect(try either.fetch() != nil)
            #expect(try Set(mixed.fetch().mapCurrent(\.name)) == ["Zerator", "Joueur"])
        }
    }

    @Test(arguments: StoreKind.allCases) func sorting(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let byScore = try Seed.Player.request()
                .all()
                .where(\.age >= 20)
                .sorted(by: .ascending, \.score)
                .fetch()

            let byAge = try Seed.Player.request()
                .all()
                .where(\.name, isIn: ["Zerator", "Mister MV", "Maghla"])
                .sorted(by: .descending, \.age).then(by: .ascending, \.name)
                .fetch()

            #expect(byScore.mapCurrent(\.score) == [10, 900, 2500, 4000])
            #expect(byAge.mapCurrent(\.name) == ["Mister MV", "Zerator", "Maghla"])
        }
    }

    #if Publishers
    @Test(arguments: StoreKind.allCases) func publishedValues(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let player = try #require(try Seed.Player.request().first().where(\.age == 40).fetch())
            let label = LabelView()
            let avatarView = LabelView()
            var subscriptions: Set<AnyCancellable> = []

            player.publisher(for: \.name)
                .assign(to: \.text, on: label)
                .store(in: &subscriptions)

            player.publisher(for: \.avatar)
                .assign(to: \.image, on: avatarView)
                .store(in: &subscriptions)

            #expect(label.text == "Mister MV")
            player.assign("Dan", to: \.name)
            player.assign(.placeholder, to: \.avatar)
            context.processPendingChanges()
            #expect(label.text == "Dan")
            #expect(avatarView.image != nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func publishersThatWrite(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let player = try #require(try Seed.Player.request().first().where(\.age == 20).fetch())
            let newName = "Dan"
            var subscriptions: Set<AnyCancellable> = []
            var completions = 0

            Just(newName)
                .assign(to: \.name, on: player)
                .sink(
                    receiveCompletion: { completion in
                        completions += 1
                    }, receiveValue: { _ in }
                )
                .store(in: &subscriptions)

            Just(newName)
                .validate(for: \.name, on: player)
                .sink(
                    receiveCompletion: { completion in  // can finish with a failure
                        completions += 1
                    }, receiveValue: { _ in }
                )
                .store(in: &subscriptions)

            Just(newName)
                .tryValidateAndAssign(to: \.name, on: player)
                .sink(
                    receiveCompletion: { completion in  // can finish with a failure
                        completions += 1
                    }, receiveValue: { _ in }
                )
                .store(in: &subscriptions)

            #expect(completions == 3)
            #expect(player.current(\.name) == "Dan")
        }
    }

    @Test(arguments: StoreKind.allCases) func publishedRelationshipsAndResults(_ kind: StoreKind) throws {
        try run(kind) { context throws in
            let player = try #require(try Player.request().first().where(\.age == 40).fetch())
            // Subscribe to the player games, sorted by their date
            let games = Heard(player.publisher(for: \.games, sortedBy: .ascending(\.date)))

            // Add a `Game` model to the player `games` relationship
            let game = Game("Chess", date: day, in: context)
            player.add(game, to: \.games)
            context.processPendingChanges()
            #expect(games.values == [[], [game]])

            let players = Heard(Player.updatePublisher(sortedBy: .ascending(\.name)))  // emits [Player]
            #expect(players.values.map(\.count) == [5])
        }
    }
    #endif
}
#endif
