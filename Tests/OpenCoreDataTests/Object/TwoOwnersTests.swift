import Foundation
import OpenCoreData
import TestSupport
import Testing

/// One object that two owners were given through a to-many relationship without an inverse.
@Suite struct TwoOwnersTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    private static func model() -> NSManagedObjectModel {
        let (shelf, item) = (NSEntityDescription(), NSEntityDescription())
        for (entity, name) in [(shelf, "Shelf"), (item, "Item")] {
            entity.name = name
            let attribute = NSAttributeDescription()
            attribute.name = "name"
            attribute.attributeType = .stringAttributeType
            entity.properties = [attribute]
        }
        let items = NSRelationshipDescription()
        items.name = "items"
        items.destinationEntity = item
        items.deleteRule = .nullifyDeleteRule
        shelf.properties.append(items)
        let model = NSManagedObjectModel()
        model.entities = [shelf, item]
        return model
    }

    @Test(arguments: types) func theSameOwnerHasTheObjectInEveryStore(type: String) throws {
        for round in 0..<12 {
            let stack = try TestStack(model: Self.model(), type: type)
            let context = stack.context()
            try context.performAndWait {
                func make(_ entity: String, _ name: String) -> NSManagedObject {
                    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    object.setValue(name, forKey: "name")
                    return object
                }
                let item = make("Item", "i")
                let shelves = (0..<6).map { make("Shelf", "s\($0)") }
                try context.save()
                func key(_ object: NSManagedObject) -> String { object.objectID.uriRepresentation().absoluteString }
                let last = shelves.max { key($0) < key($1) }
                for index in (0..<6).sorted(by: { ($0 * 7 + round) % 6 < ($1 * 7 + round) % 6 }) {
                    shelves[index].mutableSetValue(forKey: "items").add(item)
                }
                try context.save()
                let name = last?.value(forKey: "name") as? String
                context.reset()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
                let owners = try context.fetch(request).filter { ($0.value(forKey: "items") as? NSSet)?.count == 1 }
                #expect(owners.map { $0.value(forKey: "name") as? String } == [name])
            }
        }
    }
}
