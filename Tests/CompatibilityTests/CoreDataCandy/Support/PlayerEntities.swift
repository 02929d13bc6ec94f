import CoreDataCandy

/// A player, as the seed declares it, and a little more.
class PlayerEntity: NSManagedObject {
    static let nameProperty = ManagedProperty<String?>("name")
    static let scoreProperty = ManagedProperty<Int32>("score")
    static let ageProperty = ManagedProperty<Int16>("age")
    static let ratioProperty = ManagedProperty<Double?>("ratio")
    static let isActiveProperty = ManagedProperty<Bool>("isActive")
    static let lastGameProperty = ManagedProperty<Date?>("lastGame")
    static let avatarProperty = ManagedProperty<Data?>("avatar")
    static let kindProperty = ManagedProperty<String?>("kind")
    static let levelProperty = ManagedProperty<Int16>("level")
    static let gamesProperty = ManagedProperty<NSSet?>("games")
    static let favoritesProperty = ManagedProperty<NSOrderedSet?>("favorites")
    static let profileProperty = ManagedProperty<ProfileEntity?>("profile")

    var name: String? {
        get { self[PlayerEntity.nameProperty] }
        set { self[PlayerEntity.nameProperty] = newValue }
    }

    var score: Int32 {
        get { self[PlayerEntity.scoreProperty] }
        set { self[PlayerEntity.scoreProperty] = newValue }
    }

    var age: Int16 {
        get { self[PlayerEntity.ageProperty] }
        set { self[PlayerEntity.ageProperty] = newValue }
    }

    var ratio: Double? {
        get { self[PlayerEntity.ratioProperty] }
        set { self[PlayerEntity.ratioProperty] = newValue }
    }

    var isActive: Bool {
        get { self[PlayerEntity.isActiveProperty] }
        set { self[PlayerEntity.isActiveProperty] = newValue }
    }

    var lastGame: Date? {
        get { self[PlayerEntity.lastGameProperty] }
        set { self[PlayerEntity.lastGameProperty] = newValue }
    }

    var avatar: Data? {
        get { self[PlayerEntity.avatarProperty] }
        set { self[PlayerEntity.avatarProperty] = newValue }
    }

    var kind: String? {
        get { self[PlayerEntity.kindProperty] }
        set { self[PlayerEntity.kindProperty] = newValue }
    }

    var level: Int16 {
        get { self[PlayerEntity.levelProperty] }
        set { self[PlayerEntity.levelProperty] = newValue }
    }

    var games: NSSet? {
        get { self[PlayerEntity.gamesProperty] }
        set { self[PlayerEntity.gamesProperty] = newValue }
    }

    var favorites: NSOrderedSet? {
        get { self[PlayerEntity.favoritesProperty] }
        set { self[PlayerEntity.favoritesProperty] = newValue }
    }

    var profile: ProfileEntity? {
        get { self[PlayerEntity.profileProperty] }
        set { self[PlayerEntity.profileProperty] = newValue }
    }

    /// Reads no property of the model.
    var shape: Int { 3 }
}

/// A game of a player.
class GameEntity: NSManagedObject {
    static let titleProperty = ManagedProperty<String>("title")
    static let durationProperty = ManagedProperty<Double>("duration")
    static let scoreProperty = ManagedProperty<Int32>("score")
    static let dateProperty = ManagedProperty<Date?>("date")
    static let playerProperty = ManagedProperty<PlayerEntity?>("player")
    static let favoriteOfProperty = ManagedProperty<PlayerEntity?>("favoriteOf")

    var title: String {
        get { self[GameEntity.titleProperty] }
        set { self[GameEntity.titleProperty] = newValue }
    }

    var duration: Double {
        get { self[GameEntity.durationProperty] }
        set { self[GameEntity.durationProperty] = newValue }
    }

    var score: Int32 {
        get { self[GameEntity.scoreProperty] }
        set { self[GameEntity.scoreProperty] = newValue }
    }

    var date: Date? {
        get { self[GameEntity.dateProperty] }
        set { self[GameEntity.dateProperty] = newValue }
    }

    var player: PlayerEntity? {
        get { self[GameEntity.playerProperty] }
        set { self[GameEntity.playerProperty] = newValue }
    }

    var favoriteOf: PlayerEntity? {
        get { self[GameEntity.favoriteOfProperty] }
        set { self[GameEntity.favoriteOfProperty] = newValue }
    }
}

/// What a player says of themselves.
class ProfileEntity: NSManagedObject {
    static let textProperty = ManagedProperty<String>("text")
    static let playerProperty = ManagedProperty<PlayerEntity?>("player")

    var text: String {
        get { self[ProfileEntity.textProperty] }
        set { self[ProfileEntity.textProperty] = newValue }
    }

    var player: PlayerEntity? {
        get { self[ProfileEntity.playerProperty] }
        set { self[ProfileEntity.playerProperty] = newValue }
    }
}

/// An attribute of each type.
class SampleEntity: NSManagedObject {
    static let flagProperty = ManagedProperty<Bool>("flag")
    static let smallProperty = ManagedProperty<Int16>("small")
    static let mediumProperty = ManagedProperty<Int32>("medium")
    static let largeProperty = ManagedProperty<Int64>("large")
    static let realProperty = ManagedProperty<Double>("real")
    static let singleProperty = ManagedProperty<Float>("single")
    static let dateProperty = ManagedProperty<Date?>("date")
    static let textProperty = ManagedProperty<String?>("text")
    static let dataProperty = ManagedProperty<Data?>("data")
    static let urlProperty = ManagedProperty<URL?>("url")
    static let uuidProperty = ManagedProperty<UUID?>("uuid")

    var flag: Bool {
        get { self[SampleEntity.flagProperty] }
        set { self[SampleEntity.flagProperty] = newValue }
    }

    var small: Int16 {
        get { self[SampleEntity.smallProperty] }
        set { self[SampleEntity.smallProperty] = newValue }
    }

    var medium: Int32 {
        get { self[SampleEntity.mediumProperty] }
        set { self[SampleEntity.mediumProperty] = newValue }
    }

    var large: Int64 {
        get { self[SampleEntity.largeProperty] }
        set { self[SampleEntity.largeProperty] = newValue }
    }

    var real: Double {
        get { self[SampleEntity.realProperty] }
        set { self[SampleEntity.realProperty] = newValue }
    }

    var single: Float {
        get { self[SampleEntity.singleProperty] }
        set { self[SampleEntity.singleProperty] = newValue }
    }

    var date: Date? {
        get { self[SampleEntity.dateProperty] }
        set { self[SampleEntity.dateProperty] = newValue }
    }

    var text: String? {
        get { self[SampleEntity.textProperty] }
        set { self[SampleEntity.textProperty] = newValue }
    }

    var data: Data? {
        get { self[SampleEntity.dataProperty] }
        set { self[SampleEntity.dataProperty] = newValue }
    }

    var url: URL? {
        get { self[SampleEntity.urlProperty] }
        set { self[SampleEntity.urlProperty] = newValue }
    }

    var uuid: UUID? {
        get { self[SampleEntity.uuidProperty] }
        set { self[SampleEntity.uuidProperty] = newValue }
    }

    var object: NSArray? {
        get { value(forKey: "object") as? NSArray }
        set { setValue(newValue, forKey: "object") }
    }
}

extension PlayerEntity: FetchableEntity {}
extension GameEntity: FetchableEntity {}
extension ProfileEntity: DatabaseEntity {}
extension SampleEntity: DatabaseEntity {}
