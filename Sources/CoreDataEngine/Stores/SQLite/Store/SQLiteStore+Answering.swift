import CSQLite
import Foundation

extension SQLiteStore: SQLAnsweringStore {
    package func answer(_ sql: String, _ values: [SQLValue]) throws -> SQLAnswer {
        // Inside of a transaction that is the connection that writes; others refuse to.
        try runtime().pool.read { connection in
            let statement = try connection.prepare(sql)
            defer { statement.finalize() }
            try Self.refuseMore(of: sql, than: statement, connection)
            guard Int(statement.parameterCount) == values.count else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "The statement has \(statement.parameterCount) parameters, and \(values.count) values were given.")
            }
            try statement.bind(values)
            let columns = 0..<statement.columnCount
            let names = columns.map { sqlite3_column_name(statement.handle, $0).map { String(cString: $0) } ?? "" }
            var rows: [[(any Sendable)?]] = []
            while try statement.step() { rows.append(columns.map { Self.sendable(statement.value(at: $0)) }) }
            return SQLAnswer(names: names, rows: rows)
        }
    }

    /// Refuses a text in which another statement follows: it wouldn't be run.
    private static func refuseMore(of sql: String, than statement: SQLiteStatement, _ connection: SQLiteConnection)
        throws
    {
        let rest = String(decoding: sql.utf8.dropFirst(statement.length), as: UTF8.self)
        var next: OpaquePointer?
        defer { sqlite3_finalize(next) }
        // Blanks and comments make no statement.
        let code = sqlite3_prepare_v2(connection.handle, rest, -1, &next, nil)
        guard code == SQLITE_OK, next == nil, !rest.utf8.contains(0) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "There are several statements; only one is run at a time.")
        }
    }

    private static func sendable(_ value: SQLValue) -> (any Sendable)? {
        switch value {
        case .null: nil
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .text(let string): string
        case .blob(let data): data
        }
    }
}
