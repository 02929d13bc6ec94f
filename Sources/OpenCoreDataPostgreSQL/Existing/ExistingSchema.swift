#if PostgreSQL
import Foundation
import OpenCoreData

/// Finds the tables and columns of a model among those that others have made.
///
/// The model says what belongs to what in its userInfo: `table` and `primaryKey` of an entity, and `version` where a column
/// counts the changes of a row; `column` of an attribute and of a to-one; `table` of a many-to-many, and `column` with the
/// column of its destinations.
struct ExistingSchema {
    static let keyName = "primaryKey"
    static let versionName = "version"

    let catalog: ExistingCatalog
    /// What the model asks for.
    let wanted: PostgreSQLSchema
    let location: String
    private var problems: [String] = []

    init(_ catalog: ExistingCatalog, _ wanted: PostgreSQLSchema, location: String) {
        self.catalog = catalog
        self.wanted = wanted
        self.location = location
    }

    /// Whether a model is about tables that others have made: each of its entities names its primary key.
    static func isDescribed(by entities: [NSEntityDescription]) -> Bool {
        !entities.isEmpty && entities.allSatisfy { $0.userInfo?[keyName] is String }
    }

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names what is missing, or of another type.
    mutating func schema() throws -> PostgreSQLSchema {
        var existing: [String: ExistingTable] = [:]
        for case let entity? in wanted.mapping.entities {
            if let table = table(of: entity) { existing[entity.table] = table }
        }
        for pair in wanted.pairs { check(pair) }
        guard problems.isEmpty else {
            let shown = problems.prefix(8).joined(separator: ", ")
            let more = problems.count > 8 ? " and \(problems.count - 8) more" : ""
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The tables of \(location) don't match the model: there is \(shown)\(more).")
        }
        rank(&existing)
        return PostgreSQLSchema(
            name: wanted.name, tables: wanted.tables, pairs: wanted.pairs, mapping: wanted.mapping,
            existing: existing)
    }

    // MARK: Tables

    private mutating func table(of entity: EntityMapping) -> ExistingTable? {
        let layout = entity.layout
        guard layout.parent == nil, layout.subtree.count == 1 else {
            problems.append("inheritance of the entity \(layout.name), which isn't supported for existing tables")
            return nil
        }
        guard let table = catalog.table(entity.table) else {
            problems.append("no table \(entity.table)")
            return nil
        }
        let wantedKey = layout.entity.userInfo?[Self.keyName] as? String ?? ""
        guard let key = table.key, key.name == wantedKey else {
            problems.append(Self.problem(ofKey: wantedKey, table))
            return nil
        }
        let version = layout.entity.userInfo?[Self.versionName] as? String
        if let version, ![.integer16, .integer32, .integer64].contains(table.column(version)?.kind) {
            problems.append("no integer column \(version) in the table \(table.name)")
        }
        if let version, version == key.name {
            problems.append("the primary key \(version) of the table \(table.name) as the version of its rows")
        }
        var columns: [String: ExistingTable.Column] = [:]
        var list: [String] = []
        for case let slot? in layout.slots {
            guard let column = entity.columns[slot.index] else { continue }
            if slot.kind == .composite {
                for (name, member) in members(of: slot, column, in: table) {
                    columns[name] = Self.column(member, of: table)
                    list.append("\(member.read("f")) AS \(SQLName.quoted(name))")
                }
                continue
            }
            guard !(slot.property is NSDerivedAttributeDescription),
                let found = self.column(column.name, of: slot, in: table)
            else {
                if slot.property is NSDerivedAttributeDescription {
                    problems.append(
                        "the attribute \(slot.name) of \(layout.name), which isn't supported for existing tables")
                }
                continue
            }
            if slot.kind == .toOne, column.name == version || column.name == key.name {
                problems.append(
                    "the column \(column.name) of \(table.name) as the relationship \(slot.name), although it is the "
                        + (column.name == version ? "version of the rows" : "primary key"))
            }
            columns[column.name] = Self.written(found, slot, key: key.name, version: version)
            list.append("\(Self.read(found, slot)) AS \(SQLName.quoted(column.name))")
        }
        checkKeys(of: layout, table)
        let documents = Set(columns.values.compactMap(\.member?.document))
        for name in documents.intersection(columns.keys).sorted() {
            problems.append("the column \(name) of \(table.name) as both an attribute and a composite attribute")
        }
        let system = PostgreSQLSchema.system
        let mark = version.map { "f.\(SQLName.quoted($0))::int4" } ?? ExistingTable.version("f")
        let header = [
            "f.\(SQLName.quoted(key.name)) AS \(SQLName.quoted(system.key))",
            "\(entity.number)::int2 AS \(SQLName.quoted(system.entity))",
            "\(mark) AS \(SQLName.quoted(system.version))",
        ]
        return ExistingTable(
            name: table.name, key: key.name, version: version,
            sequence: key.sequence.map { ($0.name, $0.increment) }, columns: columns,
            source: "(SELECT \((header + list).joined(separator: ", ")) FROM \(wanted.qualified(table.name)) f)")
    }

