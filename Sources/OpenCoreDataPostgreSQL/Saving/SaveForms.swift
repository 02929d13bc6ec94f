#if PostgreSQL
import OpenCoreData

/// The strings of the statements of saves, made once for an open store. A string fits any number of rows, or one: for one row,
/// PostgreSQL plans no join, which takes a fifth of the time. Parameters are arrays in both.
final class SaveForms: Sendable {
    /// What a statement does when it has changed its rows.
    enum Ending: Hashable, Sendable {
        /// Fails when there are not as many rows as expected, which is its last parameter.
        case expect
        /// Returns the keys of the rows that it changed.
        case keys
    }

    struct Form: Sendable {
        let sql: String
        let fields: [ColumnValues.Field]
    }

    private struct Key: Hashable {
        var entity: Int
        var slots: [Int]?
        var checksVersion: Bool
        var ending: Ending
        var isOfOneRow: Bool
    }

    let schema: PostgreSQLSchema
    private let forms = UnfairMutex<[Key: Form]>([:])
    private static let mostForms = 512

    init(_ schema: PostgreSQLSchema) { self.schema = schema }

    /// `INSERT` of rows of an entity: parameters are the keys, then a column each.
    func insert(_ entity: EntityMapping, ofOneRow isOfOneRow: Bool = false) -> Form {
        form(
            Key(
                entity: entity.layout.index, slots: nil, checksVersion: false, ending: .expect,
                isOfOneRow: isOfOneRow)
        ) {
            let fields = self.fields(of: entity, slots: nil)
            if let table = schema.existing[entity.table] { return insert(into: table, fields) }
            let system = entity.system
            let columns = ([system.key, system.entity, system.version] + fields.map(\.column)).map(SQLName.quoted)
            let insert = "INSERT INTO \(schema.qualified(entity.table)) (\(columns.joined(separator: ", "))) "
            if isOfOneRow {
                let values =
                    [Self.element(1, .int8), "\(entity.number)", "1"]
                    + fields.enumerated().map { Self.element($0.offset + 2, $0.element.type) }
                return Form(sql: insert + "VALUES (\(values.joined(separator: ", ")))", fields: fields)
            }
            let values = ["u.k", "\(entity.number)", "1"] + fields.indices.map { "u.c\($0)" }
            return Form(
                sql: insert + "SELECT \(values.joined(separator: ", ")) FROM "
                    + Self.unnest(["k"], [.int8], fields), fields: fields)
        }
    }

    /// `UPDATE` of some slots of rows of an entity: parameters are keys, versions, then a column each.
    func update(
        _ entity: EntityMapping, slots: [Int], checksVersion: Bool, ending: Ending,
        ofOneRow isOfOneRow: Bool = false
    ) -> Form {
        form(
            Key(
                entity: entity.layout.index, slots: slots, checksVersion: checksVersion, ending: ending,
                isOfOneRow: isOfOneRow)
        ) {
            let fields = self.fields(of: entity, slots: slots)
            if let table = schema.existing[entity.table] {
                return update(table, fields, checksVersion: checksVersion)
            }
            let key = SQLName.quoted(entity.system.key)
            let version = SQLName.quoted(entity.system.version)
            let assignments =
                ["\(version) = t.\(version) + 1"]
                + fields.enumerated().map { offset, field in
                    let value = isOfOneRow ? Self.element(offset + 3, field.type) : "u.c\(offset)"
                    return "\(SQLName.quoted(field.column)) = \(value)"
                }
            let update =
                "UPDATE \(schema.qualified(entity.table)) AS t SET \(assignments.joined(separator: ", ")) "
                + (isOfOneRow ? "" : "FROM \(Self.unnest(["k", "v"], [.int8, .int8], fields)) ")
                + Self.rows(key, "t.\(version)", checksVersion: checksVersion, isOfOneRow)
            return Form(sql: end(update, key, ending, isOfOneRow, count: fields.count + 2), fields: fields)
        }
    }

    /// `UPDATE` of some columns of rows, whose versions stay: parameters are keys, then a column each.
    static func assignment(
        of fields: [ColumnValues.Field], to entity: EntityMapping, _ schema: PostgreSQLSchema
    ) -> String {
        let values = fields.enumerated().map { (column: $0.element.column, value: "u.c\($0.offset)") }
        let written = schema.existing[entity.table]?.assignments(values, alias: "t") ?? values
        let assignments = written.map { "\(SQLName.quoted($0.column)) = \($0.value)" }
        return "UPDATE \(schema.qualified(entity.table)) AS t SET \(assignments.joined(separator: ", ")) "
            + "FROM \(unnest(["k"], [.int8], fields)) WHERE t.\(schema.writtenKey(of: entity)) = u.k"
    }

    /// `DELETE` of rows of an entity: parameters are keys and versions.
    func delete(
        _ entity: EntityMapping, checksVersion: Bool, ending: Ending, ofOneRow isOfOneRow: Bool = false
    ) -> Form {
        form(
            Key(
                entity: entity.layout.index, slots: [-1], checksVersion: checksVersion, ending: ending,
                isOfOneRow: isOfOneRow)
        ) {
            let key = schema.writtenKey(of: entity)
            let version =
                schema.existing[entity.table]?.comparedVersion("t") ?? "t.\(SQLName.quoted(entity.system.version))"
            let delete =
                "DELETE FROM \(schema.qualified(entity.table)) AS t "
                + (isOfOneRow ? "" : "USING \(Self.unnest(["k", "v"], [.int8, .int8], [])) ")
                + Self.rows(key, version, checksVersion: checksVersion, isOfOneRow)
            return Form(sql: end(delete, key, ending, isOfOneRow, count: 2), fields: [])
        }
    }

