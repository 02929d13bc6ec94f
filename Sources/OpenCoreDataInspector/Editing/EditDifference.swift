#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// What a context is about to save: inverses, delete rules and mistakes included.
struct EditDifference {
    /// Changed objects that are described one by one; a deletion may reach thousands.
    private static let mostChanges = 300
    /// Characters of a value that are shown.
    static let longest = 400

    let changes: JSONValue
    /// How many objects change in all.
    let count: Int
    let errors: JSONValue
    let isEmpty: Bool
    let isValid: Bool
    /// Objects to be deleted that are gone already.
    let gone: [String]

    init(_ context: NSManagedObjectContext, gone: [String] = []) {
        self.gone = gone
        context.processPendingChanges()
        let inserted = Self.sorted(context.insertedObjects)
        let updated = Self.sorted(context.updatedObjects).filter { !$0.changedValues().isEmpty }
        let deleted = Self.sorted(context.deletedObjects)
        let names = Self.names(of: inserted)
        count = inserted.count + updated.count + deleted.count
        isEmpty = count == 0
        let describers: [([NSManagedObject], (NSManagedObject) -> JSONValue)] = [
            (inserted, { Self.insert($0, names) }), (deleted, { Self.object("delete", $0, names, []) }),
            (updated, { Self.update($0, names) }),
        ]
        var described: [JSONValue] = []
        for (objects, describe) in describers {
            described += objects.prefix(Self.mostChanges - described.count).map(describe)
        }
        changes = .array(described)
        var errors: [JSONValue] = []
        for (objects, validate) in [
            (inserted, { try $0.validateForInsert() }), (updated, { try $0.validateForUpdate() }),
            (deleted, { try $0.validateForDelete() }),
        ] as [([NSManagedObject], (NSManagedObject) throws -> Void)] {
            for object in objects {
                do { try validate(object) } catch { errors += Self.failures(error, of: object, names) }
            }
        }
        self.errors = .array(errors)
        isValid = errors.isEmpty
    }

    /// The difference, and what represents it when the page asks to save just this.
    var json: JSONValue {
        [
            "changes": changes, "count": JSONValue(count), "errors": errors, "digest": .string(digest),
            "gone": JSONValue(gone),
        ]
    }

    /// The same for the same difference.
    var digest: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in (JSONText.string(of: changes) + String(count)).utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    // MARK: Changes

    private static func sorted(_ objects: Set<NSManagedObject>) -> [NSManagedObject] {
        objects.sorted { NSManagedObjectID.isInStoreOrder($0.objectID, $1.objectID) }
    }

    /// New objects are numbered: their identifiers last only until the save.
    private static func names(of inserted: [NSManagedObject]) -> [NSManagedObjectID: String] {
        var names: [NSManagedObjectID: String] = [:]
        for (index, object) in inserted.enumerated() {
            names[object.objectID] = "\(object.entity.displayName)/new\(index + 1)"
        }
        return names
    }

    private static func object(
        _ change: String, _ object: NSManagedObject, _ names: [NSManagedObjectID: String], _ properties: [JSONValue]
    ) -> JSONValue {
        [
            "change": .string(change), "object": .string(names[object.objectID] ?? object.inspectorName),
            "entity": .string(object.entity.displayName), "label": JSONValue(ObjectLabel.string(of: object)),
            "properties": .array(properties),
        ]
    }

    private static func insert(_ object: NSManagedObject, _ names: [NSManagedObjectID: String]) -> JSONValue {
        let attributes = object.entity.storedAttributes.compactMap { attribute -> JSONValue? in
            let value = CellValue.json(object.value(forKey: attribute.name), of: attribute, longest: longest)
            return value == .null ? nil : ["name": .string(attribute.name), "old": .null, "new": value]
        }
        let relationships = object.entity.storedRelationships.compactMap { relationship -> JSONValue? in
            let related = RelatedObjects(object, relationship).objects
            return related.isEmpty ? nil : difference(relationship, [], related, names)
        }
        return self.object("insert", object, names, attributes + relationships)
    }

    private static func update(_ object: NSManagedObject, _ names: [NSManagedObjectID: String]) -> JSONValue {
        let keys = object.changedValues().keys.sorted()
        let committed = object.committedValues(forKeys: keys)
        let properties = keys.compactMap { key -> JSONValue? in
            if let attribute = object.entity.attributesByName[key] {
                return [
                    "name": .string(key), "old": CellValue.json(committed[key], of: attribute, longest: longest),
                    "new": CellValue.json(object.value(forKey: key), of: attribute, longest: longest),
                ]
            }
            guard let relationship = object.entity.relationshipsByName[key] else { return nil }
            return difference(
                relationship, objects(committed[key]), RelatedObjects(object, relationship).objects, names)
        }
        return self.object("update", object, names, properties)
    }

    private static func objects(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let one as NSManagedObject: [one]
        case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    private static func difference(
        _ relationship: NSRelationshipDescription, _ old: [NSManagedObject], _ new: [NSManagedObject],
        _ names: [NSManagedObjectID: String]
    ) -> JSONValue {
        func link(_ object: NSManagedObject) -> JSONValue {
            [
                "id": .string(names[object.objectID] ?? object.inspectorName),
                "label": JSONValue(ObjectLabel.string(of: object)),
            ]
        }
        func list(_ objects: [NSManagedObject], without others: [NSManagedObject]) -> JSONValue {
            let others = Set(others)
            return .array(sorted(Set(objects.filter { !others.contains($0) })).map(link))
        }
        guard relationship.isToMany else {
            return [
                "name": .string(relationship.name), "old": old.first.map(link) ?? .null,
                "new": new.first.map(link) ?? .null,
            ]
        }
        return [
            "name": .string(relationship.name), "added": list(new, without: old),
            "removed": list(old, without: new),
            "reordered": .bool(
                relationship.isOrdered && old.count == new.count && old != new && Set(old) == Set(new)),
        ]
    }

    // MARK: Mistakes

    private static func failures(
        _ error: any Error, of object: NSManagedObject, _ names: [NSManagedObjectID: String]
    ) -> [JSONValue] {
        let info = (error as? CocoaError)?.userInfo ?? (error as NSError).userInfo
        if let details = info[NSDetailedErrorsKey] as? [any Error], !details.isEmpty {
            return details.flatMap { failures($0, of: object, names) }
        }
        return [
            [
                "object": .string(names[object.objectID] ?? object.inspectorName),
                "property": JSONValue(info[NSValidationKeyErrorKey] as? String),
                "message": .string(Sentence.string(of: error)),
            ]
        ]
    }
}
#endif
