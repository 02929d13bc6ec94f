import Foundation
package import OpenCoreData

/// One entity of a model, as JSON and as text.
package struct EntitySchema {
    package let entity: NSEntityDescription
    private let className: String?

    /// - Parameter className: The class that the model names, where the entity has another one.
    package init(entity: NSEntityDescription, className: String? = nil) {
        self.entity = entity
        self.className = className ?? entity.managedObjectClassName
    }

    package var json: JSONValue {
        [
            "name": .string(entity.displayName),
            "parent": JSONValue(entity.superentity?.name),
            "abstract": .bool(entity.isAbstract),
            "class": JSONValue(className),
            "renamingIdentifier": JSONValue(renaming(entity.renamingIdentifier, entity.displayName)),
            "versionHash": .string(entity.versionHash.base64EncodedString()),
            "versionHashModifier": JSONValue(entity.versionHashModifier),
            "attributes": .array(attributes.map(json)),
            "relationships": .array(relationships.map(json)),
            "uniquenessConstraints": .array(constraints.map { JSONValue($0) }),
            "indexes": .array(entity.indexes.map(json)),
        ]
    }

    package var lines: [String] {
        var title = entity.displayName
        if let parent = entity.superentity?.name { title += " : \(parent)" }
        if entity.isAbstract { title += " (abstract)" }
        var lines = [title, "  hash \(entity.versionHash.base64EncodedString())"]
        lines += table(
            ["ATTRIBUTE", "TYPE", "FLAGS"],
            attributes.flatMap { rows($0, name: $0.name) })
        lines += table(
            ["RELATIONSHIP", "DESTINATION", "INVERSE", "DELETE RULE", "FLAGS"],
            relationships.map { relationship in
                [
                    relationship.name, destinationText(relationship), relationship.inverseRelationship?.name ?? "none",
                    ruleName(relationship.deleteRule), flags(relationship).joined(separator: ", "),
                ]
            })
        lines += constraints.map { "  unique (\($0.joined(separator: ", ")))" }
        lines += entity.indexes.map { "  index \($0.name) (\($0.elements.map(elementText).joined(separator: ", ")))" }
        return lines
    }

    // MARK: Parts

    private var attributes: [NSAttributeDescription] { entity.attributesByName.values.sorted { $0.name < $1.name } }

    private var relationships: [NSRelationshipDescription] {
        entity.relationshipsByName.values.sorted { $0.name < $1.name }
    }

    private var constraints: [[String]] {
        entity.uniquenessConstraints.map { constraint in
            constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
        }
    }

    private func table(_ titles: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        var table = TextTable(columns: titles.map { .init($0) })
        for row in rows { table.append(row) }
        return table.lines.filter { !$0.hasPrefix("─") }.map { "  " + $0 }
    }

    // MARK: Attributes

    /// The row of an attribute, and for a struct one for each of its elements.
    private func rows(_ attribute: NSAttributeDescription, name: String) -> [[String]] {
        let row = [name, typeName(attribute), flags(attribute).joined(separator: ", ")]
        guard let composite = attribute as? NSCompositeAttributeDescription,
            case .structure = CompositeShape(of: composite)
        else { return [row] }
        return [row] + composite.elements.flatMap { rows($0, name: "\(name).\($0.name)") }
    }

    private func json(_ attribute: NSAttributeDescription) -> JSONValue {
        guard let composite = attribute as? NSCompositeAttributeDescription,
            case .object(var members) = plainJSON(of: attribute)
        else { return plainJSON(of: attribute) }
        switch CompositeShape(of: composite) {
        case .rawValues(let element):
            members.append(JSONMember(key: "enumeration", value: ["rawType": .string(typeName(element))]))
        case .cases(let names):
            members.append(JSONMember(key: "enumeration", value: ["cases": JSONValue(names)]))
        case .structure: break
        }
        members.append(JSONMember(key: "elements", value: .array(composite.elements.map(json))))
        return .object(members)
    }

    private func plainJSON(of attribute: NSAttributeDescription) -> JSONValue {
        [
            "name": .string(attribute.name),
            "type": .string(typeName(attribute)),
            "optional": .bool(attribute.isOptional),
            "transient": .bool(attribute.isTransient),
            "derived": .bool(attribute is NSDerivedAttributeDescription),
            "externalStorage": .bool(attribute.allowsExternalBinaryDataStorage),
            "preservedAfterDeletion": .bool(attribute.preservesValueInHistoryOnDeletion),
            "default": attribute.attributeType == .undefinedAttributeType
                ? .null : AttributeCoding.json(attribute.defaultValue, of: attribute),
            "valueTransformer": JSONValue(attribute.valueTransformerName),
            "renamingIdentifier": JSONValue(renaming(attribute.renamingIdentifier, attribute.name)),
            "versionHash": .string(attribute.versionHash.base64EncodedString()),
            "versionHashModifier": JSONValue(attribute.versionHashModifier),
            "inherited": .bool(isInherited(attribute)),
        ]
    }

    private func flags(_ attribute: NSAttributeDescription) -> [String] {
        var flags: [String] = attribute.isOptional ? ["optional"] : []
        if attribute.isTransient { flags.append("transient") }
        if let composite = attribute as? NSCompositeAttributeDescription,
            case .cases(let names) = CompositeShape(of: composite)
        {
            flags.append("cases \(StoreSession.listed(names))")
        }
        if let derived = attribute as? NSDerivedAttributeDescription {
            flags.append("derived" + (derived.derivationText.map { " from \($0)" } ?? ""))
        }
        if attribute.allowsExternalBinaryDataStorage { flags.append("external storage") }
        if attribute.preservesValueInHistoryOnDeletion { flags.append("preserved after deletion") }
        if let value = attribute.defaultValue, attribute.attributeType != .undefinedAttributeType {
            flags.append("default \(JSONText.string(of: AttributeCoding.json(value, of: attribute)))")
        }
        if isInherited(attribute) { flags.append("inherited") }
        return flags
    }

    private func typeName(_ attribute: NSAttributeDescription) -> String {
        switch attribute.attributeType {
        case .undefinedAttributeType: "Undefined"
        case .integer16AttributeType: "Integer 16"
        case .integer32AttributeType: "Integer 32"
        case .integer64AttributeType: "Integer 64"
        case .decimalAttributeType: "Decimal"
        case .doubleAttributeType: "Double"
        case .floatAttributeType: "Float"
        case .stringAttributeType: "String"
        case .booleanAttributeType: "Boolean"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Binary"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URI"
        case .transformableAttributeType: "Transformable"
        case .objectIDAttributeType: "Object ID"
        case .compositeAttributeType: compositeTypeName(attribute)
        @unknown default: "Unknown"
        }
    }

    private func compositeTypeName(_ attribute: NSAttributeDescription) -> String {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return "Composite" }
        return switch CompositeShape(of: composite) {
        case .rawValues(let element): "Enumeration of \(typeName(element))"
        case .cases: "Enumeration"
        case .structure: "Composite"
        }
    }

    // MARK: Relationships

    private func json(_ relationship: NSRelationshipDescription) -> JSONValue {
        [
            "name": .string(relationship.name),
            "destination": JSONValue(relationship.destinationEntity?.name),
            "inverse": JSONValue(relationship.inverseRelationship?.name),
            "toMany": .bool(relationship.isToMany),
            "ordered": .bool(relationship.isOrdered),
            "optional": .bool(relationship.isOptional),
            "transient": .bool(relationship.isTransient),
            "minCount": JSONValue(relationship.minCount),
            "maxCount": JSONValue(relationship.maxCount),
            "deleteRule": .string(ruleName(relationship.deleteRule)),
            "renamingIdentifier": JSONValue(renaming(relationship.renamingIdentifier, relationship.name)),
            "versionHash": .string(relationship.versionHash.base64EncodedString()),
            "versionHashModifier": JSONValue(relationship.versionHashModifier),
            "inherited": .bool(isInherited(relationship)),
        ]
    }

    private func destinationText(_ relationship: NSRelationshipDescription) -> String {
        (relationship.isToMany ? "many " : "") + (relationship.destinationEntity?.name ?? "?")
    }

    private func flags(_ relationship: NSRelationshipDescription) -> [String] {
        var flags: [String] = relationship.isOptional ? ["optional"] : []
        if relationship.isOrdered { flags.append("ordered") }
        if relationship.isTransient { flags.append("transient") }
        if relationship.minCount > 0, relationship.isToMany { flags.append("at least \(relationship.minCount)") }
        if relationship.maxCount > 0, relationship.isToMany { flags.append("at most \(relationship.maxCount)") }
        if isInherited(relationship) { flags.append("inherited") }
        return flags
    }

    private func ruleName(_ rule: NSDeleteRule) -> String {
        switch rule {
        case .noActionDeleteRule: "No Action"
        case .nullifyDeleteRule: "Nullify"
        case .cascadeDeleteRule: "Cascade"
        case .denyDeleteRule: "Deny"
        @unknown default: "Unknown"
        }
    }

    // MARK: Indexes and names

    private func json(_ index: NSFetchIndexDescription) -> JSONValue {
        [
            "name": .string(index.name),
            "elements": .array(
                index.elements.map {
                    [
                        "property": JSONValue($0.propertyName),
                        "type": .string($0.collationType == .rTree ? "R-tree" : "Binary"),
                        "ascending": .bool($0.isAscending),
                    ]
                }),
            "predicate": JSONValue(index.partialIndexPredicate?.predicateFormat),
        ]
    }

    private func elementText(_ element: NSFetchIndexElementDescription) -> String {
        (element.propertyName ?? "?") + (element.isAscending ? "" : " descending")
            + (element.collationType == .rTree ? " R-tree" : "")
    }

    /// Whether a property comes from the parent entity.
    private func isInherited(_ property: NSPropertyDescription) -> Bool {
        entity.superentity?.propertiesByName[property.name] != nil
    }

    /// A renaming identifier that is not the name itself.
    private func renaming(_ identifier: String?, _ name: String) -> String? {
        identifier == name ? nil : identifier
    }
}
