import Foundation
import OpenCoreData
import TestSupport

/// Regions that must differ in their code, with a relationship of each kind.
///
/// World <->> Region <->> Mood, Region <->> Route in order, Region <<->> Topic; Province is a Region.
enum RegionModel {
    static func make() -> NSManagedObjectModel {
        let entities = ["World", "Region", "Province", "Mood", "Route", "Topic"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [LibraryModel.attribute("name", .stringAttributeType)]
            return entity
        }
        let (world, region, province) = (entities[0], entities[1], entities[2])
        let (mood, route, topic) = (entities[3], entities[4], entities[5])
        province.properties = [LibraryModel.attribute("chief", .stringAttributeType)]
        region.properties += [
            LibraryModel.attribute("code", .stringAttributeType),
            LibraryModel.attribute("size", .integer32AttributeType, default: 0),
        ]
        region.subentities = [province]
        region.uniquenessConstraints = [["code"]]
        mood.uniquenessConstraints = [["name", "region"]]
        relate(world, "regions", region, "world", toOne: true)
        relate(region, "moods", mood, "region", toOne: true)
        relate(region, "routes", route, "region", toOne: true, ordered: true)
        relate(region, "topics", topic, "regions", toOne: false)
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func relate(
        _ one: NSEntityDescription, _ there: String, _ other: NSEntityDescription, _ back: String, toOne: Bool,
        ordered: Bool = false
    ) {
        one.properties.append(
            LibraryModel.relationship(there, to: other, toMany: true, ordered: ordered, rule: .nullifyDeleteRule))
        other.properties.append(LibraryModel.relationship(back, to: one, toMany: !toOne, rule: .nullifyDeleteRule))
        LibraryModel.pair(one, there, other, back)
    }
}

extension NSManagedObjectContext {
    /// Inserts an object and sets some of its properties.
    @discardableResult
    func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        object.setValuesForKeys(values)
        return object
    }

    /// All objects of an entity.
    func all(_ entity: String) throws -> [NSManagedObject] {
        try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }
}

extension NSManagedObject {
    /// The names of a relationship's destinations, sorted unless the relationship is ordered.
    func names(_ relationship: String) -> [String] {
        func name(_ object: Any) -> String { (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "" }
        return switch value(forKey: relationship) {
        case let set as NSOrderedSet: set.array.map(name)
        case let set as Set<NSManagedObject>: set.map(name).sorted()
        case let object as NSManagedObject: [name(object)]
        default: []
        }
    }
}
