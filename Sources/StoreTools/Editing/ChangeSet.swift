import Foundation
package import OpenCoreData

/// What a context is about to save, as lines of text.
package struct ChangeSet {
    package let lines: [String]
    /// How many objects are inserted, updated and deleted.
    private let counts: [(word: String, count: Int)]

    /// How many objects the changes are of.
    package var objectCount: Int { counts.reduce(0) { $0 + $1.count } }

    /// The numbers of objects, as a sentence.
    package var summary: String {
        counts.filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }.joined(separator: ", ") + "."
    }

    /// Reads the pending changes of `context`, delete rules and inverses applied.
    package init(of context: NSManagedObjectContext) {
        context.processPendingChanges()
        func sorted(_ objects: Set<NSManagedObject>) -> [NSManagedObject] {
            objects.sorted { NSManagedObjectID.isInStoreOrder($0.objectID, $1.objectID) }
        }
        counts = [
            ("inserted", context.insertedObjects.count), ("updated", context.updatedObjects.count),
            ("deleted", context.deletedObjects.count),
        ]
        lines =
            sorted(context.insertedObjects).flatMap(Self.insert)
            + sorted(context.updatedObjects).flatMap(Self.update)
            + sorted(context.deletedObjects).map { "delete \(Self.name($0))" }
    }

    private static func name(_ object: NSManagedObject) -> String {
        object.objectID.isTemporaryID ? object.entity.displayName : ObjectName.short(object.objectID)
    }

    private static func insert(_ object: NSManagedObject) -> [String] {
        let keys = object.entity.storedAttributes.map(\.name) + object.entity.storedRelationships.map(\.name)
        return ["insert \(name(object))"]
            + keys.compactMap { key in
                if object.entity.relationshipsByName[key]?.isToMany == true {
                    let change = difference(nil, object.value(forKey: key))
                    return change == "unchanged" ? nil : "  \(key): \(change)"
                }
                return object.value(forKey: key) == nil
                    ? nil : "  \(key): \(value(object.value(forKey: key), key, of: object))"
            }
    }

    private static func update(_ object: NSManagedObject) -> [String] {
        let changed = object.changedValues().keys.sorted()
        let committed = object.committedValues(forKeys: changed)
        return ["update \(name(object))"]
            + changed.map { key in
                if let relationship = object.entity.relationshipsByName[key], relationship.isToMany {
                    return "  \(key): \(difference(committed[key], object.value(forKey: key)))"
                }
                let old = value(committed[key], key, of: object)
                let new = value(object.value(forKey: key), key, of: object)
                return "  \(key): \(old) → \(new)"
            }
    }

    /// How many objects came and went, and some of their names: `+2 −1 (+Book/p7, +Book/p9, −Book/p2)`.
    private static func difference(_ old: Any?, _ new: Any?) -> String {
        let (before, after) = (identifiers(old), identifiers(new))
        let (known, kept) = (Set(before), Set(after))
        let added = after.filter { !known.contains($0) }
        let removed = before.filter { !kept.contains($0) }
        var counts: [String] = []
        if !added.isEmpty { counts.append("+\(added.count)") }
        if !removed.isEmpty { counts.append("−\(removed.count)") }
        guard !counts.isEmpty else { return before == after ? "unchanged" : "reordered" }
        let names =
            added.prefix(shownNames).map { "+\(ObjectName.short($0))" }
            + removed.prefix(shownNames).map { "−\(ObjectName.short($0))" }
        let rest = added.count + removed.count > names.count ? ", …" : ""
        return "\(counts.joined(separator: " ")) (\(names.joined(separator: ", "))\(rest))"
    }

    private static let shownNames = 3

    /// The objects of a relationship's value.
    static func identifiers(_ value: Any?) -> [NSManagedObjectID] {
        switch value {
        case let object as NSManagedObject: [object.objectID]
        case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.objectID }
        case let set as Set<NSManagedObject>: set.map(\.objectID).sorted(by: NSManagedObjectID.isInStoreOrder)
        case let set as NSSet:
            set.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID }
                .sorted(by: NSManagedObjectID.isInStoreOrder)
        default: []
        }
    }

    private static func value(_ value: Any?, _ key: String, of object: NSManagedObject) -> String {
        let json =
            object.entity.attributesByName[key].map { AttributeCoding.json(value, of: $0) } ?? DynamicJSON.json(value)
        switch json {
        case .array(let elements):
            let names = elements.map { element -> String in
                if case .string(let string) = element { return ObjectName.short(string) }
                return JSONText.string(of: element)
            }
            return "[" + names.joined(separator: ", ") + "]"
        case .string(let string) where string.hasPrefix(ObjectName.scheme):
            return ObjectName.short(string)
        default:
            return DisplayWidth.truncate(TerminalText.line(JSONText.string(of: json)), to: 100)
        }
    }
}
