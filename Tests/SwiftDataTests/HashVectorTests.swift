#if Macros
import CoreDataEngine
import Foundation
@testable import SwiftData
import TestSupport
import Testing

/// The version hashes that Apple's framework gave to entities described as data.
struct HashVectorTests {
    private struct File: Decodable { let entities: [Vector] }

    private struct Vector: Decodable {
        let entity: String
        let variant: String?
        let uniqueness: [[String]]
        let properties: [Property]
        let hash: String
    }

    private struct Property: Decodable {
        let name: String
        let kind: String
        let swift: String?
        let optional: Bool
        let elements: [Property]?
        let destination: String?
        let inverse: String?
        let maxCount: Int?
    }

    private static let url = Fixtures.root?.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("reference/swiftdata-hash-vectors.json")

    private struct Part: Codable { var name: String }
    private enum Raw: String, Codable { case one }

    private static func type(_ swift: String) -> Any.Type? {
        switch swift {
        case "String", "raw value String": String.self
        case "String?": String?.self
        case "Data": Data.self
        case "Data?": Data?.self
        case "Bool": Bool.self
        case "Int": Int.self
        case "Int?": Int?.self
        case "Int32": Int32.self
        case "Int64?": Int64?.self
        case "UInt8": UInt8.self
        case "UInt16": UInt16.self
        case "UInt32": UInt32.self
        case "UInt32?": UInt32?.self
        case "UInt64": UInt64.self
        case "Date": Date.self
        case "Date?": Date?.self
        case "UUID": UUID.self
        case "UUID?": UUID?.self
        case "Double": Double.self
        case "Decimal": Decimal.self
        case "Decimal?": Decimal?.self
        case "[String]": [String].self
        case "[struct]": [Part].self
        case "[String: struct]?": [String: Part]?.self
        case "struct?": Part?.self
        case "enum with String raw value": Raw.self
        default: nil
        }
    }

    private struct UnknownType: Error { let name: String }

    private static func attribute(_ property: Property) throws -> Schema.Attribute {
        let type = try type(property.swift ?? "") ?? { throw UnknownType(name: property.name) }()
        guard let elements = property.elements else {
            return Schema.Attribute(name: property.name, valueType: type)
        }
        let composite = Schema.CompositeAttribute(name: property.name, valueType: type)
        composite.properties = try elements.map(attribute)
        return composite
    }

    private static func relationship(_ property: Property) -> Schema.Relationship {
        let relationship = Schema.Relationship()
        relationship.name = property.name
        relationship.originalName = property.name
        relationship.destination = property.destination ?? ""
        relationship.inverseName = property.inverse
        relationship.isToMany = property.maxCount != 1
        relationship.valueType = property.optional ? Part?.self : Part.self
        return relationship
    }

    @Test(.enabled(if: Fixtures.available))
    func everyVectorHashesAsInAppleStores() throws {
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: try #require(Self.url)))
        #expect(file.entities.count == 35)
        for vector in file.entities {
            let entity = Schema.Entity(vector.entity)
            entity.storedProperties = try vector.properties.map { property -> any SchemaProperty in
                property.kind == "relationship" ? Self.relationship(property) : try Self.attribute(property)
            }
            entity.uniquenessConstraints = vector.uniqueness
            var builder = SchemaModel(Schema(entity))
            let made = try #require(builder.make().entitiesByName[vector.entity])
            let hash = made.versionHash.map { String(format: "%02x", $0) }.joined()
            #expect(hash == vector.hash, "\(vector.entity) \(vector.variant ?? "")")
        }
    }
}
#endif
