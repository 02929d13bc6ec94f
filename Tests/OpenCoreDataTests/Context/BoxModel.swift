import Foundation
import OpenCoreData
import TestSupport

/// Boxes with items in every kind of to-many, for tests of what several contexts do to them.
enum BoxModel {
    /// Every kind of to-many: ordered or not, to one owner or to many, with an inverse or without.
    static let toManys = ["items", "list", "tags", "ranked", "loose"]
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    /// - Parameter rule: What becomes of the items when a box is deleted.
    static func make(rule: NSDeleteRule = .nullifyDeleteRule) -> NSManagedObjectModel {
        let (box, item) = (NSEntityDescription(), NSEntityDescription())
        box.name = "Box"
        item.name = "Item"
        func toMany(_ name: String, to entity: NSEntityDescription, ordered: Bool = false) -> NSRelationshipDescription
        {
            LibraryModel.relationship(
                name, to: entity, toMany: true, ordered: ordered, rule: entity === item ? rule : .nullifyDeleteRule)
        }
        func toOne(_ name: String, to entity: NSEntityDescription) -> NSRelationshipDescription {
            LibraryModel.relationship(name, to: entity, rule: .nullifyDeleteRule)
        }
        box.properties = [
            LibraryModel.attribute("title", .stringAttributeType), toMany("items", to: item),
            toMany("list", to: item, ordered: true), toMany("tags", to: item),
            toMany("ranked", to: item, ordered: true), toMany("loose", to: item), toOne("cover", to: item),
        ]
        item.properties = [
            LibraryModel.attribute("key", .integer64AttributeType, default: 0), toOne("owner", to: box),
            toOne("shelf", to: box), toMany("tagged", to: box), toMany("rankers", to: box), toOne("covered", to: box),
            toOne("friend", to: box),
        ]
        for (name, inverse) in [
            ("items", "owner"), ("list", "shelf"), ("tags", "tagged"), ("ranked", "rankers"), ("cover", "covered"),
        ] {
            LibraryModel.pair(box, name, item, inverse)
        }
        let model = NSManagedObjectModel()
        model.entities = [box, item]
        return model
    }
}

extension NSManagedObjectContext {
    func box(_ title: String) -> NSManagedObject {
        let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: self)
        box.setValue(title, forKey: "title")
        return box
    }

    func item(_ key: Int) -> NSManagedObject {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: self)
        item.setValue(key, forKey: "key")
        return item
    }

    /// The stored item, or box, with a value.
    func stored(_ entity: String, _ value: Any) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "%K == %@", argumentArray: [entity == "Item" ? "key" : "title", value])
        return try fetch(request).first
    }

    /// The keys of all items, in their order.
    func storedKeys(_ format: String = "TRUEPREDICATE") throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: format)
        return try fetch(request).compactMap { $0.value(forKey: "key") as? Int }.sorted()
    }
}

extension NSManagedObject {
    /// The keys of a to-many's items, in its order or sorted.
    func keys(_ relationship: String) -> [Int] {
        if let list = value(forKey: relationship) as? NSOrderedSet {
            return list.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "key") as? Int }
        }
        return (value(forKey: relationship) as? Set<NSManagedObject> ?? [])
            .compactMap { $0.value(forKey: "key") as? Int }.sorted()
    }

    func add(_ item: NSManagedObject?, to relationship: String) {
        guard let item else { return }
        if entity.relationshipsByName[relationship]?.isOrdered == true {
            mutableOrderedSetValue(forKey: relationship).add(item)
        } else {
            mutableSetValue(forKey: relationship).add(item)
        }
    }

    func remove(_ item: NSManagedObject?, from relationship: String) {
        guard let item else { return }
        if entity.relationshipsByName[relationship]?.isOrdered == true {
            mutableOrderedSetValue(forKey: relationship).remove(item)
        } else {
            mutableSetValue(forKey: relationship).remove(item)
        }
    }
}