    // MARK: Tables of others

    private func insert(into table: ExistingTable, _ fields: [ColumnValues.Field]) -> Form {
        let written = table.assignments(
            fields.enumerated().map { ($0.element.column, "u.c\($0.offset)") }, alias: nil)
        var columns = ([table.key] + written.map(\.column)).map(SQLName.quoted)
        var values = ["u.k"] + written.map(\.value)
        if let version = table.version {
            columns.append(SQLName.quoted(version))
            values.append("1")
        }
        return Form(
            sql: "INSERT INTO \(schema.qualified(table.name)) (\(columns.joined(separator: ", "))) "
                + "OVERRIDING SYSTEM VALUE SELECT \(values.joined(separator: ", ")) "
                + "FROM \(Self.unnest(["k"], [.int8], fields))",
            fields: fields)
    }

    /// Returns the keys of the rows that it changed.
    private func update(_ table: ExistingTable, _ fields: [ColumnValues.Field], checksVersion: Bool) -> Form {
        var assignments = table.assignments(
            fields.enumerated().map { ($0.element.column, "u.c\($0.offset)") }, alias: "t"
        ).map { "\(SQLName.quoted($0.column)) = \($0.value)" }
        if let version = table.version.map(SQLName.quoted) { assignments.append("\(version) = t.\(version) + 1") }
        let key = SQLName.quoted(table.key)
        let rows = Self.unnest(["k", "v"], [.int8, .int8], fields)
        let condition =
            "t.\(key) = u.k" + (checksVersion ? " AND \(table.comparedVersion("t")) = u.v" : "")
        guard !assignments.isEmpty else {
            // Only the other side of a relationship has changed, which is kept there.
            return Form(
                sql: "SELECT t.\(key) FROM \(schema.qualified(table.name)) AS t, \(rows) WHERE \(condition) "
                    + "FOR UPDATE OF t", fields: fields)
        }
        return Form(
            sql: "UPDATE \(schema.qualified(table.name)) AS t SET \(assignments.joined(separator: ", ")) "
                + "FROM \(rows) WHERE \(condition) RETURNING t.\(key)", fields: fields)
    }

    // MARK: Parts

    /// Which rows an update or deletion is about.
    private static func rows(_ key: String, _ version: String, checksVersion: Bool, _ isOfOneRow: Bool) -> String {
        "WHERE t.\(key) = \(isOfOneRow ? element(1, .int8) : "u.k")"
            + (checksVersion ? " AND \(version) = \(isOfOneRow ? element(2, .int8) : "u.v")" : "")
    }

    private func end(
        _ change: String, _ key: String, _ ending: Ending, _ isOfOneRow: Bool, count: Int
    ) -> String {
        guard ending == .expect else { return "\(change) RETURNING t.\(key)" }
        let expect = schema.qualified("ocd_expect")
        let changed = "WITH changed AS (\(change) RETURNING 1) SELECT "
        if isOfOneRow {
            return changed + "CASE WHEN EXISTS (SELECT 1 FROM changed) THEN 1 ELSE \(expect)(0, 1) END"
        }
        return changed + "\(expect)(count(*), $\(count + 1)::int8) FROM changed"
    }

    /// The only element of the array that is a parameter.
    private static func element(_ parameter: Int, _ type: PostgreSQLType) -> String {
        "($\(parameter)::\(type.sqlName)[])[1]"
    }

    /// The arrays of the parameters as rows `u`.
    private static func unnest(
        _ names: [String], _ types: [PostgreSQLType], _ fields: [ColumnValues.Field]
    ) -> String {
        let types = types + fields.map(\.type)
        let parameters = types.enumerated().map { "$\($0.offset + 1)::\($0.element.sqlName)[]" }
        let columns = names + fields.indices.map { "c\($0)" }
        return "unnest(\(parameters.joined(separator: ", "))) AS u(\(columns.joined(separator: ", ")))"
    }

    /// The columns of some slots, or of all; slots without a column are left out.
    func fields(of entity: EntityMapping, slots: [Int]?) -> [ColumnValues.Field] {
        let indexes = slots ?? Array(entity.layout.slots.indices)
        return indexes.flatMap { index -> [ColumnValues.Field] in
            guard let slot = entity.layout.slots[index], let column = entity.columns[index],
                schema.existing[entity.table]?.columns[column.name]?.readOnlyReason == nil
            else { return [] }
            func field(_ name: String, _ part: ColumnValues.Field.Part) -> ColumnValues.Field {
                ColumnValues.Field(
                    slot: slot, column: name, type: schema.type(of: name, in: entity.table), part: part,
                    maximumLength: schema.existing[entity.table]?.columns[name]?.maximumLength,
                    digits: schema.existing[entity.table]?.columns[name]?.digits,
                    labels: schema.existing[entity.table]?.columns[name]?.labels ?? [],
                    json: schema.existing[entity.table]?.columns[name]?.json,
                    isMember: schema.existing[entity.table]?.columns[name]?.member != nil)
            }
            guard column.leaves.isEmpty else {
                return column.leaves.enumerated().map { field($0.element, .leaf($0.offset)) }
            }
            return [field(column.name, .value)] + (column.entityColumn.map { [field($0, .entity)] } ?? [])
        }
    }

    private func form(_ key: Key, _ make: () -> Form) -> Form {
        if let known = forms.withLock({ $0[key] }) { return known }
        let made = make()
        forms.withLock { forms in
            if forms.count >= Self.mostForms { forms.removeAll() }
            forms[key] = made
        }
        return made
    }
}
#endif
