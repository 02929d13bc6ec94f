import Foundation
import OpenCoreData
import TestSupport

/// A store of items with an attribute of each kind that is hard to write, and of rare items, which inherit from them.
enum ItemStore {
    static func model() -> NSManagedObjectModel {
        let (item, rare) = (NSEntityDescription(), NSEntityDescription())
        (item.name, rare.name) = ("Item", "Rare")
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [attribute("street", .string), attribute("number", .integer32), attribute("when", .date)]
        let ice = NSCompositeAttributeDescription()
        ice.name = "ice"
        ice.isOptional = true
        ice.userInfo = ["EnumType": true]
        ice.elements = [attribute("ice", .string)]
        let drink = NSCompositeAttributeDescription()
        drink.name = "drink"
        drink.isOptional = true
        drink.userInfo = ["EnumType": true, "enum": ["gimlet", "silverFizz"]]
        drink.elements = [attribute("gimlet", .string), attribute("silverFizz", .string)]
        let picture = attribute("picture", .binaryData)
        picture.allowsExternalBinaryDataStorage = true
        let (parent, parts) = relate(("parent", item, 1), ("parts", item, 0))
        let (keeper, kept) = relate(("keeper", rare, 1), ("kept", item, 0))
        let (likes, likedBy) = relate(("likes", rare, 0), ("likedBy", item, 0))
        item.properties = [
            attribute("name", .string), attribute("code", .string), attribute("price", .decimal),
            attribute("weight", .float), attribute("since", .date), attribute("link", .uri),
            attribute("raw", .binaryData),
            attribute("extra", .transformable), place, ice, drink, picture, parent, parts, keeper, likes,
        ]
        item.uniquenessConstraints = [["code"]]
        rare.properties = [attribute("age", .integer32), kept, likedBy]
        item.subentities = [rare]
        let model = NSManagedObjectModel()
        model.entities = [item, rare]
        return model
    }

    /// Makes a store with objects of these values.
    static func make(
        in folder: TemporaryFolder, type: String = NSSQLiteStoreType,
        _ objects: [(entity: String, values: [String: Any])]
    ) throws -> String {
        let url = folder.file("Items.sqlite")
        try withContext(at: url, type: type) { context in
            for (entity, values) in objects {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
            }
            try context.save()
        }
        return url.path
    }

    /// The values of an attribute in the store, by the items' names.
    static func values(of key: String, in path: String) throws -> [String: Any] {
        var values: [String: Any] = [:]
        try withContext(at: URL(fileURLWithPath: path), type: NSSQLiteStoreType) { context in
            for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
                values[item.value(forKey: "name") as? String ?? ""] = item.value(forKey: key)
            }
        }
        return values
    }

    private static func withContext(
        at url: URL, type: String, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    private typealias End = (name: String, destination: NSEntityDescription, maxCount: Int)

    private static func relate(_ one: End, _ other: End) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let pair = (NSRelationshipDescription(), NSRelationshipDescription())
        for (relationship, end) in [(pair.0, one), (pair.1, other)] {
            relationship.name = end.name
            relationship.destinationEntity = end.destination
            relationship.maxCount = end.maxCount
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        (pair.0.inverseRelationship, pair.1.inverseRelationship) = (pair.1, pair.0)
        return pair
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = true
        return attribute
    }
}