    private mutating func column(
        _ name: String, of slot: SlotLayout, in table: ExistingCatalog.Table
    ) -> ExistingCatalog.Column? {
        guard let column = table.column(name) else {
            problems.append("no column \(name) in the table \(table.name)")
            return nil
        }
        guard let kind = column.kind, Self.fits(kind, slot.kind) || column.json(as: slot.kind) != nil else {
            problems.append(
                "the type \(column.typeName) of the column \(name) of \(table.name), which \(slot.name) can't be")
            return nil
        }
        if slot.kind == .transformable, let json = column.json,
            !json.accepts(transformer: slot.attribute?.valueTransformerName)
        {
            let name = slot.attribute?.valueTransformerName ?? "none"
            problems.append(
                "the type \(column.typeName) of the column \(name) of \(table.name), for which \(slot.name) needs the value "
                    + "transformer \(json.transformer?.name ?? JSONTransformer.anyName) and has \(name)")
            return nil
        }
        return column
    }

    // MARK: JSON objects

    private static func documentName(of slot: SlotLayout) -> String {
        slot.property.userInfo?["column"] as? String ?? PostgreSQLName.snake(slot.name)
    }

    /// The elements of a composite attribute, which are keys of the objects in a column.
    private mutating func members(
        of slot: SlotLayout, _ mapping: ColumnMapping, in table: ExistingCatalog.Table
    ) -> [(column: String, member: JSONMember)] {
        let name = Self.documentName(of: slot)
        guard let column = table.column(name) else {
            problems.append("no column \(name) in the table \(table.name)")
            return []
        }
        guard case .json? = column.json else {
            problems.append(
                "the type \(column.typeName) of the column \(name) of \(table.name), which the composite attribute "
                    + "\(slot.name) can't be: its elements are keys of jsonb or json")
            return []
        }
        for leaf in slot.leaves where !JSONMember.canHold(leaf.kind) {
            problems.append(
                "the element \(leaf.name) of \(slot.owner.name), of a type that JSON in the column \(name) of "
                    + "\(table.name) doesn't have")
        }
        return zip(mapping.leaves, slot.leaves).map { leafName, leaf in
            let member = JSONMember(
                document: name, key: JSONMember.key(of: leaf), kind: leaf.kind,
                documentType: column.base == 114 ? "json" : "jsonb", isNullable: column.isNullable,
                defaultValue: column.defaultValue)
            return (leafName, member)
        }
    }

    /// Elements of all composite attributes of an entity may share a column, but no key in it.
    private mutating func checkKeys(of layout: EntityLayout, _ table: ExistingCatalog.Table) {
        var keys: Set<[String]> = []
        for case let slot? in layout.slots where slot.kind == .composite {
            let document = Self.documentName(of: slot)
            for leaf in slot.leaves {
                let key = JSONMember.key(of: leaf)
                let subject =
                    "the element \(leaf.name) of \(layout.name), whose key in the column \(document) of \(table.name)"
                if key.utf8.contains(0) { problems.append("\(subject) has the character U+0000") }
                if !keys.insert([document, key]).inserted { problems.append("\(subject) is another element's") }
            }
        }
    }

    private static func column(_ member: JSONMember, of table: ExistingCatalog.Table) -> ExistingTable.Column {
        var result = ExistingTable.Column()
        result.member = member
        // Indexes on the key have the collation of the database, by which equal strings are the same.
        if member.kind == .string { result.collation = "pg_catalog.\"default\"" }
        if table.column(member.document)?.isGenerated == true {
            result.readOnlyReason = "is computed by the server"
            result.isComputed = true
        }
        return result
    }

