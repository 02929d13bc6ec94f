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

    private enum Value {
        case json(JSONValue)
        case string(String)
    }

    private typealias Record = (values: [(key: String, value: Value)], name: String)

    private let session: StoreSession
    private let entity: NSEntityDescription
    private let keys: [NSAttributeDescription]
    private let input: ImportInput
    private let format: Format
    private let progress: ProgressHandler
    private var summary = Summary()
    private var seen: Set<[AnyHashable]> = []

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
        guard !entity.isAbstract else {
            throw ToolFailure("The entity \(entity.displayName) is abstract; it can't have objects.")
        }
        self.keys = try keys.map { key in
            if let attribute = entity.attributesByName[key], !attribute.isTransient { return attribute }
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
                (key: title, value: field.map { Value.string($0) } ?? Value.json(.null))
            }
            try body((values, "Record \(number)"), reader.offset)
        }
    }

    // MARK: Objects

    private func apply(_ records: [Record], in context: NSManagedObjectContext) throws {
        var keyed: [(record: Record, values: [String: Any], key: [AnyHashable])] = []
        for record in records {
            let values = try self.values(of: record, in: context)
            let key = try keys.map { attribute -> AnyHashable in
                guard let value = values[attribute.name] as? AnyHashable, !(value is NSNull) else {
                    throw ToolFailure("\(record.name) has no value for the key \(attribute.name).")
                }
                return value
            }
            guard seen.insert(key).inserted else {
                throw ToolFailure("\(record.name) has the same key as an earlier record: \(described(key)).")
            }
            keyed.append((record, values, key))
        }
        var objects = try existing(keyed.map(\.key), in: context)
        for (record, values, key) in keyed {
            let isNew = objects[key] == nil
            let object =
                objects[key] ?? NSEntityDescription.insertNewObject(forEntityName: entity.displayName, into: context)
            if isNew { objects[key] = object }
            var hasChanged = false
            for (name, value) in values {
                let value = value is NSNull ? nil : value
                if !isNew, isEqual(object.value(forKey: name), value) { continue }
                object.setValue(value, forKey: name)
                hasChanged = true
            }
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

    private func described(_ key: [AnyHashable]) -> String {
        zip(keys, key).map { "\($0.name) \(JSONText.string(of: AttributeCoding.json($1.base, of: $0)))" }
            .joined(separator: ", ")
    }

    private func isEqual(_ old: Any?, _ new: Any?) -> Bool {
        switch (old, new) {
        case (nil, nil): true
        case (let old as AnyHashable, let new as AnyHashable): old == new
        default: false
        }
    }

    /// The objects that have one of the keys.
    ///
    /// - Throws: `ToolFailure` when two objects have the same.
    private func existing(
        _ wanted: [[AnyHashable]], in context: NSManagedObjectContext
    ) throws -> [[AnyHashable]: NSManagedObject] {
        guard let first = keys.first else { return [:] }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.displayName)
        request.predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: first.name),
            rightExpression: NSExpression(forConstantValue: wanted.compactMap { $0.first?.base }), modifier: .direct,
            type: .in)
        let searched = Set(wanted)
        var result: [[AnyHashable]: NSManagedObject] = [:]
        for object in try context.fetch(request) {
            let key = keys.compactMap { object.value(forKey: $0.name) as? AnyHashable }
            guard searched.contains(key) else { continue }
            if let other = result.updateValue(object, forKey: key) {
                throw ToolFailure(
                    "\(ObjectName.short(other.objectID)) and \(ObjectName.short(object.objectID)) have the same key "
                        + "\(described(key)); name more keys to distinguish them.")
            }
        }
        return result
    }

    private func values(of record: Record, in context: NSManagedObjectContext) throws -> [String: Any] {
        var result: [String: Any] = [:]
        for (name, value) in record.values where name != Field.objectID.path && name != "entity" {
            do {
                if let attribute = entity.attributesByName[name] {
                    if attribute is NSDerivedAttributeDescription { continue }
                    let read =
                        switch value {
                        case .json(let json): try AttributeCoding.value(json, of: attribute)
                        case .string(let string): try CommandLineValue.value(string, of: attribute)
                        }
                    result[name] = read ?? NSNull()
                } else if let relationship = entity.relationshipsByName[name] {
                    result[name] = try destinations(value, relationship, in: context) ?? NSNull()
                } else {
                    throw Field.unknown(name, of: entity)
                }
            } catch let failure as ToolFailure {
                throw ToolFailure("\(record.name): \(failure.description)")
            }
        }
        return result
    }

    private func destinations(
        _ value: Value, _ relationship: NSRelationshipDescription, in context: NSManagedObjectContext
    ) throws -> Any? {
        let names: [String]
        switch value {
        case .json(.null): names = []
        case .json(.string(let string)): names = [string]
        case .json(.array(let elements)):
            names = try elements.map { element in
                guard case .string(let string) = element else {
                    throw ToolFailure("\(relationship.name) has \(element.kind) where an object's name should be.")
                }
                return string
            }
        case .string(let string): names = string.split { $0 == " " || $0 == "," }.map(String.init)
        case .json(let json):
            throw ToolFailure("\(json.kind) is not a value for the relationship \(relationship.name).")
        }
        return try session.destinations(of: relationship, named: names, in: context)
    }
}

extension StoreSession {
    /// The value of a relationship to the objects with these names.
    ///
    /// - Throws: `ToolFailure` for an unknown name, an object of another entity, and several objects for a to-one.
    package func destinations(
        of relationship: NSRelationshipDescription, named names: [String], in context: NSManagedObjectContext
    ) throws -> Any? {
        let objects = try names.map { name in
            let object = try object(named: name, in: context)
            if let destination = relationship.destinationEntity, !object.entity.isKindOf(entity: destination) {
                throw ToolFailure(
                    "\(name) is of the entity \(object.entity.displayName); "
                        + "\(relationship.name) leads to \(destination.displayName).")
            }
            return object
        }
        guard relationship.isToMany else {
            guard objects.count <= 1 else {
                throw ToolFailure("\(relationship.name) is a to-one relationship and can't have several objects.")
            }
            return objects.first
        }
        return relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects)
    }
}
