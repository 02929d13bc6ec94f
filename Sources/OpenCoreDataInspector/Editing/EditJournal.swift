#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// What was saved through the inspector, and can be undone and redone.
// Used on the queue of its context alone.
final class EditJournal: @unchecked Sendable {
    /// One save, as the page counts and shows it.
    struct Entry {
        /// The changed properties, the new objects, and the deletions.
        let changes: Int
        /// What the changed properties were after the last step: the save, or undoing or redoing it.
        var left: [LeftValue]
    }

    /// A value as a step has left it in the store, which may have rounded what was saved.
    struct LeftValue {
        let object: NSManagedObjectID
        /// The object's name for the page.
        let name: String
        let key: String
        let value: JSONValue
    }

    /// Saves that can be undone.
    private static let levels = 100

    let undoManager = UndoManager()
    private var done: [Entry] = []
    /// What the undo manager has beyond these was never saved.
    private var undone: [Entry] = []

    init() {
        undoManager.groupsByEvent = false
        undoManager.levelsOfUndo = Self.levels
    }

    var lastDone: Entry? { undoManager.canUndo ? done.last : nil }
    var lastUndone: Entry? { undoManager.canRedo ? undone.last : nil }

    /// What the page must know to offer undo and redo.
    var state: JSONValue { ["canUndo": .bool(lastDone != nil), "canRedo": .bool(lastUndone != nil)] }

    func add(_ entry: Entry) {
        done = done.suffix(Self.levels - 1) + [entry]
        undone = []
    }

    /// The undo manager forgets what was undone as soon as an edit is applied, also one that couldn't be saved.
    func forgetUndone() { undone = [] }

    func moveLastToUndone(_ left: [LeftValue]) { Self.move(&done, &undone, left) }
    func moveLastToDone(_ left: [LeftValue]) { Self.move(&undone, &done, left) }

    private static func move(_ from: inout [Entry], _ to: inout [Entry], _ left: [LeftValue]) {
        guard var entry = from.popLast() else { return }
        entry.left = left
        to.append(entry)
    }

    /// The attributes and to-one relationships that a difference has changed, as they are in the store.
    static func values(changedBy difference: JSONValue, in reader: StoreReader) throws -> [LeftValue] {
        guard case .array(let changes) = difference else { return [] }
        var values: [LeftValue] = []
        for change in changes where change["change"] == "update" {
            guard case .string(let name)? = change["object"], case .array(let properties)? = change["properties"],
                let id = try reader.objectID(named: name), let object = try reader.object(id)
            else { continue }
            for case .string(let key)? in properties.map({ $0["name"] }) {
                guard let value = value(of: object, key) else { continue }
                values.append(LeftValue(object: id, name: name, key: key, value: value))
            }
        }
        return values
    }

    /// The first value that isn't any more as the last step has left it, as a sentence.
    static func overwritten(by entry: Entry, in reader: StoreReader) throws -> String? {
        for left in entry.left {
            guard let object = try reader.object(left.object), let present = value(of: object, left.key) else {
                continue
            }
            if present != left.value {
                return
                    "\(left.key) of \(left.name) has been changed by another program since, and would be overwritten."
            }
        }
        return nil
    }

    /// The whole value of an attribute, or which object a to-one relationship has; nil for other properties.
    private static func value(of object: NSManagedObject, _ key: String) -> JSONValue? {
        if let attribute = object.entity.attributesByName[key] {
            return AttributeCoding.json(object.value(forKey: key), of: attribute)
        }
        guard let relationship = object.entity.relationshipsByName[key], !relationship.isToMany else { return nil }
        let destination = object.value(forKey: key) as? NSManagedObject
        return destination.map { .string($0.objectID.uriRepresentation().absoluteString) } ?? .null
    }
}
#endif
