package import Foundation
package import OpenCoreData

/// A value that the model does not allow: none where there has to be one, or one of another type.
package struct ValueFinding: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case missing = "missing value"
        case type = "value type"
    }

    package let kind: Kind
    package let level: StoreFinding.Level
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
                findings += try tooLarge(attribute, of: entity) + unreadable(attribute, of: entity)
            }
            for relationship in entity.relationships where isDeclared(relationship.name, by: entity) {
                findings += try others(relationship, of: entity)
            }
        }
        return findings
    }

    /// What is wrong with a value, and how much that matters; nil when it is sound.
    private typealias Verdict = (level: StoreFinding.Level, message: String)

    private func others(_ relationship: SQLRelationship, of entity: SQLEntity) throws -> [ValueFinding] {
        guard case .toOne(let toOne) = relationship.storage else { return [] }
        let (column, name) = (toOne.column.sql, relationship.name)
        let findings = try rows(
            of: entity, where: "\(column) IS NOT NULL AND typeof(\(column)) <> 'integer'", .type, name, value: column
        ) { value in
            (
                Self.isRead(value, as: .integer64AttributeType) ? .notice : .damage,
                "\(name) is stored as \(Self.noun(value)), but should be the primary key of an object."
            )
        }
        guard !relationship.relationship.isOptional else { return findings }
        return try findings
            + rows(of: entity, where: "\(column) IS NULL", .missing, name) { _ in
                (.notice, "\(name) has no object, but is required.")
            }
    }

    private func missing(_ attribute: SQLAttribute, of entity: SQLEntity) throws -> [ValueFinding] {
        guard attribute.composite == nil, !attribute.attribute.isOptional, !attribute.isDerived else { return [] }
        return try rows(of: entity, where: "\(attribute.column.sql) IS NULL", .missing, attribute.name) { _ in
            (.notice, "\(attribute.name) has no value, but is required.")
        }
    }

    private func others(_ attribute: SQLAttribute, of entity: SQLEntity) throws -> [ValueFinding] {
        guard let types = Self.storedTypes(attribute.attribute) else { return [] }
        let column = attribute.column.sql
        return try rows(
            of: entity, where: "\(column) IS NOT NULL AND typeof(\(column)) NOT IN (\(types))", .type, attribute.name,
            value: column
        ) { value in
            let kind = AttributeCoding.kind(of: attribute.attribute)
            return (
                Self.isRead(value, as: attribute.attribute.attributeType) ? .notice : .damage,
                "\(attribute.name) is stored as \(Self.noun(value)), but should be \(kind)."
            )
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
            let number = value.integer.map(String.init) ?? "a number"
            let kind = AttributeCoding.kind(of: attribute.attribute)
            return (.damage, "\(attribute.name) is \(number), but should be \(kind).")
        }
    }

    /// Values whose type in SQL is possible for the attribute, but which can't be read as its type.
    private func unreadable(_ attribute: SQLAttribute, of entity: SQLEntity) throws -> [ValueFinding] {
        let column = attribute.column.sql
        let condition: String
        let what: String
        /// What only its content tells apart from a sound value.
        var isSound: ((SQLValue) -> Bool)?
        switch attribute.attribute.attributeType {
        case .decimalAttributeType:
            // Only values that may be no decimal are read: most are numbers.
            condition = "typeof(\(column)) = 'text' OR typeof(\(column)) = 'real' AND abs(\(column)) > 1e100"
            what = "no decimal"
            isSound = { ($0.string ?? $0.number.map(SQLNumber.string(of:))).map(Decimal.isNumber) ?? false }
        case .UUIDAttributeType:
            condition = "typeof(\(column)) = 'blob' AND length(\(column)) <> 16"
            what = "of another length than 16 bytes"
        case .URIAttributeType:
            condition = "typeof(\(column)) = 'text'"
            what = "text that isn't a URI"
            isSound = { URL(string: $0.string ?? "") != nil }
        case .binaryDataAttributeType where attribute.hasExternalStorage:
            condition =
                "typeof(\(column)) = 'blob' AND length(\(column)) > 0 "
                + "AND substr(\(column), 1, 1) NOT IN (x'01', x'02')"
            what = "without the byte that says where it is kept"
        default: return []
        }
        let kind = AttributeCoding.kind(of: attribute.attribute)
        return try rows(
            of: entity, where: condition, .type, attribute.name, value: column, isLimited: isSound == nil
        ) { value in
            isSound?(value) == true ? nil : (.damage, "\(attribute.name) is \(what), but should be \(kind).")
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
        case .binaryDataAttributeType, .UUIDAttributeType, .transformableAttributeType: "'blob'"
        default: nil
        }
    }

    private static func noun(_ value: SQLValue) -> String {
        switch value {
        case .real: "a number with decimals"
        case .integer: "an integer"
        case .text: "text"
        case .blob, .null: "bytes"
        }
    }

    /// Whether a value that is kept as one of another type is read without a loss nevertheless.
    private static func isRead(_ value: SQLValue, as type: NSAttributeType) -> Bool {
        switch type {
        case .stringAttributeType, .URIAttributeType: return value.number != nil
        case .UUIDAttributeType: return value.string.flatMap(UUID.init(uuidString:)) != nil
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
            .doubleAttributeType, .floatAttributeType, .dateAttributeType:
            guard
                let number = value.number ?? value.string.flatMap({ Decimal.isNumber($0) ? Double($0) : nil })
            else { return false }
            return type.isReal || Int64(exactly: number) != nil
        default: return false
        }
    }

    /// - Parameter isLimited: Whether each row that the condition finds is a finding, so that no more need be read than
    ///   are shown.
    private func rows(
        of entity: SQLEntity, where condition: String, _ kind: ValueFinding.Kind, _ property: String,
        value: String = "NULL", isLimited: Bool = true, _ verdict: (SQLValue) -> Verdict?
    ) throws -> [ValueFinding] {
        let own = entity.condition(includingSubentities: true).map { " AND \($0)" } ?? ""
        let rows = try connection.rows(
            "SELECT Z_PK, Z_ENT, \(value) FROM \(entity.table.sql) WHERE (\(condition))\(own)"
                + (isLimited ? " LIMIT \(Self.limit)" : ""))
        var findings: [ValueFinding] = []
        for row in rows {
            guard case .integer(let key) = row[0], let verdict = verdict(row[2]) else { continue }
            let concrete = row[1].integer.flatMap { schema.entity(number: Int(clamping: $0)) } ?? entity
            findings.append(
                ValueFinding(
                    kind: kind, level: verdict.level, table: entity.table.name, row: key,
                    object: "\(concrete.name)/p\(key)", property: property, message: verdict.message))
            if findings.count == Self.limit { break }
        }
        return findings
    }

    /// Whether an entity is the first in its tree to have the property.
    private func isDeclared(_ name: String, by entity: SQLEntity) -> Bool {
        let first = name.split(separator: ".").first.map(String.init) ?? name
        return entity.superNumber == 0 || entity.entity.superentity?.propertiesByName[first] == nil
    }
}

extension NSAttributeType {
    /// Whether values are kept as numbers with decimals.
    fileprivate var isReal: Bool {
        switch self {
        case .doubleAttributeType, .floatAttributeType, .dateAttributeType: true
        default: false
        }
    }
}
