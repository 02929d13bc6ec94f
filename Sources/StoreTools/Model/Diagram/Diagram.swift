package import OpenCoreData

/// What a picture of a model shows: a box for each entity, and lines between them. Nothing has a position yet.
package struct Diagram {
    /// A line of text in a box.
    package struct Row {
        package var name: String
        package var type: String
        /// Signs behind the name, explained under the picture.
        package var marks: [Mark]
        package var isRelationship: Bool
    }

    package enum Mark: String, CaseIterable {
        case unique = "U"
        case indexed = "I"
        case derived = "D"
        case transient = "T"
        case ordered = "O"
    }

    package struct Box {
        package var title: String
        package var isAbstract: Bool
        package var rows: [Row]
    }

    /// Where a line ends: at a row of a box, or at its title.
    package struct Port: Hashable {
        package var box: Int
        package var row: Int?
    }

    /// What is drawn where a line meets a box.
    package enum End: Equatable {
        case nothing
        /// As many objects as the relationship that leads here has.
        case count(Count)
        /// Where no relationship leads back.
        case arrow
        /// The entity that the other one inherits from.
        case parent
    }

    package struct Count: Equatable {
        package var least: Int
        /// Nil for any number.
        package var most: Int?

        package var text: String {
            guard let most else { return "\(least)..*" }
            return least == most ? "\(most)" : "\(least)..\(most)"
        }
    }

    package struct Line {
        package var from: Port
        package var to: Port
        package var fromEnd: End
        package var toEnd: End

        package var isInheritance: Bool { toEnd == .parent }
    }

    package var boxes: [Box] = []
    package var lines: [Line] = []

    package init(_ model: NSManagedObjectModel) {
        let entities = model.entitiesInStoreOrder
        let numbers = Dictionary(
            entities.enumerated().map { ($0.element.displayName, $0.offset) }, uniquingKeysWith: { first, _ in first })
        var rows: [String: Int] = [:]
        for entity in entities {
            let box = Self.box(of: entity)
            for (index, row) in box.rows.enumerated() { rows["\(entity.displayName).\(row.name)"] = index }
            boxes.append(box)
        }
        for (number, entity) in entities.enumerated() {
            if let parent = entity.superentity.flatMap({ numbers[$0.displayName] }) {
                lines.append(
                    Line(
                        from: Port(box: number), to: Port(box: parent), fromEnd: .nothing, toEnd: .parent))
            }
            let relationships = entity.declaredProperties.compactMap { $0 as? NSRelationshipDescription }
            for relationship in relationships.sorted(by: { $0.name < $1.name }) {
                guard let line = Self.line(relationship, of: entity, numbers, rows) else { continue }
                lines.append(line)
            }
        }
    }

    // MARK: Boxes

    private static func box(of entity: NSEntityDescription) -> Box {
        let unique = Set(entity.uniquenessConstraintNames.flatMap(\.self))
        let indexed = Set(entity.indexes.flatMap(\.elements).compactMap(\.propertyName))
        let properties = entity.declaredProperties.sorted { $0.name < $1.name }
        let rows = properties.compactMap { property -> Row? in
            var marks: [Mark] = []
            if unique.contains(property.name) { marks.append(.unique) }
            if indexed.contains(property.name) { marks.append(.indexed) }
            if property is NSDerivedAttributeDescription { marks.append(.derived) }
            if property.isTransient { marks.append(.transient) }
            switch property {
            case let attribute as NSAttributeDescription:
                return Row(name: property.name, type: type(of: attribute), marks: marks, isRelationship: false)
            case let relationship as NSRelationshipDescription:
                if relationship.isOrdered { marks.append(.ordered) }
                var type = relationship.destinationEntityName ?? "?"
                // Several lines that no relationship leads back along may end at one point; their counts stand here.
                if inverse(of: relationship) == nil { type += " \(count(of: relationship).text)" }
                return Row(name: property.name, type: type, marks: marks, isRelationship: true)
            default:
                return Row(name: property.name, type: "fetched", marks: [], isRelationship: false)
            }
        }
        return Box(
            title: entity.displayName, isAbstract: entity.isAbstract,
            rows: rows.filter { !$0.isRelationship } + rows.filter(\.isRelationship))
    }

    private static func type(of attribute: NSAttributeDescription) -> String {
        var name = SourceValue.name(of: attribute.attributeType) ?? "?"
        if let composite = attribute as? NSCompositeAttributeDescription { name = composite.compositeName ?? name }
        return name + (attribute.isOptional ? "?" : "")
    }

    // MARK: Lines

    private static func line(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, _ numbers: [String: Int],
        _ rows: [String: Int]
    ) -> Line? {
        guard let box = numbers[entity.displayName], let row = rows["\(entity.displayName).\(relationship.name)"],
            let destination = relationship.destinationEntity, let target = numbers[destination.displayName]
        else { return nil }
        let from = Port(box: box, row: row)
        let count = Self.count(of: relationship)
        guard let inverse = Self.inverse(of: relationship),
            let owner = inverse.declaringEntity?.name, let ownerBox = numbers[owner],
            let inverseRow = rows["\(owner).\(inverse.name)"]
        else {
            return Line(from: from, to: Port(box: target), fromEnd: .nothing, toEnd: .arrow)
        }
        // One line stands for both directions; the first in order draws it.
        let to = Port(box: ownerBox, row: inverseRow)
        guard (from.box, row) <= (to.box, inverseRow) || inverse.inverseRelationship !== relationship else {
            return nil
        }
        return Line(from: from, to: to, fromEnd: .count(Self.count(of: inverse)), toEnd: .count(count))
    }

    /// The inverse relationship, or `nil` for a relationship without one, or that is its own inverse.
    private static func inverse(of relationship: NSRelationshipDescription) -> NSRelationshipDescription? {
        relationship.inverseRelationship.flatMap { $0 === relationship ? nil : $0 }
    }

    private static func count(of relationship: NSRelationshipDescription) -> Count {
        Count(
            least: relationship.isOptional ? 0 : max(1, relationship.minCount),
            most: relationship.maxCount > 0 ? relationship.maxCount : nil)
    }
}

extension Diagram.Port {
    package init(box: Int) { self.init(box: box, row: nil) }
}
