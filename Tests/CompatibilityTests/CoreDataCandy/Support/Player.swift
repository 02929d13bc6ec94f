import CoreDataCandy

/// The model of a player.
struct Player: DatabaseModel {
    typealias Entity = PlayerEntity
    let _entityWrapper: EntityWrapper<PlayerEntity>

    let name = UniqueField(\.name, validations: .notEmpty)
    let score = Field(\.score)
    let age = Field(\.age, validations: .isIn(0...120))
    let ratio = Field(\.ratio)
    let isActive = Field(\.isActive)
    let lastGame = Field(\.lastGame)
    let avatar = Field(\.avatar, as: Avatar.self)
    let kind = Field(\.kind, as: Kind.self, fallback: .other)
    let level = Field(\.level, as: Level.self, fallback: .beginner)
    let games = Children(\.games, as: Game.self)
    let favorites = OrderedChildren(\.favorites, as: Game.self)
    let profile = Sibling(\.profile, as: Profile.self)

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }

    /// A picture, as a codable value.
    struct Avatar: Codable, Equatable {
        var color: String
        var size: Int

        static let placeholder = Avatar(color: "gray", size: 1)
    }

    enum Kind: String {
        case professional
        case amateur
        case other
    }

    enum Level: Int16 {
        case beginner = 1
        case master = 2
    }
}

/// The model of a game.
struct Game: DatabaseModel {
    typealias Entity = GameEntity
    let _entityWrapper: EntityWrapper<GameEntity>

    let title = Field(\.title)
    let duration = Field(\.duration)
    let score = Field(\.score)
    let date = Field(\.date)
    let player = Parent(\.player, as: Player.self)
    let favoriteOf = Parent(\.favoriteOf, as: Player.self)

    init(entity: GameEntity) {
        _entityWrapper = .init(entity: entity)
    }

    /// A new game of a context.
    init(_ title: String, score: Int32 = 0, date: Date? = nil, in context: NSManagedObjectContext) {
        let entity = GameEntity(context: context)
        entity.title = title
        entity.score = score
        entity.date = date
        self.init(entity: entity)
    }
}

/// The model of a profile, as a class.
final class Profile: DatabaseModel {
    typealias Entity = ProfileEntity
    let _entityWrapper: EntityWrapper<ProfileEntity>

    let text = Field(\.text)
    let player = Sibling(\.player, as: Player.self)

    init(entity: ProfileEntity) {
        _entityWrapper = .init(entity: entity)
    }
}

extension Player {
    /// A new player of a context.
    init(_ name: String?, score: Int32 = 0, age: Int16 = 0, in context: NSManagedObjectContext) {
        self.init(entity: PlayerRow(name: name, score: score, age: age).insert(into: context))
    }
}
