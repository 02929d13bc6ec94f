import Foundation

/// An `UPDATE` of all rows that a query is about, while it is put together.
///
/// Each row's version goes up. The table goes by the alias that the query's translator gave it, so that computed values
/// can be used as they are; a value that needs other tables is a subselect.
struct SQLUpdate {
    private let entity: EntityMapping
    private let builder: SQLQueryBuilder
    private let query: StoreQuery
    private var assignments: [SQLFragment]
    private let translator: SQLTranslator

    init(entity: EntityMapping, builder: SQLQueryBuilder, query: StoreQuery) throws {
        self.entity = entity
        self.builder = builder
        self.query = query
        translator = try builder.translator(query)
        assignments = ["Z_OPT = Z_OPT + 1"]
    }

    /// Sets a column to a known value.
    mutating func set(_ column: String, to value: SQLValue) {
        assignments.append("\(name: SQLName.quotedIfNeeded(column)) = \(value: value)")
    }

    /// Sets the column of an attribute to what an expression gives for each row.
    ///
    /// - Throws: An error that names the attribute when the value is not of its kind, or SQL can't compute it.
    mutating func set(_ slot: SlotLayout, _ column: ColumnMapping, to expression: NSExpression) throws {
        var own = try builder.translator(query)
        var operand = try own.operand(expression)
        let isPlain = own.scope.isPlain
        if !isPlain {
            // The subselect needs names of its own to be tied to the row outside.
            own = try builder.translator(query, firstAlias: Self.innerAlias)
            operand = try own.operand(expression)
        }
        if case .constant(nil) = operand { return set(column.name, to: .null) }
        let term = try own.term(operand)
        guard slot.accepts(term.type), !column.isExternal else {
            throw BatchValueError.unacceptable(
                "The value of \(expression) doesn't fit '\(slot.name)' of the entity \(slot.owner.name).",
                key: slot.name, value: expression)
        }
        var value = term.sql
        if slot.isInteger, term.type == .double || term.type == .decimal { value = "CAST(\(value) AS INTEGER)" }
        if !isPlain {
            let (inner, outer) = (own.subject.alias, translator.subject.alias)
            value = "(SELECT \(value)\(own.scope.fromClause) WHERE \(name: inner).Z_PK = \(name: outer).Z_PK)"
        }
        assignments.append("\(name: SQLName.quotedIfNeeded(column.name)) = \(value)")
    }

    /// Where the aliases of subselects begin.
    private static let innerAlias = 1_000

    /// The statement for the rows of the query.
    func statement() throws -> SQLQueryBuilder.Statement {
        let condition = try builder.whereClause(query, translator)
        guard translator.scope.isPlain else {
            let keys = try builder.rows(query) { "\($0).Z_PK" }
            return SQLQueryBuilder.Statement(
                sql: "\(start.text) WHERE Z_PK IN (\(keys.sql))", bindings: start.bindings + keys.bindings)
        }
        return SQLQueryBuilder.Statement("\(start)\(condition)")
    }

    /// The statement for the rows whose keys a subselect gives.
    func statement(ofKeys keys: String) -> SQLQueryBuilder.Statement {
        SQLQueryBuilder.Statement("\(start) WHERE Z_PK IN \(name: keys)")
    }

    private var start: SQLFragment {
        let table = SQLName.quotedIfNeeded(entity.table)
        return "UPDATE \(name: table) AS \(name: translator.subject.alias) SET \(assignments.joined(", "))"
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
