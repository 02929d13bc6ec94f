import Foundation
import OpenCoreData

extension StoreUpsert {
    private static let entityKey = "entity"

    /// The entity that a record names as its own; `nil` if it names none.
    ///
    /// - Throws: `ToolFailure` if it's neither the entity of the records nor one that inherits from it.
    func namedEntity(of record: Record) throws -> NSEntityDescription? {
        let name: String
        switch record.values.first(where: { $0.key == Self.entityKey })?.value {
        case .json(.string(let string))?, .field(let string)?: name = string
        case .json(.null)?, nil: return nil
        case .json(let json)?: throw ToolFailure("\(record.name) has \(json.kind) where its entity's name should be.")
        }
        guard let named = session.model.entitiesByName[name] else {
            throw ToolFailure("\(record.name): \(ModelSource.unknown(entity: name, in: session.model).description)")
        }
        guard named.isKindOf(entity: entity) else {
            throw ToolFailure(
                "\(record.name) is of the entity \(name), which isn't \(entity.displayName) and doesn't inherit from it."
            )
        }
        return named
    }

    /// The values of a record by property; `NSNull` for nil.
    func values(of record: Record, in context: NSManagedObjectContext) throws -> [String: Any] {
        let entity = try namedEntity(of: record) ?? entity
        var result: [String: Any] = [:]
        for (name, value) in record.values where name != Field.objectID.path && name != Self.entityKey {
            do {
                if let attribute = entity.attributesByName[name] {
                    if attribute is NSDerivedAttributeDescription { continue }
                    result[name] = try self.value(value, of: attribute) ?? NSNull()
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

    private func value(_ value: Value, of attribute: NSAttributeDescription) throws -> Any? {
        switch value {
        case .json(let json): try AttributeCoding.value(json, of: attribute)
        case .field(let field): try CommandLineValue.value(field: field, of: attribute)
        }
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
        case .field(let field): names = field.split { $0 == " " || $0 == "," }.map(String.init)
        case .json(let json):
            throw ToolFailure("\(json.kind) is not a value for the relationship \(relationship.name).")
        }
        return try session.destinations(of: relationship, named: names, in: context)
    }
}
