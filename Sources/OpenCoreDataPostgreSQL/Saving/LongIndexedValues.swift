#if PostgreSQL
import Foundation
import Logging
import OpenCoreData

/// Values that are too long for the indexes of their columns: the indexes become such that take them.
struct LongIndexedValues {
    private let schema: PostgreSQLSchema
    /// By table and column: the length of the longest value, in bytes.
    private var lengths: [String: [String: Int]] = [:]
    /// The attribute with the longest value.
    private var longest: (slot: SlotLayout, length: Int)?

    init(_ runtime: PostgreSQLRuntime, _ changes: [RowChange]) {
        schema = runtime.schema
        for change in changes {
            guard let entity = schema.mapping[change.entity] else { continue }
            let slots = change.slots.isEmpty ? Array(change.entity.slots.indices) : change.slots
            for case let slot? in slots.map({ change.entity.slots[$0] }) where !slot.isTransient {
                add(change.value(slot.index), slot, entity)
            }
        }
    }

    init(_ runtime: PostgreSQLRuntime, _ assignments: [BatchAssignment], of entity: EntityMapping) {
        schema = runtime.schema
        for assignment in assignments {
            guard case .constant(let value) = assignment.value else { continue }
            add(value, assignment.slot, entity)
        }
    }

    private mutating func add(_ value: PropertyValue, _ slot: SlotLayout, _ entity: EntityMapping) {
        guard let column = entity.column(slot), column.leaves.isEmpty else { return }
        let length: Int
        switch SQLValue(stored: value) {
        case .text(let text): length = text.utf8.count
        case .blob(let data): length = data.count
        default: return
        }
        lengths[entity.table, default: [:]][column.name] = max(lengths[entity.table]?[column.name] ?? 0, length)
        if length > longest?.length ?? 0 { longest = (slot, length) }
    }

    /// Whether any value may be too long for an index.
    var areThere: Bool { (longest?.length ?? 0) > PostgreSQLSchema.indexedBytes / 4 }

    /// Makes the indexes take the values, within the connection's transaction if there is one.
    ///
    /// - Parameter error: What the server said.
    /// - Throws: A validation error that names the attribute, where that is not possible.
    func makeRoom(after error: PostgreSQLError, _ connection: PostgreSQLConnection) throws {
        // Each search for words would end with the same error if the value were saved without the index.
        guard !error.isTooLongForWords else { throw validationError(error) }
        if try dropOrders(after: error, connection) { return }
        var found = error.constraint.flatMap { schema.index(named: $0) }.map { [$0] } ?? []
        if found.isEmpty {
            for table in schema.tables {
                for index in table.indexes {
                    let length = schema.longColumns(of: index, in: table.name)
                        .reduce(0) { $0 + (lengths[table.name]?[$1] ?? 0) }
                    if length > PostgreSQLSchema.indexedBytes { found.append((index, table.name)) }
                }
            }
        }
        guard !found.isEmpty, !schema.isExisting else { throw validationError(error) }
        do {
            for (index, table) in found { try changing(connection) { try change(index, of: table, connection) } }
        } catch let failure as PostgreSQLError where failure.kind == .insufficientPrivilege {
            connection.rollbackSave()
            throw validationError(error)
        }
    }

    /// Drops indexes for the order of a language on columns with such values: without them, the order is the same and takes longer.
    ///
    /// - Returns: Whether there were any.
    private func dropOrders(after error: PostgreSQLError, _ connection: PostgreSQLConnection) throws -> Bool {
        guard !schema.isExisting else { return false }
        let long = lengths.flatMap { table, columns in
            columns.filter { $0.value > PostgreSQLSchema.indexedBytes }.map { TextIndexes.orderName(table, $0.key) }
        }
        let names = SQLName.literal(
            "{" + long.map { "\"\($0.replacing("\"", with: "\\\""))\"" }.joined(separator: ",") + "}")
        var found: [String] = []
        try connection.execute(
            "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relkind = 'i' AND c.relname::text = ANY(\(names)::text[])",
            values: [.text(schema.name)], isPrepared: false
        ).forEachRow { found.append($0.string(0)) }
        guard !found.isEmpty else { return false }
        let drop = "DROP INDEX IF EXISTS \(found.map(schema.qualified).joined(separator: ", "))"
        do {
            try changing(connection) { try connection.runScript(drop) }
        } catch let failure as PostgreSQLError where failure.kind == .insufficientPrivilege {
            connection.rollbackSave()
            throw validationError(error)
        }
        PostgreSQLConnection.log.notice(
            "an index for the order of a language is gone, because a value is too long for it",
            metadata: ["schema": "\(schema.name)", "indexes": "\(found.joined(separator: ", "))"])
        return true
    }

    /// Changes tables, within the connection's transaction if there is one.
    private func changing(_ connection: PostgreSQLConnection, _ change: () throws -> Void) throws {
        guard connection.transactionState != .none else { return try connection.transaction { try change() } }
        // A table whose foreign keys are still to be checked can't be changed.
        try connection.pipeline([
            PostgreSQLConnection.savepoint,
            PostgreSQLStatement("SET CONSTRAINTS ALL IMMEDIATE", isPrepared: false),
        ])
        try change()
        try connection.pipeline([
            PostgreSQLStatement("SET CONSTRAINTS ALL DEFERRED", isPrepared: false),
            PostgreSQLConnection.releaseSavepoint,
        ])
    }

    private func change(
        _ index: PostgreSQLSchema.Index, of table: String, _ connection: PostgreSQLConnection
    ) throws {
        try connection.runScript("LOCK TABLE \(schema.qualified(table)) IN ACCESS EXCLUSIVE MODE")
        // Another program may have done it while this one waited.
        let isChanged =
            try connection.execute(
                "SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam "
                    + "WHERE c.oid = to_regclass($1::text) AND (i.indexprs IS NOT NULL OR m.amname <> 'btree')",
                values: [.text(schema.qualified(index.name))], isPrepared: false
            ).count > 0
        guard !isChanged else { return }
        let statements =
            ["DROP INDEX IF EXISTS \(schema.qualified(index.name))"] + schema.longStatements(index, of: table)
        try connection.runScript(statements.joined(separator: ";\n"))
        PostgreSQLConnection.log.notice(
            "an index becomes one that takes long values, which finds equal ones only",
            metadata: ["schema": "\(schema.name)", "table": "\(table)", "index": "\(index.name)"])
    }

    private func validationError(_ error: PostgreSQLError) -> CocoaError {
        let slot = longest?.slot
        let subject = slot.map { "The value of \($0.name) of \($0.owner.name)" } ?? "A value"
        return CoreDataError.make(
            NSValidationStringTooLongError,
            "\(subject) is too long for an index of the table\(error.table.map { " \($0)" } ?? ""): \(error.message)",
            underlying: error, userInfo: slot.map { [NSValidationKeyErrorKey: $0.name] } ?? [:])
    }
}

extension PostgreSQLError {
    /// Whether a value has no room in an index.
    var isTooLongForIndex: Bool { sqlState == "54000" && message.hasPrefix("index row ") || isTooLongForWords }

    /// Whether a string has more words than an index for full text search takes.
    var isTooLongForWords: Bool { sqlState == "54000" && message.contains("too long for tsvector") }
}
#endif
