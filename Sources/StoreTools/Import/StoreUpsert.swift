import Foundation
package import OpenCoreData

/// Brings records into a store: those whose key is there change an object, the others make one.
package final class StoreUpsert {
    private static let pieceSize = 500

    /// How the records are written.
    package enum Format: String, CaseIterable, Sendable {
        case csv, json, ndjson

        /// By the ending of a file; nil for one that says nothing.
        package init?(path: String) {
            switch URL(fileURLWithPath: path).pathExtension.lowercased() {
            case "csv": self = .csv
            case "json": self = .json
            case "ndjson", "jsonl": self = .ndjson
            default: return nil
            }
        }
    }

    package struct Summary: Equatable, Sendable {
        package var inserted = 0
        package var updated = 0
        package var unchanged = 0
    }

    enum Value {
        case json(JSONValue)
        /// A field of CSV.
        case field(String)
    }

    typealias Record = (values: [(key: String, value: Value)], name: String)

    let session: StoreSession
    let entity: NSEntityDescription
    private let keys: [NSAttributeDescription]
    private let input: ImportInput
    private let format: Format
    private let progress: ProgressHandler
    private var summary = Summary()
    private var seen: Set<StoredKey> = []

    /// - Parameters:
    ///   - keys: The attributes that identify objects.
    ///   - progress: Called with bytes that were read; an error of it ends the work.
    /// - Throws: `ToolFailure` when a key is no attribute of the entity.
    package init(
        session: StoreSession, entity: NSEntityDescription, keys: [String], input: ImportInput, format: Format,
        progress: @escaping ProgressHandler = { _, _ in }
    ) throws {
        self.session = session
        self.entity = entity
        self.input = input
        self.format = format
        self.progress = progress
        guard !entity.isAbstract || !entity.subentities.isEmpty else { throw Self.isAbstract(entity) }
        self.keys = try keys.map { key in
            if let attribute = entity.attributesByName[key], !attribute.isTransient {
                switch attribute.attributeType {
                case .compositeAttributeType, .transformableAttributeType:
                    throw ToolFailure("\(key) can't be a key: its values have parts.")
                default: return attribute
                }
            }
            guard entity.propertiesByName[key] == nil else {
                throw ToolFailure("\(key) can't be a key: only stored attributes can.")
            }
            throw Field.unknown(key, of: entity)
        }
    }

    /// Reads all records, and changes the context's objects.
    ///
    /// - Parameter save: Called after each piece, to save its changes and forget them.
    /// - Returns: What became of the records.
    package func run(save: (NSManagedObjectContext) throws -> Void) throws -> Summary {
        var piece: [Record] = []
        func flush() throws {
            try session.perform { context in
                try apply(piece, in: context)
                try save(context)
            }
            piece.removeAll(keepingCapacity: true)
        }
        do {
            try forEachRecord { record, offset in
                try progress(offset, input.size)
                piece.append(record)
                if piece.count == Self.pieceSize { try flush() }
            }
        } catch let error as JSONSyntaxError {
            throw ToolFailure("\(input.name) can't be read: \(error).")
        }
        if !piece.isEmpty { try flush() }
        return summary
    }

    // MARK: Records

    private func forEachRecord(_ body: (Record, _ offset: Int) throws -> Void) throws {
        switch format {
        case .csv: try forEachLineOfCSV(body)
        case .json: try forEachElement(body)
        case .ndjson:
            var parser = try input.parser()
            var number = 0
            var isMore = try parser.isAtDocument()
            while isMore {
                number += 1
                guard try parser.next() == .beginObject else { throw parser.error("an object should be here") }
                try body(record(try parser.restOfObject(), number), parser.offset)
                isMore = try parser.beginNextDocument()
            }
        }
    }

    private func forEachElement(_ body: (Record, _ offset: Int) throws -> Void) throws {
        var parser = try input.parser()
        guard try parser.next() == .beginArray else { throw parser.error("an array of objects should be here") }
        var number = 0
        while true {
            let event = try parser.next()
            if event == .endArray { break }
            guard event == .beginObject else { throw parser.error("an object should be here") }
            number += 1
            try body(record(try parser.restOfObject(), number), parser.offset)
        }
        guard try parser.next() == .endOfDocument else { throw parser.error("the document should end here") }
    }

    private func record(_ object: JSONValue, _ number: Int) -> Record {
        guard case .object(let members) = object else { return ([], "Record \(number)") }
        return (members.map { ($0.key, .json($0.value)) }, "Record \(number)")
    }

    private func forEachLineOfCSV(_ body: (Record, _ offset: Int) throws -> Void) throws {
        var reader = try input.csvReader()
        guard let titles = try reader.record()?.map({ $0 ?? "" }) else {
            throw ToolFailure("\(input.name) is empty; the first line should name the properties.")
        }
        var names: Set<String> = []
        if let twice = titles.first(where: { !names.insert($0).inserted }) {
            throw ToolFailure("\(input.name) names the column \(twice) twice in its first line.")
        }
        var number = 1
        while let fields = try reader.record() {
            number += 1
            if fields.count == 1, fields[0] == nil { continue }
            guard fields.count == titles.count else {
                throw ToolFailure(
                    "\(input.name), record \(number): it has \(fields.count) fields, where the first line names \(titles.count)."
                )
            }
            let values = zip(titles, fields).map { title, field in
                (key: title, value: field.map { Value.field($0) } ?? Value.json(.null))
            }
            try body((values, "Record \(number)"), reader.offset)
        }
    }

    // MARK: Objects

    private func apply(_ records: [Record], in context: NSManagedObjectContext) throws {
        var keyed: [(record: Record, values: [String: Any], key: StoredKey)] = []
        for record in records {
            let values = try self.values(of: record, in: context)
            let key = try key(of: record, values)
            guard seen.insert(key).inserted else {
                throw ToolFailure("\(record.name) has the same key as an earlier record: \(described(key)).")
            }
            keyed.append((record, values, key))
        }
        let objects = try existing(keyed.map(\.key), in: context)
        for (record, values, key) in keyed {
            let isNew = objects[key] == nil
            let object = try objects[key] ?? insert(record, in: context)
            if let named = try namedEntity(of: record), named.name != object.entity.name {
                throw ToolFailure(
                    "\(record.name) is of the entity \(named.displayName), but \(ObjectName.short(object.objectID)) has "
                        + "the same key \(described(key)).")
            }
            let hasChanged = set(values, of: object, isNew: isNew)
            do {
                if isNew { try object.validateForInsert() } else if hasChanged { try object.validateForUpdate() }
            } catch {
                throw ToolFailure(
                    Sentence.string(of: error) { _ in "\(record.name) (\(described(key)))" }, cause: error)
            }
            if isNew {
                summary.inserted += 1
            } else if hasChanged {
                summary.updated += 1
            } else {
                summary.unchanged += 1
            }
        }
    }

    private func insert(_ record: Record, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let entity = try namedEntity(of: record) ?? entity
        guard !entity.isAbstract else { throw Self.isAbstract(entity) }
        return NSEntityDescription.insertNewObject(forEntityName: entity.displayName, into: context)
    }

    private static func isAbstract(_ entity: NSEntityDescription) -> ToolFailure {
        ToolFailure("The entity \(entity.displayName) is abstract; it can't have objects.")
    }

    /// - Returns: Whether a value differs from what the object has.
    private func set(_ values: [String: Any], of object: NSManagedObject, isNew: Bool) -> Bool {
        var hasChanged = false
        for (name, value) in values {
            let value = value is NSNull ? nil : value
            if !isNew, isUnchanged(object, name, value) { continue }
            object.setValue(value, forKey: name)
            hasChanged = true
        }
        return hasChanged
    }

    private func isUnchanged(_ object: NSManagedObject, _ name: String, _ value: Any?) -> Bool {
        let old = object.value(forKey: name)
        if let attribute = object.entity.attributesByName[name] {
            return StoredEquality.areEqual(old, value, of: attribute)
        }
        let (before, after) = (ChangeSet.identifiers(old), ChangeSet.identifiers(value))
        return object.entity.relationshipsByName[name]?.isOrdered == true
            ? before == after : Set(before) == Set(after)
    }

    // MARK: Keys

    private func key(of record: Record, _ values: [String: Any]) throws -> StoredKey {
        if let key = StoredKey(keys.map { values[$0.name] }) { return key }
        let missing = keys.first { StoredKey([values[$0.name]]) == nil }
        throw ToolFailure("\(record.name) has no value for the key \(missing?.name ?? "").")
    }

    private func described(_ key: StoredKey) -> String {
        zip(keys, key.values).map { "\($0.name) \(JSONText.string(of: AttributeCoding.json($1, of: $0)))" }
            .joined(separator: ", ")
    }

    /// The objects that have one of the keys.
    ///
    /// - Throws: `ToolFailure` when two objects have the same.
    private func existing(
        _ wanted: [StoredKey], in context: NSManagedObjectContext
    ) throws -> [StoredKey: NSManagedObject] {
        guard let first = keys.first else { return [:] }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: first.name),
            rightExpression: NSExpression(forConstantValue: wanted.compactMap(\.values.first)), modifier: .direct,
            type: .in)
        let searched = Set(wanted)
        var result: [StoredKey: NSManagedObject] = [:]
        for object in try context.fetch(request) {
            guard let key = StoredKey(keys.map { object.value(forKey: $0.name) }), searched.contains(key) else {
                continue
            }
            if let other = result.updateValue(object, forKey: key) {
                throw ToolFailure(
                    "\(ObjectName.short(other.objectID)) and \(ObjectName.short(object.objectID)) have the same key "
                        + "\(described(key)); name more keys to distinguish them.")
            }
        }
        return result
    }
}
