package import Foundation
package import OpenCoreData

/// A model reconstructed from the tables of a store that keeps no copy of its model, as old frameworks left them.
///
/// Tables show the entities, their inheritance, columns and joins. They do not show the case of names, which all become
/// lower case; which of an entity's subentities has an attribute, so that the topmost has them all; whether a number is
/// a boolean; what is optional; and the delete rules. Such a model is good for reading and never for writing.
package struct ModelReconstruction {
    private let connection: SQLiteConnection
    private var tables: Set<String> = []
    private var entities: [Int64: NSEntityDescription] = [:]
    private var parents: [Int64: Int64] = [:]
    private var properties: [ObjectIdentifier: [NSPropertyDescription]] = [:]

    /// Works out the model of the store at `url`.
    ///
    /// - Throws: When the tables that every store has cannot be read.
    package static func model(ofStoreAt url: URL) throws -> NSManagedObjectModel {
        do {
            let connection = try SQLiteConnection.readingOnly(url)
            defer { connection.close() }
            var reconstruction = ModelReconstruction(connection: connection)
            return try reconstruction.model()
        } catch let error as SQLiteError {
            throw ToolFailure("\(url.path) cannot be read: \(error.message).")
        }
    }

    private init(connection: SQLiteConnection) {
        self.connection = connection
    }

    private mutating func model() throws -> NSManagedObjectModel {
        try readEntities()
        for number in roots { try readColumns(ofRoot: number) }
        for table in tables.sorted() { try readJoin(table) }
        for entity in entities.values {
            entity.properties = (properties[ObjectIdentifier(entity)] ?? []).sorted { $0.name < $1.name }
        }
        let model = NSManagedObjectModel()
        model.entities = entities.keys.sorted().compactMap { entities[$0] }
        return model
    }

    // MARK: Entities

    /// The numbers of the entities that have a table.
    private var roots: [Int64] { entities.keys.filter { parents[$0] == nil }.sorted() }

    private mutating func readEntities() throws {
        for row in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
            if case .text(let name) = row[0] { tables.insert(name) }
        }
        var names: Set<String> = []
        for row in try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT") {
            guard case .integer(let number) = row[0], SQLSchema.entityNumbers.contains(Int(clamping: number)),
                case .text(let name) = row[1], Self.isName(name), names.insert(name.uppercased()).inserted
            else { continue }
            let entity = NSEntityDescription()
            entity.name = name
            entities[number] = entity
            if case .integer(let parent) = row[2], parent != 0 { parents[number] = parent }
        }
        // Numbers below the first entity's belong to tables of history. A missing parent is ignored.
        parents = parents.filter { entities[$0.value] != nil && !leadsToItself($0.key) }
        for (number, entity) in entities {
            entity.subentities = parents.filter { $0.value == number }.keys.sorted().compactMap { entities[$0] }
        }
    }

    /// Whether an entity can have a name; any other string there is damage.
    private static func isName(_ string: String) -> Bool {
        guard let first = string.first, first.isLetter || first == "_" else { return false }
        return string.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private func leadsToItself(_ number: Int64) -> Bool {
        var seen: Set<Int64> = [number]
        var next = parents[number]
        while let current = next {
            guard seen.insert(current).inserted else { return true }
            next = parents[current]
        }
        return false
    }

    // MARK: Columns

    private mutating func readColumns(ofRoot number: Int64) throws {
        guard let entity = entities[number], let name = entity.name else { return }
        let table = "Z" + name.uppercased()
        guard tables.contains(table) else {
            entity.isAbstract = true
            return
        }
        let indexed = try indexedColumns(of: table)
        for row in try connection.rows("SELECT name, type FROM pragma_table_info(?)", [.text(table)]) {
            guard case .text(let column) = row[0], case .text(let type) = row[1] else { continue }
            if let hidden = ReconstructedName(hiddenColumn: column), let owner = entities[hidden.entity] {
                add(Self.relationship(hidden.name, to: entity, isToMany: true), to: owner)
                continue
            }
            guard let property = ReconstructedName.property(ofColumn: column) else { continue }
            if type == "INTEGER", indexed.contains(column),
                let destination = try destination(ofColumn: column, in: table, named: name)
            {
                add(Self.relationship(property, to: destination, isToMany: false), to: entity)
            } else {
                let attribute = NSAttributeDescription()
                attribute.name = property
                attribute.attributeType = Self.attributeType(ofColumnType: type)
                attribute.isOptional = true
                add(attribute, to: entity)
            }
        }
    }

    private func indexedColumns(of table: String) throws -> Set<String> {
        let rows = try connection.rows(
            "SELECT i.name FROM pragma_index_list(?) AS l JOIN pragma_index_info(l.name) AS i", [.text(table)])
        return Set(rows.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
    }

    /// The entity that a column of row numbers points to: the only one whose name fits, if every number is a row of it.
    private func destination(
        ofColumn column: String, in table: String, named owner: String
    ) throws -> NSEntityDescription? {
        let wanted = String(column.dropFirst())
        let named = roots.compactMap { entities[$0] }
        let exact = named.filter {
            $0.name?.uppercased() == wanted || $0.name?.uppercased() == owner.uppercased() + wanted
        }
        let ending = named.filter { $0.name?.uppercased().hasSuffix(wanted) == true }
        guard let found = exact.count == 1 ? exact.first : ending.count == 1 ? ending.first : nil,
            let name = found.name, tables.contains("Z" + name.uppercased())
        else { return nil }
        let strays = try connection.firstValue(
            "SELECT 1 FROM \(Self.quoted(table)) WHERE \(Self.quoted(column)) IS NOT NULL AND \(Self.quoted(column)) "
                + "NOT IN (SELECT Z_PK FROM \(Self.quoted("Z" + name.uppercased()))) LIMIT 1")
        return strays == nil ? found : nil
    }

    private static func attributeType(ofColumnType type: String) -> NSAttributeType {
        switch type {
        case "VARCHAR": .stringAttributeType
        case "TIMESTAMP": .dateAttributeType
        case "FLOAT": .doubleAttributeType
        case "DECIMAL": .decimalAttributeType
        case "BLOB": .binaryDataAttributeType
        default: .integer64AttributeType
        }
    }

    // MARK: Joins

    /// The two relationships that a join table holds, each the inverse of the other.
    private mutating func readJoin(_ table: String) throws {
        guard table.hasPrefix("Z_"), ReconstructedName(joinColumn: table) != nil else { return }
        let columns = try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(table)])
            .compactMap { row in
                if case .text(let name)? = row.first { ReconstructedName(joinColumn: name) } else { nil }
            }
        guard columns.count == 2, let first = entities[columns[0].entity], let second = entities[columns[1].entity]
        else { return }
        // A column holds rows of one side and is named after the other side's relationship to it.
        let forth = Self.relationship(columns[1].name, to: second, isToMany: true)
        let back = Self.relationship(columns[0].name, to: first, isToMany: true)
        forth.inverseRelationship = back
        back.inverseRelationship = forth
        guard add(forth, to: first) else { return }
        if !add(back, to: second) { properties[ObjectIdentifier(first)]?.removeAll { $0 === forth } }
    }

    // MARK: Parts

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, isToMany: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.isOptional = true
        relationship.maxCount = isToMany ? 0 : 1
        return relationship
    }

    @discardableResult
    private mutating func add(_ property: NSPropertyDescription, to entity: NSEntityDescription) -> Bool {
        let chain = sequence(first: entity, next: \.superentity)
        guard
            !chain.contains(where: { properties[ObjectIdentifier($0)]?.contains { $0.name == property.name } == true })
        else { return false }
        properties[ObjectIdentifier(entity), default: []].append(property)
        return true
    }

    /// A name from the file as an SQL identifier.
    private static func quoted(_ name: String) -> String {
        "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
