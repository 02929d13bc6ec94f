#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// What the page has to know of a model: entities with their properties, and how each is shown.
enum ModelDocument {
    /// - Parameter classNames: The classes that the model names, by entity, where its entities have others.
    static func json(_ reader: StoreReader, classNames: [String: String]) -> JSONValue {
        // The column of a decimal in SQLite has the digits of a double.
        let digits: JSONValue = reader.store.type == NSSQLiteStoreType ? 15 : .null
        return .array(
            reader.model.sortedEntities.map {
                entity($0, className: classNames[$0.displayName], decimalDigits: digits)
            })
    }

    private static func entity(
        _ entity: NSEntityDescription, className: String?, decimalDigits: JSONValue
    ) -> JSONValue {
        let own = Set(entity.descendants.flatMap { $0.propertiesByName.keys }).subtracting(
            entity.propertiesByName.keys)
        return [
            "name": .string(entity.displayName),
            "parent": JSONValue(entity.superentity?.name),
            "abstract": .bool(entity.isAbstract),
            "subentities": JSONValue(entity.descendants.map(\.displayName).sorted()),
            "label": JSONValue(ObjectLabel.attribute(of: entity)?.name),
            "attributes": .array(entity.storedAttributes.map { attribute($0, decimalDigits: decimalDigits) }),
            "relationships": .array(entity.storedRelationships.map(relationship)),
            "ofSubentities": JSONValue(own.sorted()),
            "schema": EntitySchema(entity: entity, className: className).json,
        ]
    }

    private static func attribute(_ attribute: NSAttributeDescription, decimalDigits: JSONValue) -> JSONValue {
        var cases: JSONValue = .null
        if let composite = attribute as? NSCompositeAttributeDescription,
            case .cases(let names) = CompositeShape(of: composite)
        {
            cases = JSONValue(names)
        }
        return [
            "name": .string(attribute.name), "kind": .string(kind(of: attribute)),
            "type": .string(SourceValue.name(of: attribute.attributeType) ?? "Other"),
            "optional": .bool(attribute.isOptional),
            "derived": .bool(attribute is NSDerivedAttributeDescription), "cases": cases,
            "digits": attribute.attributeType == .decimalAttributeType ? decimalDigits : .null,
        ]
    }

    /// How values are shown.
    static func kind(of attribute: NSAttributeDescription) -> String {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "integer"
        case .decimalAttributeType: "decimal"
        case .doubleAttributeType, .floatAttributeType: "number"
        case .stringAttributeType: "text"
        case .booleanAttributeType: "boolean"
        case .dateAttributeType: "date"
        case .binaryDataAttributeType: "data"
        case .UUIDAttributeType: "uuid"
        case .URIAttributeType: "uri"
        case .compositeAttributeType: "composite"
        case .transformableAttributeType: "transformable"
        default: "other"
        }
    }

    private static func relationship(_ relationship: NSRelationshipDescription) -> JSONValue {
        [
            "name": .string(relationship.name), "destination": JSONValue(relationship.destinationEntity?.name),
            "toMany": .bool(relationship.isToMany), "ordered": .bool(relationship.isOrdered),
            "optional": .bool(relationship.isOptional),
            "inverse": JSONValue(relationship.inverseRelationship?.name),
        ]
    }
}
#endif
