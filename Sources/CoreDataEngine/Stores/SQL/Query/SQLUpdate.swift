import Foundation

/// An `UPDATE` of all rows that a query is about, while it is put together.
///
/// Each row's version goes up. The table goes by the alias that the query's translator gave it, so that computed values
/// can be used as they are; a value that needs other tables is a subselect.
package struct SQLUpdate {
    private let entity: EntityMapping
    private let builder: SQLQueryBuilder
    private let query: StoreQuery
    private let key: String
    /// Without that of the version.
    private var assignments: [(column: String, value: SQLFragment)] = []
    /// Where the assignment of a column is in `assignments`.
    private var indexes: [String: Int] = [:]
    private let translator: SQLTranslator

    package init(entity: EntityMapping, builder: SQLQueryBuilder, query: StoreQuery) throws {
        self.entity = entity
        self.builder = builder
        self.query = query
        translator = try builder.translator(query)
        key = builder.dialect.quoted(entity.system.key)
    }

    /// Sets a column to a known value.
    package mutating func set(_ column: String, to value: SQLValue) {
        assign(column, "\(value: value)")
    }

    /// Sets a column to a known value in the dialect's own form.
    package mutating func set(_ column: String, to value: SQLFragment) {
        assign(column, value)
    }

    /// Of several assignments to a column the last one counts: a composite attribute may be set, and then an element of it.
    private mutating func assign(_ column: String, _ value: SQLFragment) {
        if let index = indexes[column] {
            assignments[index].value = value
        } else {
            indexes[column] = assignments.count
            assignments.append((column, value))
        }
    }

    /// Sets the column of an attribute to what an expression gives for each row.
    ///
    /// - Throws: An error that names the attribute when the value is not of its kind, or SQL can't compute it.
    package mutating func set(_ slot: SlotLayout, _ column: ColumnMapping, to expression: NSExpression) throws {
        var own = try builder.translator(query)
        own.isComputing = true
        var operand = try own.operand(expression)
        let isPlain = own.scope.isPlain
        if !isPlain {
            // The subselect needs names of its own to be tied to the row outside.
            own = try builder.translator(query, firstAlias: Self.innerAlias)
            own.isComputing = true
            operand = try own.operand(expression)
        }
        if case .constant(nil) = operand { return set(column.name, to: .null) }
        let term = try own.term(operand)
        guard slot.accepts(term.type), !column.isExternal else {
            throw BatchValueError.unacceptable(
                "The value of \(expression) doesn't fit '\(slot.name)' of the entity \(slot.owner.name).",
                key: slot.name, value: expression)
        }
        var value = builder.dialect.assigned(term, to: slot.kind) ?? term.sql
        if slot.isInteger, term.type == .double || term.type == .decimal {
            value = builder.dialect.cast(value, to: .integer)
        }
        value = builder.dialect.fitting(value, slot)
        if !isPlain {
            let (inner, outer) = (own.subject.alias, translator.subject.alias)
            value = """
                (SELECT \(value)\(own.scope.fromClause) \
                WHERE \(name: inner).\(name: key) = \(name: outer).\(name: key))
                """
        }
        assign(column.name, value)
    }

    /// Where the aliases of subselects begin.
    private static let innerAlias = 1_000

    /// The statement for the rows of the query.
    package func statement() throws -> SQLQueryBuilder.Statement {
        let condition = try builder.whereClause(query, translator)
        guard translator.scope.isPlain else {
            let keys = try builder.rows(query) { "\($0).\(key)" }
            return SQLQueryBuilder.Statement(
                sql: "\(start.sql(in: builder.dialect)) WHERE \(key) IN (\(keys.sql))",
                bindings: start.bindings + keys.bindings)
        }
        return SQLQueryBuilder.Statement("\(start)\(condition)", builder.dialect)
    }

    /// The statement for the rows whose keys a subselect gives.
    package func statement(ofKeys keys: String) -> SQLQueryBuilder.Statement {
        SQLQueryBuilder.Statement("\(start) WHERE \(name: key) IN \(name: keys)", builder.dialect)
    }

    private var start: SQLFragment {
        let table = builder.dialect.table(entity.table)
        let version = builder.dialect.quoted(entity.system.version)
        let list: [SQLFragment] =
            ["\(name: version) = \(name: version) + 1"]
            + assignments.map { "\(name: builder.dialect.quoted($0.column)) = \($0.value)" }
        return "UPDATE \(name: table) AS \(name: translator.subject.alias) SET \(list.joined(", "))"
    }

    /// What the update would set, for a table that can't be changed by what it is read by: a statement that locks the rows of
    /// the query and gives their keys, and then the values of columns.
    package func values() throws -> (statement: SQLQueryBuilder.Statement, columns: [String]) {
        let condition = try builder.whereClause(query, translator)
        let (table, alias) = (builder.dialect.table(entity.table), translator.subject.alias)
        let list = (["\(name: alias).\(name: key)" as SQLFragment] + assignments.map(\.value)).joined(", ")
        let start: SQLFragment = "SELECT \(list) FROM \(name: table) AS \(name: alias)"
        let lock: SQLFragment = " FOR UPDATE OF \(name: alias)"
        let columns = assignments.map(\.column)
        guard !translator.scope.isPlain else {
            return (SQLQueryBuilder.Statement("\(start)\(condition)\(lock)", builder.dialect), columns)
        }
        let keys = try builder.rows(query) { "\($0).\(key)" }
        return (
            SQLQueryBuilder.Statement(
                sql:
                    "\(start.sql(in: builder.dialect)) WHERE \(alias).\(key) IN (\(keys.sql))\(lock.sql(in: builder.dialect))",
                bindings: start.bindings + keys.bindings), columns
        )
    }
}

extension SlotLayout {
    fileprivate var isInteger: Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean: true
        default: false
        }
    }

    /// Whether a computed value of a type can stand in the slot.
    fileprivate func accepts(_ type: SQLValueType) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: type.isNumber
        case .date: type == .date || type.isNumber
        case .string: type == .text
        case .uri: type == .uri
        case .uuid: type == .uuid
        case .data: type == .data
        default: false
        }
    }
}
