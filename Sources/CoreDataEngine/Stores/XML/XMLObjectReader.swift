import Foundation

/// Makes rows of `object` elements.
struct XMLObjectReader {
    private let layout: ModelLayout
    private let entities: [String: EntityLayout]
    private(set) var contents: InMemoryContents
    /// The highest number of an object.
    private(set) var highest: Int64 = 0
    /// The entities of the objects by number.
    private var owners: [Int64: EntityLayout] = [:]

    init(layout: ModelLayout) {
        self.layout = layout
        contents = InMemoryContents(layout: layout)
        entities = Dictionary(
            layout.entities.map { ($0.name.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads all objects; then their relationships, which may lead anywhere.
    mutating func read(_ elements: [SourceElement]) throws {
        var numbers: [Int64] = []
        numbers.reserveCapacity(elements.count)
        for element in elements { numbers.append(try record(element)) }
        for (element, number) in zip(elements, numbers) {
            guard let entity = owners[number] else { continue }
            try insert(element, number, entity)
        }
        for (element, number) in zip(elements, numbers) {
            guard let entity = owners[number] else { continue }
            try readToManys(element, number, entity)
        }
    }

    private mutating func record(_ element: SourceElement) throws -> Int64 {
        guard let type = element.attributes["type"], let entity = entities[type.uppercased()] else {
            throw failure(
                "an object is of the type '\(element.attributes["type"] ?? "")', which the model doesn't have",
                element)
        }
        guard let number = Self.number(element.attributes["id"]) else {
            throw failure("the id '\(element.attributes["id"] ?? "")' isn't a 'z' and a number", element)
        }
        guard owners.updateValue(entity, forKey: number) == nil else {
            throw failure("the id 'z\(number)' occurs twice", element)
        }
        highest = max(highest, number)
        return number
    }

    private static func number(_ string: String?) -> Int64? {
        guard let string, string.hasPrefix("z"), let number = Int64(string.dropFirst()), number > 0 else { return nil }
        return number
    }

    private mutating func insert(_ element: SourceElement, _ number: Int64, _ entity: EntityLayout) throws {
        var values = ContiguousArray<PropertyValue>(repeating: .null, count: entity.slotCount)
        for child in element.children {
            let name = child.attributes["name"] ?? ""
            switch child.name {
            case "attribute":
                guard let slot = slot(named: name, in: entity), slot.kind != .toOne else {
                    throw failure("\(entity.name) has no attribute '\(name)'", child)
                }
                values[slot.index] = try XMLValue.value(of: child.text, slot)
            case "relationship":
                guard let relationship = relationship(named: name, in: entity) else {
                    throw failure("\(entity.name) has no relationship '\(name)'", child)
                }
                guard let slot = relationship.slot, let target = try targets(child, relationship).first else {
                    continue
                }
                values[slot] = .reference(target)
            default: throw failure("an object has a <\(child.name)>", child)
            }
        }
        contents.insert(InMemoryRecord(entity: entity, reference: number, version: 1, values: values))
    }

    private mutating func readToManys(_ element: SourceElement, _ number: Int64, _ entity: EntityLayout) throws {
        let owner = ObjectReference(reference: number, entityIndex: Int32(truncatingIfNeeded: entity.index))
        for child in element.children where child.name == "relationship" {
            guard let relationship = relationship(named: child.attributes["name"] ?? "", in: entity) else { continue }
            if relationship.isToMany {
                contents.setMembers(try targets(child, relationship).map(\.reference), of: relationship, owner: owner)
            } else {
                contents.mirror(relationship, owner: owner)
            }
        }
    }

    private func targets(_ element: SourceElement, _ relationship: RelationshipLayout) throws -> [ObjectReference] {
        var seen: Set<Int64> = []
        return try (element.attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).compactMap { word in
            guard let number = Self.number(String(word)), let entity = owners[number] else {
                throw failure(
                    "the relationship '\(relationship.name)' leads to '\(word)', which doesn't exist", element)
            }
            guard entity.isKind(of: relationship.destination) else {
                throw failure("the relationship '\(relationship.name)' leads to '\(word)', a \(entity.name)", element)
            }
            guard seen.insert(number).inserted else { return nil }
            return ObjectReference(reference: number, entityIndex: Int32(truncatingIfNeeded: entity.index))
        }
    }

    private func slot(named name: String, in entity: EntityLayout) -> SlotLayout? {
        entity.slot(named: name) ?? entity.slots.lazy.compactMap { $0 }.first { $0.name.lowercased() == name }
    }

    private func relationship(named name: String, in entity: EntityLayout) -> RelationshipLayout? {
        entity.relationship(named: name) ?? entity.relationships.first { $0.name.lowercased() == name }
    }

    private func failure(_ what: String, _ element: SourceElement) -> CocoaError {
        XMLStoreFormat.damaged("\(what), in line \(element.line)")
    }
}
