import Foundation

/// A store in an SQL database that programs may ask in its own language.
package protocol SQLAnsweringStore: RowStore {
    /// Runs one statement: of the transaction that the thread is in, or one that reads.
    ///
    /// - Parameters:
    ///   - sql: The statement, in the database's dialect; values stand where it has parameters.
    ///   - values: Their values, in order.
    func answer(_ sql: String, _ values: [SQLValue]) throws -> SQLAnswer
}

/// What a statement gave: the names of its columns, and its rows.
package struct SQLAnswer {
    package var names: [String]
    package var rows: [[(any Sendable)?]]

    package init(names: [String], rows: [[(any Sendable)?]]) {
        self.names = names
        self.rows = rows
    }

    /// The first word of a statement, in capital letters.
    private static func firstWord(of sql: String) -> String {
        var rest = Substring(sql)
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ";" }
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*"), let end = rest.range(of: "*/") {
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        return rest.prefix { $0.isLetter }.uppercased()
    }

    /// Refuses statements that begin or end transactions, or change the connection: the store does that itself.
    ///
    /// - Returns: Whether the statement may change rows.
    package static func check(_ sql: String) throws -> Bool {
        let word = firstWord(of: sql)
        // With ANALYZE, a server runs what it explains.
        if word == "EXPLAIN", sql.range(of: "ANALY[SZ]E", options: [.regularExpression, .caseInsensitive]) != nil {
            return true
        }
        guard refused.contains(word) else { return !reading.contains(word) }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "The statement \(word) is not for programs to run: the store begins and ends transactions itself.")
    }

    private static let reading: Set<String> = ["SELECT", "VALUES", "EXPLAIN", "SHOW", "TABLE"]

    private static let refused: Set<String> = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "PREPARE", "ATTACH", "DETACH",
        "PRAGMA",
        "VACUUM", "SET", "RESET", "DISCARD", "LOCK", "LISTEN", "UNLISTEN", "COPY",
    ]
}

extension NSManagedObjectContext {
    /// Runs one statement of SQL in the store, for a context that reads or is in a transaction. What the context has not saved is
    /// not in the store.
    package final func answer(_ sql: String, _ values: [SQLValue]) throws -> SQLAnswer {
        checkQueue()
        let stores = (coordinator?.rowStores ?? []).compactMap { $0 as? any SQLAnsweringStore }
        guard let store = stores.first, stores.count == 1, parent == nil else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "SQL is put to a context on one store in SQLite or PostgreSQL; this one has \(stores.count).")
        }
        let mayChange = try SQLAnswer.check(sql)
        onFetch?(nil)
        let answer = try reading(store) { try store.answer(sql, values) }
        if mayChange, let transaction = coordinator?.transactions.current {
            transaction.recordStatement()
            store.rowCache.removeAll()
        }
        return answer
    }
}
