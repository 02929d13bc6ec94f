import Foundation
import OpenCoreDataKit
import TestSupport

/// The model of the tests of lists and records: players with games, in teams, with friends in an order.
enum ClubModel {
    static func make() -> NSManagedObjectModel {
        let player = entity("Player", PlayerEntity.self)
        let game = entity("Game", GameEntity.self)
        let team = entity("Team", TeamEntity.self)
        typealias Make = LibraryModel
        player.properties = [
            Make.attribute("name", .stringAttributeType), Make.attribute("city", .stringAttributeType),
            Make.attribute("score", .integer16AttributeType, optional: false, default: 0),
            Make.attribute("rank", .integer32AttributeType),
            Make.attribute("ratio", .doubleAttributeType, default: 0.0),
            Make.attribute("isActive", .booleanAttributeType, default: false),
            Make.attribute("joined", .dateAttributeType), Make.attribute("avatar", .binaryDataAttributeType),
            Make.attribute("kind", .stringAttributeType), Make.attribute("token", .UUIDAttributeType),
            Make.attribute("home", .URIAttributeType),
            Make.attribute("level", .integer16AttributeType, optional: false, default: 0),
            Make.relationship("games", to: game, toMany: true, rule: .cascadeDeleteRule),
            Make.relationship("team", to: team, rule: .nullifyDeleteRule),
            Make.relationship("lineup", to: team, rule: .nullifyDeleteRule),
        ]
        game.properties = [
            Make.attribute("title", .stringAttributeType), Make.attribute("date", .dateAttributeType),
            Make.relationship("player", to: player, rule: .nullifyDeleteRule),
        ]
        team.properties = [
            Make.attribute("city", .stringAttributeType),
            Make.relationship("players", to: player, toMany: true, rule: .nullifyDeleteRule),
            Make.relationship("order", to: player, toMany: true, ordered: true, rule: .nullifyDeleteRule),
        ]
        Make.pair(player, "games", game, "player")
        Make.pair(player, "team", team, "players")
        Make.pair(player, "lineup", team, "order")
        let model = NSManagedObjectModel()
        model.entities = [player, game, team]
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

final class PlayerEntity: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    static let cityProperty = ManagedProperty<String?>("city")
    static let scoreProperty = ManagedProperty<Int16>("score")
    static let rankProperty = ManagedProperty<Int32?>("rank")
    static let ratioProperty = ManagedProperty<Double>("ratio")
    static let activeProperty = ManagedProperty<Bool>("isActive")
    static let joinedProperty = ManagedProperty<Date?>("joined")
    static let avatarProperty = ManagedProperty<Data?>("avatar")
    static let kindProperty = ManagedProperty<String?>("kind")
    static let tokenProperty = ManagedProperty<UUID?>("token")
    static let homeProperty = ManagedProperty<URL?>("home")
    static let levelProperty = ManagedProperty<Int16>("level")
    static let gamesProperty = ManagedProperty<Set<GameEntity>>("games")
    static let teamProperty = ManagedProperty<TeamEntity?>("team")

    var name: String? {
        get { self[Self.nameProperty] }
        set { self[Self.nameProperty] = newValue }
    }
    var city: String? {
        get { self[Self.cityProperty] }
        set { self[Self.cityProperty] = newValue }
    }
    var score: Int16 {
        get { self[Self.scoreProperty] }
        set { self[Self.scoreProperty] = newValue }
    }
    var rank: Int32? {
        get { self[Self.rankProperty] }
        set { self[Self.rankProperty] = newValue }
    }
    var ratio: Double {
        get { self[Self.ratioProperty] }
        set { self[Self.ratioProperty] = newValue }
    }
    var isActive: Bool {
        get { self[Self.activeProperty] }
        set { self[Self.activeProperty] = newValue }
    }
    var joined: Date? {
        get { self[Self.joinedProperty] }
        set { self[Self.joinedProperty] = newValue }
    }
    var avatar: Data? {
        get { self[Self.avatarProperty] }
        set { self[Self.avatarProperty] = newValue }
    }
    var kind: String? {
        get { self[Self.kindProperty] }
        set { self[Self.kindProperty] = newValue }
    }
    var token: UUID? {
        get { self[Self.tokenProperty] }
        set { self[Self.tokenProperty] = newValue }
    }
    var home: URL? {
        get { self[Self.homeProperty] }
        set { self[Self.homeProperty] = newValue }
    }
    var level: Int16 {
        get { self[Self.levelProperty] }
        set { self[Self.levelProperty] = newValue }
    }
    var games: Set<GameEntity> {
        get { self[Self.gamesProperty] }
        set { self[Self.gamesProperty] = newValue }
    }
    var team: TeamEntity? {
        get { self[Self.teamProperty] }
        set { self[Self.teamProperty] = newValue }
    }
}

final class GameEntity: NSManagedObject {
    static let titleProperty = ManagedProperty<String?>("title")
    static let dateProperty = ManagedProperty<Date?>("date")
    static let playerProperty = ManagedProperty<PlayerEntity?>("player")