    private static func problem(ofKey wanted: String, _ table: ExistingCatalog.Table) -> String {
        let text = "no integer column \(wanted) that is the primary key of the table \(table.name)"
        switch table.primaryKey.count {
        case 0: return "\(text), which has no primary key"
        case 1:
            let type = table.column(table.primaryKey[0])?.typeName ?? "unknown"
            return "\(text), which is \(table.primaryKey[0]) of the type \(type)"
        default: return "\(text), which has several columns (\(table.primaryKey.joined(separator: ", ")))"
        }
    }

    /// Whether values of a column are those of a property.
    private static func fits(_ column: SlotKind, _ slot: SlotKind) -> Bool {
        switch (column, slot) {
        case (.integer16, .toOne), (.integer32, .toOne), (.integer64, .toOne), (.string, .uri),
            (.data, .transformable),
            (.float, .double):
            true
        default: column == slot
        }
    }

    private mutating func check(_ pair: PostgreSQLSchema.Pairs) {
        guard let table = catalog.table(pair.name) else { return problems.append("no table \(pair.name)") }
        for column in [pair.first, pair.second] + pair.orders where table.column(column.name) == nil {
            problems.append("no column \(column.name) in the table \(pair.name)")
        }
    }

    // MARK: Values

    /// A column as a table of the store's own would have it.
    private static func read(_ column: ExistingCatalog.Column, _ slot: SlotLayout) -> String {
        let name = "f.\(SQLName.quoted(column.name))"
        if let json = column.json(as: slot.kind) { return json.read(name) }
        switch (column.kind, column.base) {
        case (.date, 1114): return "(\(name) AT TIME ZONE 'UTC')"
        case (.date, 1082): return "(\(name)::timestamp AT TIME ZONE 'UTC')"
        case (.string, 25), (.string, 1043):
            let text = column.castName == "text" ? name : "\(name)::text"
            return column.comparesBytes ? text : "(\(text) COLLATE \"C\")"
        case (.string, _): return "(\(name)::text COLLATE \"C\")"
        default: return name
        }
    }

    private static func written(
        _ column: ExistingCatalog.Column, _ slot: SlotLayout, key: String, version: String?
    ) -> ExistingTable.Column {
        var result = ExistingTable.Column()
        result.isMandatory = !column.isNullable
        result.maximumLength = column.maximumLength
        result.digits = NumericDigits(column.baseName)
        result.labels = column.labels
        result.json = column.json(as: slot.kind)
        switch (column.kind, column.base) {
        case _ where result.json != nil: result.cast = column.castName
        case (.date, 1114): result.isWithoutZone = true
        case (.date, 1082): (result.isWithoutZone, result.cast) = (true, "date")
        case (.string, 25), (.string, 1043):
            if !column.comparesBytes { result.collation = column.collation }
        case (.string, 1042): break
        case (.string, _): result.cast = column.castName
        default: break
        }
        if column.name == version {
            result.readOnlyReason = "counts the changes of a row"
        } else if column.name == key {
            result.readOnlyReason = "is the primary key"
        } else if column.isGenerated || column.isAlwaysNumbered {
            result.readOnlyReason = "is computed by the server"
            result.isComputed = true
        }
        // An object that has no value has had none set, unless the model's own default was taken from it.
        if slot.kind != .toOne, !column.isNullable || slot.attribute?.defaultValue == nil {
            result.defaultValue = column.defaultValue
        }
        return result
    }

    // MARK: Order

    /// Sorts tables so that those that are referred to come before those that refer to them, as far as there are no
    /// cycles.
    private func rank(_ existing: inout [String: ExistingTable]) {
        for _ in 0..<existing.count {
            var hasChanged = false
            for (name, table) in existing {
                let targets = (catalog.table(name)?.foreignKeys ?? []).map(\.table).filter { $0 != name }
                let rank = (targets.compactMap { existing[$0]?.rank }.max() ?? -1) + 1
                guard rank > table.rank, rank <= existing.count else { continue }
                existing[name]?.rank = rank
                hasChanged = true
            }
            if !hasChanged { return }
        }
    }
}
#endif
