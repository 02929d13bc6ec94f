#if PostgreSQL
import Foundation
package import OpenCoreData

extension PostgreSQLStore: SQLAnsweringStore {
    package func answer(_ sql: String, _ values: [SQLValue]) throws -> SQLAnswer {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            var parameters = PostgreSQLParameters()
            for value in values { try parameters.append(value) }
            // Until the transaction ends. The store's own statements name their schema.
            let path = "SET LOCAL search_path TO \(SQLName.quoted(runtime.schema.name)), public"
            func run(_ connection: PostgreSQLConnection) throws -> SQLAnswer {
                try connection.execute(path, isPrepared: false)
                let result = try connection.execute(sql, parameters, isPrepared: false)
                var names: [String] = []
                var rows: [[(any Sendable)?]] = []
                try result.forEachRow { row in
                    if names.isEmpty { names = (0..<row.columnCount).map(row.name) }
                    rows.append(try (0..<row.columnCount).map { try Self.sendable(row, $0) })
                }
                return SQLAnswer(names: names, rows: rows)
            }
            return try runtime.connections.with { connection in
                // Inside of a transaction it is that one's; elsewhere nothing can be changed.
                guard connection.transactionState == .none else { return try run(connection) }
                return try connection.transaction(.beginRepeatableRead) { try run(connection) }
            }
        }
    }

    private static func sendable(_ row: PostgreSQLRow, _ column: Int) throws -> (any Sendable)? {
        if row.isNull(column) { return nil }
        switch row.type(column) {
        case .int2, .int4, .int8, .oid: return NSNumber(value: try row.integer(column))
        case .bool: return NSNumber(value: try row.bool(column))
        case .float4, .float8: return NSNumber(value: try row.double(column))
        case .numeric: return NSDecimalNumber(decimal: try row.decimal(column))
        case .timestamptz: return try row.date(column)
        case .uuid: return try row.uuid(column)
        case .bytea: return row.data(column)
        case .jsonb: return try row.json(column)
        default: return row.string(column)
        }
    }
}
#endif
