#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// An object with all that it holds and leads to.
enum ObjectDocument {
    /// Objects of a relationship that are listed at once; the rest is a list of its own.
    private static let mostRelated = 12

    static func json(_ object: NSManagedObject, in reader: StoreReader) throws -> JSONValue {
        let entity = object.entity
        // Before the values: a file that is missing would be the error of the next fetch.
        let relationships = try entity.storedRelationships.map { relationship -> JSONValue in
            let related = try RelatedObjects(object, relationship).beginning(mostRelated, in: reader)
            return [
                "name": .string(relationship.name), "count": JSONValue(related.count),
                "objects": .array(related.objects.map(ObjectLabel.link)),
            ]
        }
        return [
            "id": .string(object.inspectorName),
            "uri": .string(object.objectID.uriRepresentation().absoluteString),
            "entity": .string(entity.displayName),
            "label": JSONValue(ObjectLabel.string(of: object)),
            "attributes": .array(
                entity.storedAttributes.map { attribute in
                    [
                        "name": .string(attribute.name),
                        "value": CellValue.json(of: object, attribute, longest: CellValue.longLength),
                    ]
                }),
            "relationships": .array(relationships),
        ]
    }

    /// The whole value of an attribute, or of a key path that a list has as a column, as bytes and their type.
    static func bytes(of object: NSManagedObject, key: String) throws -> (data: Data, type: String) {
        guard let attribute = object.entity.attributesByName[key] else {
            guard key.contains("."), let field = try? Field(path: key, entity: object.entity) else {
                throw InspectorError(.notFound, "\(object.entity.displayName) has no attribute named \(key).")
            }
            return try text(field.value(of: object), key)
        }
        let value = object.value(forKey: key)
        if let data = value as? Data, attribute.attributeType == .binaryDataAttributeType {
            let type = DataType.name(of: data)
            return (data, DataType.isPicture(type) ? type ?? "" : "application/octet-stream")
        }
        return try text(AttributeCoding.json(value, of: attribute), key)
    }

    private static func text(_ value: JSONValue, _ key: String) throws -> (data: Data, type: String) {
        switch value {
        case .null: throw InspectorError(.notFound, "\(key) has no value.")
        case .string(let string): return (Data(string.utf8), "text/plain; charset=utf-8")
        case let other:
            return (Data(JSONText.string(of: other, layout: .indented).utf8), "text/plain; charset=utf-8")
        }
    }
}
#endif
