package import Foundation
package import OpenCoreData

/// A value that the model does not allow: none where there has to be one, or one of another type.
package struct ValueFinding: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case missing = "missing value"
        case type = "value type"
    }

    package let kind: Kind
    package let table: String
    package let row: Int64
    /// The object, as `Book/p12`.
    package let object: String
    package let property: String
    package let message: String
}

/// Looks for values that the model does not allow. Nothing is written.
package struct ValueChecker {
    /// The most findings for one property; what is wrong in one row is often wrong in many.
    private static let limit = 100

    private let connection: SQLiteConnection
    private let schema: SQLSchema

    /// Checks the store at `url` against the model of its data.
    ///
    /// - Throws: When the file cannot be opened, or has not the tables of the model.
    package static func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [ValueFinding] {
        let connection = try SQLiteConnection.readingOnly(url)
        defer { connection.close() }
        return try connection.snapshot {
            let schema = try SQLSchema(
                entities: members(of: model, at: url), reconciledWith: StoredLayout(readingFrom: connection))
            return try ValueChecker(connection: connection, schema: schema).run()
        }
    }

    /// The entities that the store has; a configuration may have some of the model only.
    static func members(of model: NSManagedObjectModel, at url: URL) -> [NSEntityDescription] {
        let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        let hashes = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let members = model.entities.filter { hashes[$0.name ?? ""] != nil }
        return members.isEmpty ? model.entities : members
    }

    private func run() throws -> [ValueFinding] {
        var findings: [ValueFinding] = []
        for entity in schema.entities {
            for attribute in entity.attributes where isDeclared(attribute.name, by: entity) {
                findings += try missing(attribute, of: entity) + others(attribute, of: entity)
                findings += try tooLarge(attribute, of: entity)
            }
            for relationship in entity.relationships where isDeclared(relationship.name, by: entity) {
                guard case .toOne(let toOne) = relationship.storage, !relationship.relationship.isOptional else {
                    continue
                }
                findings += try rows(
                    of: entity, where: "\(toOne.column.sql) IS NULL", .missing, relationship.name
                ) { _ in
                    "\(relationship.name) has no object, but is required."
                }
            }
        }
        return findings
    }

    private func missing(_ attribute: SQLAttribute, of entity: SQLEntity) throws -> [ValueFinding] {
        guard attribute.composite == nil, !attribute.attribute.isOptional, !attribute.isDerived else { return [] }
        return try rows(of: entity, where: "\(attribute.column.sql) IS NULL", .missing, attribute.name) { _ in
            "\(attribute.name) has no value, but is required."
        }
    }

    private func others(_ attribute: SQLAttribute, of entity: SQLEntity) throws -> [ValueFinding] {
        guard let types = Self.storedTypes(attribute.attribute) else { return [] }
        let column = attribute.column.sql
        return try rows(
            of: entity, where: "\(column) IS NOT NULL AND typeof(\(column)) NOT IN (\(types))", .type, attribute.name,
            value: "typeof(\(column))"
        ) { value in
            let kind = AttributeCoding.kind(of: attribute.attribute)
            return "\(attribute.name) is stored as \(Self.noun(value)), but should be \(kind)."
        }
    }

    /// Integers that SQLite keeps, and that the attribute's type is too small for.
    private func tooLarge(_ attribute: SQLAttribute, of entity: SQLEntity) throws -> [ValueFinding] {
        guard let range = SlotKind(attribute.attribute.attributeType).integerRange else { return [] }
        let column = attribute.column.sql
        return try rows(
            of: entity,
            where:
                "typeof(\(column)) = 'integer' AND \(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)",
            .type, attribute.name, value: column
        ) { value in
            let number = if case .integer(let number) = value { String(number) } else { "a number" }
            return "\(attribute.name) is \(number), but should be \(AttributeCoding.kind(of: attribute.attribute))."
        }
    }

    /// The types that SQLite may keep values of an attribute as; nil where all are possible.
    private static func storedTypes(_ attribute: NSAttributeDescription) -> String? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            "'integer'"
        case .doubleAttributeType, .floatAttributeType, .dateAttributeType: "'real', 'integer'"
        case .decimalAttributeType: "'real', 'integer', 'text'"
        case .stringAttributeType, .URIAttributeType: "'text'"
        case .binaryDataAttributeType, .UUIDAttributeType: "'blob'"
        default: nil
        }
    }

    private static func noun(_ value: SQLValue) -> String {
        switch value {
        case .text("real"): "a number with decimals"
        case .text("integer"): "an integer"
        case .text("text"): "text"
        default: "bytes"
        }
    }

    private func rows(
        of entity: SQLEntity, where condition: String, _ kind: ValueFinding.Kind, _ property: String,
        value: String = "NULL", _ message: (SQLValue) -> String
    ) throws -> [ValueFinding] {
        let own = entity.condition(includingSubentities: true).map { " AND \($0)" } ?? ""
        let rows = try connection.rows(
            "SELECT Z_PK, Z_ENT, \(value) FROM \(entity.table.sql) WHERE \(condition)\(own) LIMIT \(Self.limit)")
        return rows.compactMap { row in
            guard case .integer(let key) = row[0] else { return nil }
            let concrete: SQLEntity? =
                if case .integer(let number) = row[1] { schema.entity(number: Int(clamping: number)) } else { nil }
            return ValueFinding(
                kind: kind, table: entity.table.name, row: key, object: "\((concrete ?? entity).name)/p\(key)",
                property: property, message: message(row[2]))
        }
    }

    /// Whether an entity is the first in its tree to have the property.
    private func isDeclared(_ name: String, by entity: SQLEntity) -> Bool {
        let first = name.split(separator: ".").first.map(String.init) ?? name
        return entity.superNumber == 0 || entity.entity.superentity?.propertiesByName[first] == nil
    }
}
