import OpenCoreDataKit
import TestSupport

/// Residents of towns, some of them mayors, and their friends: the model of the tests about queries.
enum TownModel {
    static func make() -> NSManagedObjectModel {
        let town = entity("Town", Town.self)
        let resident = entity("Resident", Resident.self)
        let mayor = entity("Mayor", Mayor.self)
        let place = entity("Place", Place.self)
        place.isAbstract = true
        town.properties = [
            LibraryModel.attribute("name", .stringAttributeType, optional: false, default: ""),
            LibraryModel.attribute("size", .integer64AttributeType, default: 0),
            LibraryModel.relationship("residents", to: resident, toMany: true, rule: .cascadeDeleteRule),
        ]
        town.uniquenessConstraints = [["name"]]
        resident.properties = [
            LibraryModel.attribute("code", .integer64AttributeType, default: 0),
            LibraryModel.attribute("name", .stringAttributeType),
            LibraryModel.attribute("age", .integer32AttributeType),
            LibraryModel.attribute("height", .doubleAttributeType),
            LibraryModel.attribute("rent", .decimalAttributeType),
            LibraryModel.attribute("street", .stringAttributeType), LibraryModel.attribute("born", .dateAttributeType),
            LibraryModel.attribute("mood", .stringAttributeType, transient: true),
            LibraryModel.attribute("extra", .transformableAttributeType),
            LibraryModel.relationship("town", to: town, rule: .nullifyDeleteRule),
            LibraryModel.relationship("friends", to: resident, toMany: true, rule: .nullifyDeleteRule),
            LibraryModel.relationship("friendOf", to: resident, toMany: true, rule: .nullifyDeleteRule),
        ]
        mayor.properties = [LibraryModel.attribute("party", .stringAttributeType)]
        resident.subentities = [mayor]
        LibraryModel.pair(town, "residents", resident, "town")
        LibraryModel.pair(resident, "friends", resident, "friendOf")
        let model = NSManagedObjectModel()
        model.entities = [town, resident, mayor, place]
        return model
    }

    private static func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = NSStringFromClass(type)
        return entity
    }
}

final class Place: NSManagedObject {}

final class Town: NSManagedObject, Keyed {
    static let nameProperty = ManagedProperty<String>("name")
    static let sizeProperty = ManagedProperty<Int64>("size")
    static let residentsProperty = ManagedProperty<Set<Resident>>("residents")
    static var keyAttribute: String { "name" }
    typealias Key = String

    var name: String {
        get { self[Town.nameProperty] }
        set { self[Town.nameProperty] = newValue }
    }

    var size: Int64 {
        get { self[Town.sizeProperty] }
        set { self[Town.sizeProperty] = newValue }
    }

    var residents: Set<Resident> {
        get { self[Town.residentsProperty] }
        set { self[Town.residentsProperty] = newValue }
    }
}

class Resident: NSManagedObject, Keyed {
    static let codeProperty = ManagedProperty<Int64>("code")
    static let nameProperty = ManagedProperty<String?>("name")
    static let ageProperty = ManagedProperty<Int32>("age")
    static let heightProperty = ManagedProperty<Double?>("height")
    static let rentProperty = ManagedProperty<Decimal?>("rent")
    static let streetProperty = ManagedProperty<String?>("street")
    static let bornProperty = ManagedProperty<Date?>("born")
    static let moodProperty = ManagedProperty<String?>("mood")
    static let townProperty = ManagedProperty<Town?>("town")
    static let friendsProperty = ManagedProperty<Set<Resident>>("friends")
    class var keyAttribute: String { "code" }
    typealias Key = Int

    var code: Int64 {
        get { self[Resident.codeProperty] }
        set { self[Resident.codeProperty] = newValue }
    }

    var name: String? {
        get { self[Resident.nameProperty] }
        set { self[Resident.nameProperty] = newValue }
    }

    var age: Int32 {
        get { self[Resident.ageProperty] }
        set { self[Resident.ageProperty] = newValue }
    }

    var height: Double? {
        get { self[Resident.heightProperty] }
        set { self[Resident.heightProperty] = newValue }
    }

    var rent: Decimal? {
        get { self[Resident.rentProperty] }
        set { self[Resident.rentProperty] = newValue }
    }

    var street: String? {
        get { self[Resident.streetProperty] }
        set { self[Resident.streetProperty] = newValue }
    }

    var born: Date? {
        get { self[Resident.bornProperty] }
        set { self[Resident.bornProperty] = newValue }
    }

    var mood: String? {
        get { self[Resident.moodProperty] }
        set { self[Resident.moodProperty] = newValue }
    }

    var town: Town? {
        get { self[Resident.townProperty] }
        set { self[Resident.townProperty] = newValue }
    }

    var friends: Set<Resident> {
        get { self[Resident.friendsProperty] }
        set { self[Resident.friendsProperty] = newValue }
    }

    /// No property of the model.
    var initials: String { "??" }
}

final class Mayor: Resident {}
