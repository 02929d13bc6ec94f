import Foundation
import Synchronization

/// The row numbers that represent the reference objects of a store that an application wrote.
///
/// Stores with the same UUID share one table, so that an identifier of one coordinator is equal to that of another.
final class ReferenceTable: Sendable {
    private struct Key: Hashable {
        let entity: String
        let object: AnyHashable
    }

    private struct Entry {
        let entity: String
        let object: Any
    }

    // @unchecked Sendable because it is used inside the table's lock alone.
    private struct Contents: @unchecked Sendable {
        var numbers: [Key: Int64] = [:]
        /// By number, from 1.
        var entries: [Entry] = []
    }

    private struct WeakTable {
        weak var table: ReferenceTable?
    }

    private static let tables = Mutex<[String: WeakTable]>([:])
    private let contents = Mutex(Contents())

    /// The table of the stores with a UUID.
    static func table(forStore identifier: String) -> ReferenceTable {
        tables.withLock { tables in
            if let known = tables[identifier]?.table { return known }
            tables = tables.filter { $0.value.table != nil }
            let made = ReferenceTable()
            tables[identifier] = WeakTable(table: made)
            return made
        }
    }

    /// The number of a reference object; a new one for an object that was not met yet.
    func number(of object: Any, entity: String) -> Int64 {
        let key = Key(entity: entity, object: Self.hashable(object))
        let entry = SendableBox(Entry(entity: entity, object: object))
        return contents.withLock { contents in
            if let known = contents.numbers[key] { return known }
            contents.entries.append(entry.value)
            let number = Int64(contents.entries.count)
            contents.numbers[key] = number
            return number
        }
    }

    /// The number of a known reference object.
    func knownNumber(of object: Any, entity: String) -> Int64? {
        let key = Key(entity: entity, object: Self.hashable(object))
        return contents.withLock { $0.numbers[key] }
    }

    /// The reference object and the entity's name for a number.
    func entry(_ number: Int64) -> (entity: String, object: Any)? {
        contents.withLock { contents -> SendableBox<(entity: String, object: Any)>? in
            guard number > 0, number <= contents.entries.count else { return nil }
            let entry = contents.entries[Int(number) - 1]
            return SendableBox((entry.entity, entry.object))
        }?.value
    }

    /// Equal for reference objects that mean the same, in whichever class they come.
    private static func hashable(_ object: Any) -> AnyHashable {
        switch object {
        case let string as String: string
        case let data as Data: data
        case let uuid as UUID: uuid
        case let number as Int64: number
        case let number as Int: Int64(number)
        case let number as any BinaryInteger:
            Int64(exactly: number).map { AnyHashable($0) } ?? AnyHashable(String(describing: number))
        case let number as NSNumber: (number as? Int64).map { AnyHashable($0) } ?? AnyHashable(number.doubleValue)
        case let object as AnyHashable: object
        default: String(describing: object)
        }
    }

    // MARK: Identifiers

    /// The identifier of the object that a reference object represents. It is a programming error when the entity is in no
    /// model.
    func objectID(
        for entity: NSEntityDescription, referenceObject: Any, in store: NSPersistentStore
    ) -> NSManagedObjectID {
        guard let layout = store.persistentStoreCoordinator?.layout[entity.name ?? ""] ?? entity.layout else {
            programmerError("The entity \(entity.name ?? "") isn't in a model, so it can't have objects.")
        }
        return NSManagedObjectID(
            layout: layout, reference: number(of: referenceObject, entity: layout.name), store: store)
    }

    /// The reference object that an identifier was made of. It is a programming error when the store did not make it.
    func object(for id: NSManagedObjectID, in store: NSPersistentStore) -> Any {
        guard let entry = entry(id.reference) else {
            programmerError("\(id.uriRepresentation()) isn't an identifier of the store \(store.shortName).")
        }
        return entry.object
    }

    // MARK: URIs

    /// The last part of an object's URI: `p` and the reference object's string.
    ///
    /// The text is escaped as a path, so a slash stays one.
    static func uriComponent(for object: Any) -> String {
        let string = String(describing: object)
        return "p" + (string.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? string)
    }

    /// The number for the last component of a URI: a number, a known UUID, or the component itself as a string.
    func number(forURIComponent component: String, entity: String) -> Int64? {
        guard component.hasPrefix("p"), component.count > 1 else { return nil }
        let string = String(component.dropFirst())
        if let integer = Int64(string), String(integer) == string, knownNumber(of: string, entity: entity) == nil {
            return number(of: NSNumber(value: integer), entity: entity)
        }
        if let uuid = UUID(uuidString: string), let known = knownNumber(of: uuid, entity: entity) { return known }
        return number(of: string, entity: entity)
    }
}
