import THRCoreData
import TestSupport

/// The model of the tests: songs with a text key, albums with a number, tickets with a UUID.
enum MusicModel {
    static let name = "Music"

    /// - Parameter isOld: Whether to make the version before, in which songs had no rank.
    static func make(isOld: Bool = false) -> NSManagedObjectModel {
        let song = entity("Song", Song.self)
        let album = entity("Album", Album.self)
        let ticket = entity("Ticket", Ticket.self)
        let stage = entity("Podium", Stage.self)
        song.properties = [
            LibraryModel.attribute("uniqueID", .stringAttributeType),
            LibraryModel.attribute("title", .stringAttributeType, optional: false, default: ""),
            LibraryModel.attribute("genre", .stringAttributeType),
            LibraryModel.relationship("album", to: album, rule: .nullifyDeleteRule),
        ]
        if !isOld { song.properties.append(LibraryModel.attribute("rank", .integer32AttributeType, default: 0)) }
        album.properties = [
            LibraryModel.attribute("number", .integer64AttributeType, default: 0),
            LibraryModel.relationship("songs", to: song, toMany: true, rule: .cascadeDeleteRule),
        ]
        ticket.properties = [LibraryModel.attribute("code", .UUIDAttributeType)]
        let coin = entity("Coin", Coin.self)
        coin.properties = [
            LibraryModel.attribute("amount", .decimalAttributeType),
            LibraryModel.attribute("name", .stringAttributeType),
        ]
        stage.properties = [LibraryModel.attribute("width", .integer16AttributeType, default: 0)]
        let scale = entity("Scale", Scale.self)
        scale.properties = [LibraryModel.attribute("factor", .doubleAttributeType, default: 0)]
        LibraryModel.pair(song, "album", album, "songs")
        let model = NSManagedObjectModel()
        model.entities = [song, album, ticket, stage, coin, scale]
        return model
    }

    /// Writes the model as an application has it in its bundle.
    static func write(to url: URL, named name: String = MusicModel.name, isOld: Bool = false) throws {
        try CompiledModelBundle(
            versions: [CompiledModelBundle.Version(name: name, model: make(isOld: isOld))], currentVersionName: name
        ).write(to: url)
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

final class Song: NSManagedObject, ManagedObjectType, UniqueIdentifiable {
    static let idProperty = ManagedProperty<String?>("uniqueID")
    static let titleProperty = ManagedProperty<String>("title")
    static let genreProperty = ManagedProperty<String?>("genre")
    static let rankProperty = ManagedProperty<Int32>("rank")
    static let albumProperty = ManagedProperty<Album?>("album")

    static var uniqueIDKey: String { "uniqueID" }
    static var defaultSortDescriptors: [NSSortDescriptor] { [NSSortDescriptor(key: "uniqueID", ascending: true)] }
    var uniqueIDValue: String { self[Song.idProperty] ?? "" }

    var title: String {
        get { self[Song.titleProperty] }
        set { self[Song.titleProperty] = newValue }
    }

    var genre: String? {
        get { self[Song.genreProperty] }
        set { self[Song.genreProperty] = newValue }
    }

    var rank: Int32 {
        get { self[Song.rankProperty] }
        set { self[Song.rankProperty] = newValue }
    }

    var album: Album? {
        get { self[Song.albumProperty] }
        set { self[Song.albumProperty] = newValue }
    }
}

final class Album: NSManagedObject, ManagedObjectType, UniqueIdentifiable {
    static let numberProperty = ManagedProperty<Int64>("number")
    static let songsProperty = ManagedProperty<Set<Song>>("songs")

    static var uniqueIDKey: String { "number" }
    var uniqueIDValue: Int { Int(self[Album.numberProperty]) }

    var songs: Set<Song> {
        get { self[Album.songsProperty] }
        set { self[Album.songsProperty] = newValue }
    }
}

final class Ticket: NSManagedObject, ManagedObjectType, UniqueIdentifiable {
    static let codeProperty = ManagedProperty<UUID?>("code")

    static var uniqueIDKey: String { "code" }
    var uniqueIDValue: UUID { self[Ticket.codeProperty] ?? UUID() }
}

/// Its key is a decimal number, as Foundation has them.
final class Coin: NSManagedObject, ManagedObjectType, UniqueIdentifiable {
    static let amountProperty = ManagedProperty<NSDecimalNumber?>("amount")
    static let nameProperty = ManagedProperty<String?>("name")

    static var uniqueIDKey: String { "amount" }
    var uniqueIDValue: NSDecimalNumber { self[Coin.amountProperty] ?? .zero }

    var name: String? {
        get { self[Coin.nameProperty] }
        set { self[Coin.nameProperty] = newValue }
    }
}

final class Scale: NSManagedObject, ManagedObjectType, UniqueIdentifiable {
    static let factorProperty = ManagedProperty<Double>("factor")

    static var uniqueIDKey: String { "factor" }
    var uniqueIDValue: Double { self[Scale.factorProperty] }
}

/// Its entity has another name.
final class Stage: NSManagedObject, ManagedObjectType, UniqueIdentifiable {
    static var entityName: String { "Podium" }
    /// No attribute of the entity.
    static var uniqueIDKey: String { "height" }
    var uniqueIDValue: Int { 0 }
}

/// A class that no model knows.
final class Ghost: NSManagedObject, ManagedObjectType {}

/// What an import of coins brings.
struct CoinRow: UniqueIdentifiable {
    static var uniqueIDKey: String { "amount" }
    var uniqueIDValue: NSDecimalNumber
    var name: String
}

/// What an import of albums brings, with numbers as some parsers of JSON have them.
struct AlbumRow: UniqueIdentifiable {
    static var uniqueIDKey: String { "number" }
    var uniqueIDValue: NSDecimalNumber
}

/// What an import brings.
struct SongRow: UniqueIdentifiable {
    static var uniqueIDKey: String { "id" }
    var uniqueIDValue: String
    var title = ""
}
