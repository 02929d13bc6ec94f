import CoreDataCandy
import TestSupport

/// The model of the library's tests: players, their games, a profile each, and a sample of every attribute type.
enum PlayerModel {
    static func make() -> NSManagedObjectModel {
        let player = entity("Player", PlayerEntity.self)
        let game = entity("Game", GameEntity.self)
        let profile = entity("Profile", ProfileEntity.self)
        let sample = entity("Sample", SampleEntity.self)
        player.properties = [
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("score", .integer32AttributeType, default: 0),
            LibraryModel.attribute("age", .integer16AttributeType, default: 0),
            LibraryModel.attribute("ratio", .doubleAttributeType),
            LibraryModel.attribute("isActive", .booleanAttributeType, default: false),
            LibraryModel.attribute("lastGame", .dateAttributeType),
            LibraryModel.attribute("avatar", .binaryDataAttributeType),
            LibraryModel.attribute("kind", .stringAttributeType),
            LibraryModel.attribute("level", .integer16AttributeType, default: 1),
            LibraryModel.relationship("games", to: game, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("favorites", to: game, toMany: true, ordered: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("profile", to: profile, rule: .nullifyDeleteRule),
        ]
        game.properties = [
            LibraryModel.attribute("title", .stringAttributeType, optional: false, default: ""),
            LibraryModel.attribute("duration", .doubleAttributeType, default: 0.0),
            LibraryModel.attribute("score", .integer32AttributeType, default: 0),
            LibraryModel.attribute("date", .dateAttributeType),
            LibraryModel.relationship("player", to: player, rule: .nullifyDeleteRule),
            LibraryModel.relationship("favoriteOf", to: player, rule: .nullifyDeleteRule),
        ]
        profile.properties = [
            LibraryModel.attribute("text", .stringAttributeType, optional: false, default: ""),
            LibraryModel.relationship("player", to: player, rule: .nullifyDeleteRule),
        ]
        sample.properties = [
            LibraryModel.attribute("flag", .booleanAttributeType, default: false),
            LibraryModel.attribute("small", .integer16AttributeType, default: 0),
            LibraryModel.attribute("medium", .integer32AttributeType, default: 0),
            LibraryModel.attribute("large", .integer64AttributeType, default: 0),
            LibraryModel.attribute("real", .doubleAttributeType, default: 0.0),
            LibraryModel.attribute("single", .floatAttributeType, default: 0.0),
            LibraryModel.attribute("date", .dateAttributeType),
            LibraryModel.attribute("text", .stringAttributeType),
            LibraryModel.attribute("data", .binaryDataAttributeType),
            LibraryModel.attribute("url", .URIAttributeType),
            LibraryModel.attribute("uuid", .UUIDAttributeType),
            LibraryModel.attribute("object", .transformableAttributeType),
        ]
        LibraryModel.pair(player, "games", game, "player")
        LibraryModel.pair(player, "favorites", game, "favoriteOf")
        LibraryModel.pair(player, "profile", profile, "player")
        let model = NSManagedObjectModel()
        model.entities = [player, game, profile, sample]
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}
