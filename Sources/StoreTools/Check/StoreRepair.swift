package import Foundation
package import OpenCoreData

/// Repairs what can be repaired in a store without losing anything: dangling links, counters, defaults, indexes.
///
/// The store must not be in use. All repairs are one transaction. Each changed row gets a new version, so that a
/// context with the former values has a conflict.
package struct StoreRepair {
    /// One kind of repair of one column or table, and how many rows it concerns.
    package struct Step: Hashable, Sendable {
        package let sentence: String
        package let rows: Int
    }

    private let connection: SQLiteConnection
    private let schema: SQLSchema
    private var steps: [Step] = []

    /// Repairs the store at `url`.
    ///
    /// - Parameter dryRun: Whether to find out only what would be done.
    /// - Returns: What was done; empty when there was nothing to do.
    /// - Throws: When the file cannot be opened or written. Nothing has changed then.
    package static func run(onStoreAt url: URL, model: NSManagedObjectModel, dryRun: Bool) throws -> [Step] {
        do {
            return try steps(onStoreAt: url, model: model, dryRun: dryRun)
        } catch let error as SQLiteError {
            throw error.cocoaError(while: .saving)
        }
    }

    private static func steps(onStoreAt url: URL, model: NSManagedObjectModel, dryRun: Bool) throws -> [Step] {
        struct Undo: Error {}
        let configuration = SQLiteConfiguration(access: .readWrite)
        let connection = try SQLiteConnection(path: url.path, configuration: configuration)
        defer { connection.close() }
        var steps: [Step] = []
        do {
            try connection.transaction {
                let schema = try SQLSchema(
                    entities: ValueChecker.members(of: model, at: url),
                    reconciledWith: StoredLayout(readingFrom: connection))
                var repair = StoreRepair(connection: connection, schema: schema)
                try repair.run()
                steps = repair.steps
                if dryRun || steps.isEmpty { throw Undo() }
            }
        } catch is Undo {
        }
        return steps
    }

    private init(connection: SQLiteConnection, schema: SQLSchema) {
        self.connection = connection
        self.schema = schema
    }

    private mutating func run() throws {
        for entity in schema.entities {
            for relationship in entity.relationships where isDeclared(relationship.name, by: entity) {
                try repair(relationship, of: entity)
            }
            for attribute in entity.attributes where isDeclared(attribute.name, by: entity) {
                try fill(attribute, of: entity)
            }
        }
        for table in schema.tables { try raiseCounter(of: table) }
        try remakeIndexes()
    }

    // MARK: Relationships

    private mutating func repair(_ relationship: SQLRelationship, of entity: SQLEntity) throws {
        guard let destination = relationship.destinationNumber.flatMap({ schema.entity(number: $0) }) else { return }
        let mayBeMeant = Self.mayBe(destination)
        let own = entity.condition(includingSubentities: true).map { " AND \($0)" } ?? ""
        switch relationship.storage {
        case .toOne(let toOne):
            let (table, column) = (entity.table.sql, toOne.column.sql)
            let others = [toOne.entityColumn, toOne.orderColumn].compactMap { $0 }.map { ", \($0.sql) = NULL" }.joined()
            try change(
                "UPDATE \(table) SET \(column) = NULL\(others), Z_OPT = Z_OPT + 1 WHERE \(column) IS NOT NULL\(own) "
                    + "AND NOT EXISTS (SELECT 1 FROM \(destination.table.sql) AS d "
                    + "WHERE d.Z_PK = \(table).\(column)\(mayBeMeant))",
                "\(entity.name).\(relationship.name) refers to an object that doesn't exist: set to nil")
            if let entityColumn = toOne.entityColumn {
                let numbers = destination.subtreeNumbers.map(String.init).joined(separator: ",")
                let real =
                    "(SELECT d.Z_ENT FROM \(destination.table.sql) AS d WHERE d.Z_PK = \(table).\(column) "
                    + "AND d.Z_ENT IN (\(numbers)))"
                try change(
                    "UPDATE \(table) SET \(entityColumn.sql) = \(real), Z_OPT = Z_OPT + 1 "
                        + "WHERE \(column) IS NOT NULL\(own) AND \(real) IS NOT NULL "
                        + "AND \(entityColumn.sql) IS NOT \(real)",
                    "\(entity.name).\(relationship.name) has the number of another entity: corrected")
            }
        case .manyToMany(let join):
            for (column, end) in [(join.ownColumn, entity), (join.otherColumn, destination)] {
                try change(
                    "DELETE FROM \(join.table.sql) WHERE NOT EXISTS (SELECT 1 FROM \(end.table.sql) AS d "
                        + "WHERE d.Z_PK = \(join.table.sql).\(column.sql)\(Self.mayBe(end)))",
                    "\(entity.name).\(relationship.name) has links to objects that don't exist: removed")
            }
        default: break
        }
    }

    /// A condition for rows that are of an entity, or whose number of an entity is damaged: what such a row is can't be
    /// told, so links to it are kept.
    private static func mayBe(_ entity: SQLEntity) -> String {
        guard let condition = entity.condition(includingSubentities: true, alias: "d.") else { return "" }
        let numbers = entity.table.entityNumbers.map(String.init).joined(separator: ",")
        return " AND (\(condition) OR d.Z_ENT IS NULL OR d.Z_ENT NOT IN (\(numbers)))"
    }

    // MARK: Values

    /// Gives objects the default of an attribute that must have a value, and turns text into the number that it is.
    private mutating func fill(_ attribute: SQLAttribute, of entity: SQLEntity) throws {
        guard attribute.composite == nil, !attribute.isDerived else { return }
        let own = entity.condition(includingSubentities: true).map { " AND \($0)" } ?? ""
        let (table, column) = (entity.table.sql, attribute.column.sql)
        if !attribute.attribute.isOptional,
            let value = Self.stored(attribute.attribute.defaultValue, attribute.attribute)
        {
            try change(
                "UPDATE \(table) SET \(column) = ?, Z_OPT = Z_OPT + 1 WHERE \(column) IS NULL\(own)",
                "\(entity.name).\(attribute.name) has no value: set to the model's default", [value])
        }
        switch attribute.attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            try change(
                "UPDATE \(table) SET \(column) = CAST(\(column) AS INTEGER), Z_OPT = Z_OPT + 1 "
                    + "WHERE (typeof(\(column)) = 'text' AND CAST(CAST(\(column) AS INTEGER) AS TEXT) = \(column) "
                    + "OR typeof(\(column)) = 'real' AND CAST(\(column) AS INTEGER) = \(column))\(own)",
                "\(entity.name).\(attribute.name) is stored as another type: converted to an integer")
        default: break
        }
    }

    private static func stored(_ value: Any?, _ attribute: NSAttributeDescription) -> SQLValue? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
            (value as? NSNumber).map { .integer($0.int64Value) }
        case .doubleAttributeType, .floatAttributeType: (value as? NSNumber).map { .real($0.doubleValue) }
        case .stringAttributeType: (value as? String).map { .text($0) }
        case .dateAttributeType: (value as? Date).map { .real($0.timeIntervalSinceReferenceDate) }
        default: nil
        }
    }

    // MARK: Counters and indexes

    private mutating func raiseCounter(of table: SQLTable) throws {
        try change(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM \(table.sql)) WHERE Z_ENT = ? "
                + "AND typeof(Z_MAX) = 'integer' AND Z_MAX < (SELECT max(Z_PK) FROM \(table.sql))",
            "the counter of \(table.name) is too low: raised", [.integer(Int64(table.rootNumber))])
    }

    private mutating func remakeIndexes() throws {
        let broken = try connection.rows("PRAGMA integrity_check(100)").contains { row in
            if case .text(let message)? = row.first { message.contains("index") } else { false }
        }
        guard broken else { return }
        try connection.run("REINDEX")
        steps.append(Step(sentence: "an index disagrees with its table: all indexes are rebuilt", rows: 0))
    }

    // MARK: Parts

    private mutating func change(_ sql: String, _ sentence: String, _ values: [SQLValue] = []) throws {
        let rows = try connection.run(sql, values)
        if rows > 0 { steps.append(Step(sentence: sentence, rows: rows)) }
    }

    private func isDeclared(_ name: String, by entity: SQLEntity) -> Bool {
        let first = name.split(separator: ".").first.map(String.init) ?? name
        return entity.superNumber == 0 || entity.entity.superentity?.propertiesByName[first] == nil
    }
}
