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
        let difference: JSONValue
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

    func moveLastToUndone() { done.popLast().map { undone.append($0) } }
    func moveLastToDone() { undone.popLast().map { done.append($0) } }

    /// The first value of a save that isn't in the store any more, as a sentence.
    ///
    /// - Parameter side: Which values of the save must be there: `new` to undo it, `old` to redo it.
    static func overwritten(by entry: Entry, side: String, in reader: StoreReader) throws -> String? {
        guard case .array(let changes) = entry.difference else { return nil }
        for change in changes where change["change"] == "update" {
            guard case .string(let name)? = change["object"], case .array(let properties)? = change["properties"],
                let id = try reader.objectID(named: name), let object = try reader.object(id)
            else { continue }
            for property in properties {
                guard case .string(let key)? = property["name"], let expected = property[side],
                    let attribute = object.entity.attributesByName[key]
                else { continue }
                let value = CellValue.json(object.value(forKey: key), of: attribute, longest: EditDifference.longest)
                if value != expected {
                    return "\(key) of \(name) has been changed by another program since, and would be overwritten."
                }
            }
        }
        return nil
    }
}
#endif
