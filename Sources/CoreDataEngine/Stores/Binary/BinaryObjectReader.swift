import Foundation

/// Makes rows of the dictionaries of a binary store.
struct BinaryObjectReader {
    private struct Row {
        let entity: EntityLayout
        let number: Int64
        let values: [String: Any]
        let relationships: [String: Any]
    }

    private let layout: ModelLayout
    private(set) var contents: InMemoryContents
    private(set) var highest: Int64 = 0
    private var owners: [Int64: EntityLayout] = [:]

    init(layout: ModelLayout) {
        self.layout = layout
        contents = InMemoryContents(layout: layout)
    }

    mutating func read(_ objects: [Any]) throws {
        var rows: [Row] = []
        rows.reserveCapacity(objects.count)
        for object in objects { rows.append(try record(object)) }
        for row in rows { try insert(row) }
        for row in rows { try readToManys(row) }
    }

    private mutating func record(_ object: Any) throws -> Row {
        guard let object = object as? [String: Any], let number = Self.integer(object["id"]), number > 0,
            let name = object["entity"] as? String, let values = object["values"] as? [String: Any],
            let relationships = object["relationships"] as? [String: Any]
        else { throw BinaryStoreFormat.damaged("an object lacks its parts") }
        guard let entity = layout[name] else {
            throw BinaryStoreFormat.damaged("an object is a \(name), which the model doesn't have")
        }
        guard owners.updateValue(entity, forKey: number) == nil else {
            throw BinaryStoreFormat.damaged("the number \(number) occurs twice")
        }
        highest = max(highest, number)
        return Row(entity: entity, number: number, values: values, relationships: relationships)
    }

    private mutating func insert(_ row: Row) throws {
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: row.entity.slotCount)
        for (name, stored) in row.values {
            guard let slot = row.entity.slot(named: name), slot.kind != .toOne else {
                throw BinaryStoreFormat.damaged("\(row.entity.name) has no attribute '\(name)'")
            }
            guard let value = Self.value(stored, slot) else {
                throw BinaryStoreFormat.damaged("\(row.entity.name).\(name) has a value of another type")
            }
            values[slot.index] = value
        }
        for name in row.relationships.keys {
            guard let relationship = row.entity.relationship(named: name) else {
                throw BinaryStoreFormat.damaged("\(row.entity.name) has no relationship '\(name)'")
            }
            guard let slot = relationship.slot, let target = try targets(row, relationship).first else { continue }
            values[slot] = .reference(target)
        }
        contents.insert(InMemoryRecord(entity: row.entity, reference: row.number, version: 1, values: values))
    }

    private mutating func readToManys(_ row: Row) throws {
        let owner = ObjectReference(reference: row.number, entityIndex: Int32(truncatingIfNeeded: row.entity.index))
        for name in row.relationships.keys {
            guard let relationship = row.entity.relationship(named: name) else { continue }
            if relationship.isToMany {
                contents.setMembers(try targets(row, relationship).map(\.reference), of: relationship, owner: owner)
            } else {
                contents.mirror(relationship, owner: owner)
            }
        }
    }

    private func targets(_ row: Row, _ relationship: RelationshipLayout) throws -> [ObjectReference] {
        guard let numbers = row.relationships[relationship.name] as? [Any] else {
            throw BinaryStoreFormat.damaged("\(row.entity.name).\(relationship.name) isn't a list")
        }
        return try numbers.map { element in
            guard let number = Self.integer(element), let entity = owners[number],
                entity.isKind(of: relationship.destination)
            else {
                throw BinaryStoreFormat.damaged(
                    "\(row.entity.name).\(relationship.name) leads to \(element), which doesn't exist")
            }
            return ObjectReference(reference: number, entityIndex: Int32(truncatingIfNeeded: entity.index))
        }
    }

    /// A whole number that fits; `nil` for anything else.
    static func integer(_ stored: Any?) -> Int64? { (stored as? NSNumber) as? Int64 }

    private static func value(_ stored: Any, _ slot: SlotLayout) -> PropertyValue? {
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean:
            integer(stored).flatMap { slot.kind.integerRange?.contains($0) == false ? nil : .integer($0) }
        case .double, .float, .date: integer(stored).map { .double(Double(bitPattern: UInt64(bitPattern: $0))) }
        case .string: (stored as? Data).map { .string(String(decoding: $0, as: UTF8.self)) }
        case .data, .transformable, .composite, .objectID, .undefined: (stored as? Data).map { .data($0) }
        case .uuid: (stored as? Data).flatMap { uuid($0) }
        case .uri: (stored as? String).flatMap { URL(string: $0) }.map { .uri($0) }
        case .decimal:
            (stored as? String).flatMap { $0 == "NaN" ? .nan : Decimal(string: $0, locale: nil) }
                .map { .decimal(DecimalBox($0)) }
        case .toOne: nil
        }
    }

    private static func uuid(_ data: Data) -> PropertyValue? {
        guard data.count == 16 else { return nil }
        return .uuid(UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    }
}