    var title: String? {
        get { self[Self.titleProperty] }
        set { self[Self.titleProperty] = newValue }
    }
    var date: Date? {
        get { self[Self.dateProperty] }
        set { self[Self.dateProperty] = newValue }
    }
    var player: PlayerEntity? {
        get { self[Self.playerProperty] }
        set { self[Self.playerProperty] = newValue }
    }
}

final class TeamEntity: NSManagedObject {
    static let cityProperty = ManagedProperty<String?>("city")
    static let playersProperty = ManagedProperty<NSSet?>("players")
    static let orderProperty = ManagedProperty<NSOrderedSet?>("order")

    var city: String? {
        get { self[Self.cityProperty] }
        set { self[Self.cityProperty] = newValue }
    }
    var players: NSSet? {
        get { self[Self.playersProperty] }
        set { self[Self.playersProperty] = newValue }
    }
    var order: NSOrderedSet? {
        get { self[Self.orderProperty] }
        set { self[Self.orderProperty] = newValue }
    }
}

struct Avatar: Codable, Equatable {
    var width: Int
    var letters: [String]
}

enum Kind: String, CaseIterable {
    case striker, keeper, other
}

struct Player: Record {
    let object: PlayerEntity
    let name = Field(\.name, unique: true, rules: .notEmpty)
    let city = Field(\.city, default: "Nowhere")
    let score = Field(\.score, rules: .isIn(0...30_000))
    let rank = Field(\.rank)
    let ratio = Field(\.ratio, rules: .greaterThan(-1))
    let isActive = Field(\.isActive)
    let joined = Field(\.joined, rules: .notNil)
    let avatar = Field(\.avatar, as: Avatar.self)
    let shownAvatar = Field(\.avatar, as: Avatar.self, fallback: Avatar(width: 0, letters: []))
    let kind = Field(\.kind, as: Kind.self)
    let shownKind = Field(\.kind, as: Kind.self, fallback: .other)
    let token = Field(\.token)
    let home = Field(\.home)
    let games = ToMany(\.games, of: Game.self)
    let team = ToOne(\.team, of: Team.self)

    init(object: PlayerEntity) { self.object = object }
}

struct Game: Record {
    let object: GameEntity
    let title = Field(\.title)
    let date = Field(\.date)
    let player = ToOne(\.player, of: Player.self)

    init(object: GameEntity) { self.object = object }
}

struct Team: Record {
    let object: TeamEntity
    let city = Field(\.city)
    let players = ToMany(\.players, of: Player.self)
    let order = ToMany(\.order, of: Player.self)

    init(object: TeamEntity) { self.object = object }
}

/// A store with a main context.
struct Club {
    let stack: TestStack
    let main: NSManagedObjectContext
    let type: String

    init(type: String = NSSQLiteStoreType) throws {
        self.type = type
        stack = try TestStack(model: ClubModel.make(), type: type)
        main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = stack.coordinator
        main.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    }

    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]
}

extension SeededGenerator {
    /// A generator of a seed that the environment may name, printed for repetition.
    static func make(_ name: String) -> (generator: SeededGenerator, seed: UInt64) {
        let seed =
            ProcessInfo.processInfo.environment["OPENCOREDATA_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0..<1_000_000)
        print("\(name): OPENCOREDATA_SEED=\(seed)")
        return (SeededGenerator(seed: seed), seed)
    }
}
