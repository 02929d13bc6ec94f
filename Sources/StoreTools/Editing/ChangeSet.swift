import Foundation
package import OpenCoreData

/// What a context is about to save, as lines of text.
package struct ChangeSet {
    package let lines: [String]

    /// Reads the pending changes of `context`, delete rules and inverses applied.
    package init(of context: NSManagedObjectContext) {
        context.processPendingChanges()
        func sorted(_ objects: Set<NSManagedObject>) -> [NSManagedObject] {
            objects.sorted { NSManagedObjectID.isInStoreOrder($0.objectID, $1.objectID) }
        }
        lines =
            sorted(context.insertedObjects).map { "insert \(Self.name($0))" }
            + sorted(context.updatedObjects).flatMap(Self.update)
            + sorted(context.deletedObjects).map { "delete \(Self.name($0))" }
    }

    private static func name(_ object: NSManagedObject) -> String {
        ObjectName.short(object.objectID.uriRepresentation().absoluteString)
    }

    private static func update(_ object: NSManagedObject) -> [String] {
        let changed = object.changedValues().keys.sorted()
        let committed = object.committedValues(forKeys: changed)
        return ["update \(name(object))"]
            + changed.map { key in
                let old = value(committed[key], key, of: object)
                let new = value(object.value(forKey: key), key, of: object)
                return "  \(key): \(old) → \(new)"
            }
    }

    private static func value(_ value: Any?, _ key: String, of object: NSManagedObject) -> String {
        let json =
            object.entity.attributesByName[key].map { AttributeCoding.json(value, of: $0) } ?? DynamicJSON.json(value)
        switch json {
        case .array(let elements):
            let names = elements.map { element -> String in
                if case .string(let text) = element { return ObjectName.short(text) }
                return JSONText.text(of: element)
            }
            return "[" + names.joined(separator: ", ") + "]"
        case .string(let text) where text.hasPrefix(ObjectName.scheme):
            return ObjectName.short(text)
        default:
            return DisplayWidth.truncate(TerminalText.line(JSONText.text(of: json)), to: 100)
        }
    }
}
