package import Foundation
package import OpenCoreData

/// The entities of a SQLite store as tables that have the model's names, for statements that only read.
///
/// Each entity is a view with a column for each attribute and each to-one relationship. `objectID` is the number in
/// `Book/p12`; a to-one holds the number of its destination. Dates are strings of ISO 8601, UUIDs strings too. A
/// many-to-many relationship is a view of its own, `Book_tags`. The element of a composite attribute is a column such as
/// `"address.city"`. A value in an external file is null.
package final class EntityTables {
    private let connection: SQLiteConnection
    /// The names of the views, with those of their columns.
    package private(set) var tables: [(name: String, columns: [String])] = []

    /// Opens the store's file for reading only.
    ///
    /// - Parameter model: The model of the store's data.
    /// - Throws: `ToolFailure` if the file isn't a SQLite store.
    package init(url: URL, model: NSManagedObjectModel) throws {
        _ = try StoreFacts(url: url)
        do {
            connection = try SQLiteConnection.readingOnly(url)
            let layout = try StoredLayout(readingFrom: connection)
            let present = model.entities.filter { layout.entityNumbers[$0.displayName] != nil }
            let schema = try SQLSchema(entities: present, reconciledWith: layout)
            for entity in schema.entities { try makeView(of: entity, schema) }
            for entity in schema.entities { try makeJoinViews(of: entity) }
        } catch let error as SQLiteError {
            throw ToolFailure("\(url.path) cannot be read: \(error.message).", cause: error)
        }
    }

    deinit { connection.close() }

    /// Runs a statement that reads.
    ///
    /// - Parameters:
    ///   - titles: Called once with the names of the result's columns.
    ///   - body: Called with each row, until it returns false.
    /// - Throws: `ToolFailure` for anything but one statement that reads, and for what SQLite refuses.
    package func run(
        _ sql: String, titles: ([String]) throws -> Void, _ body: ([JSONValue]) throws -> Bool
    ) throws {
        try ReadingStatement.check(sql)
        do {
            let statement = try connection.prepare(sql)
            guard statement.isReadOnly else { throw ReadingStatement.refusal }
            guard statement.parameterCount == 0 else {
                throw ToolFailure(
                    "The statement has placeholders, for which there are no values; write the values into it.")
            }
            try titles((0..<statement.columnCount).map(statement.columnName))
            while try statement.step() {
                guard try body((0..<statement.columnCount).map { Self.json(statement.value(at: $0)) }) else { return }
            }
        } catch let error as SQLiteError {
            throw ToolFailure("\(error.message.capitalizedFirst).\(hint(error.message))", cause: error)
        }
    }

    private static func json(_ value: SQLValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .number(number)
        case .text(let string): .string(string)
        case .blob(let data): .string(data.base64EncodedString())
        }
    }

    /// What may have been meant by a name that SQLite doesn't know.
    private func hint(_ message: String) -> String {
        if message.hasPrefix("no such table: ") {
            let (name, names) = (String(message.dropFirst("no such table: ".count)), tables.map(\.name))
            return Suggestion.nearest(to: name, among: names).map { " Did you mean \($0)?" }
                ?? " The store has \(StoreSession.listed(names))."
        }
        guard message.hasPrefix("no such column: ") else { return "" }
        let name = String(message.dropFirst("no such column: ".count).split(separator: ".").last ?? "")
        let columns = Set(tables.flatMap(\.columns))
        let parts = columns.filter { $0.hasPrefix("\(name).") }.sorted()
        if !parts.isEmpty {
            return " Did you mean \(parts.map(SQLName.quoted).joined(separator: " or "))?"
        }
        return Suggestion.nearest(to: name, among: columns).map { " Did you mean \(Self.written($0))?" } ?? ""
    }

    /// A column's name as a statement has it: the path to an element is quoted.
    private static func written(_ name: String) -> String { name.contains(".") ? SQLName.quoted(name) : name }

    // MARK: Views

    private func makeView(of entity: SQLEntity, _ schema: SQLSchema) throws {
        var columns: [(name: String, sql: String)] = [("objectID", SQLColumn.primaryKey.sql)]
        if entity.table.isShared, entity.subtreeNumbers.count > 1 {
            let cases = entity.subtreeNumbers.compactMap { number in
                schema.entity(number: number).map { "WHEN \(number) THEN \(SQLName.literal($0.name))" }
            }
            columns.append(("entity", "CASE Z_ENT \(cases.joined(separator: " ")) END"))
        }
        for attribute in entity.attributes {
            let expression = Self.expression(attribute)
            columns.append((attribute.name, expression))
            // An enumeration with raw values has one element, which has its name.
            if let composite = attribute.composite, case .rawValues = CompositeShape(of: composite),
                attribute.name == "\(composite.name).\(attribute.attribute.name)"
            {
                columns.append((composite.name, expression))
            }
        }
        for relationship in entity.relationships {
            if case .toOne(let toOne) = relationship.storage { columns.append((relationship.name, toOne.column.sql)) }
        }
        let selected = columns.map { "\($0.sql) AS \(SQLName.quoted($0.name))" }.joined(separator: ", ")
        let condition = entity.condition(includingSubentities: true).map { " WHERE \($0)" } ?? ""
        try makeView(entity.name, columns.map(\.name), "SELECT \(selected) FROM main.\(entity.table.sql)\(condition)")
    }

    private func makeJoinViews(of entity: SQLEntity) throws {
        for relationship in entity.relationships {
            guard case .manyToMany(let pairs) = relationship.storage else { continue }
            func select(_ own: SQLColumn, _ other: SQLColumn) -> String {
                "SELECT \(own.sql) AS \"objectID\", \(other.sql) AS \(SQLName.quoted(relationship.name)) "
                    + "FROM main.\(pairs.table.sql)"
            }
            var sql = select(pairs.ownColumn, pairs.otherColumn)
            if pairs.isReflexive { sql += " UNION \(select(pairs.otherColumn, pairs.ownColumn))" }
            try makeView("\(entity.name)_\(relationship.name)", ["objectID", relationship.name], sql)
        }
    }

    private func makeView(_ name: String, _ columns: [String], _ sql: String) throws {
        // SQLite tells no names apart by case.
        guard !tables.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
        try connection.run("CREATE TEMP VIEW \(SQLName.quoted(name)) AS \(sql)")
        tables.append((name, columns))
    }

    private static func expression(_ attribute: SQLAttribute) -> String {
        let column = attribute.column.sql
        // A byte in front says whether the value is here or in a file.
        if attribute.hasExternalStorage {
            return "CASE WHEN hex(substr(\(column), 1, 1)) = '01' THEN substr(\(column), 2) END"
        }
        switch attribute.attribute.attributeType {
        case .dateAttributeType:
            // Counted from 2001. A date that SQLite has no name for stays a number.
            return "coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', \(column) + 978307200.0, 'unixepoch'), \(column))"
        case .UUIDAttributeType:
            let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(column)), \($0), \($1))" }
            return "CASE length(\(column)) WHEN 16 THEN \(parts.joined(separator: " || '-' || ")) ELSE \(column) END"
        default: return column
        }
    }
}
