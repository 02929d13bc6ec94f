import Foundation

/// Writes the rows of a store as `object` elements, by number.
struct XMLObjectWriter {
    private let contents: InMemoryContents
    private let session: InMemorySession
    private(set) var output = Data()

    init(contents: InMemoryContents) {
        self.contents = contents
        session = InMemorySession(contents: contents)
    }

    mutating func writeAll() throws {
        for record in contents.allRecords { try write(record) }
    }

    private mutating func write(_ record: InMemoryRecord) throws {
        let entity = record.entity
        var xml =
            "    <object type=\"\(XMLText.escapedAttribute(entity.name.uppercased()))\" id=\"z\(record.reference)\">\n"
        for case let slot? in entity.slots where !slot.isTransient && slot.kind != .toOne {
            guard let value = try XMLValue.string(of: record.values[slot.index], slot) else { continue }
            xml +=
                "        <attribute name=\"\(XMLText.escapedAttribute(slot.name.lowercased()))\""
                + " type=\"\(XMLValue.typeName(slot.kind))\">\(value)</attribute>\n"
        }
        for relationship in entity.relationships where !relationship.isTransient {
            xml += line(relationship, session.targets(of: relationship, record))
        }
        output.append(contentsOf: (xml + "    </object>\n").utf8)
    }

    private func line(_ relationship: RelationshipLayout, _ targets: [Int64]) -> String {
        let description = relationship.description
        let ids = targets.map { "z\($0)" }.joined(separator: " ")
        return "        <relationship name=\"\(XMLText.escapedAttribute(relationship.name.lowercased()))\""
            + " type=\"\(description.minCount)/\(description.maxCount)\""
            + " destination=\"\(XMLText.escapedAttribute(relationship.destination.name.uppercased()))\""
            + (targets.isEmpty ? "" : " idrefs=\"\(ids)\"") + "></relationship>\n"
    }
}
