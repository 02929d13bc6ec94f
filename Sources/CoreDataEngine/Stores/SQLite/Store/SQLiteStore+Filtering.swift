import CSQLite
import Foundation

/// Predicates that SQL cannot express, or that are nested deeper than SQLite's parser has room for: SQL finds the rows that
/// fulfill the conditions before the first of that kind, and the predicate is evaluated on those rows.
extension SQLiteStore {
    /// Answers a query in SQL; where that can't be done because of the predicate, the same query about the rows that the
    /// predicate matches when it is evaluated on them.
    ///
    /// Other errors are thrown as they are.
    func answering<Answer>(_ query: StoreQuery, _ answer: (StoreQuery) throws -> Answer) throws -> Answer {
        do {
            return try answer(query)
        } catch {
            let runtime = try runtime()
            guard let predicate = query.predicate, query.references == nil, Self.isAboutLanguage(error),
                RowFilter.canEvaluate(predicate, query.variables),
                Self.sqliteError(error) != nil || !runtime.builder.canExpress(predicate, query)
            else { throw error }
            return try runtime.pool.read { connection in
                try connection.snapshot {
                    try answer(
                        try RowFilter(store: self).narrowed(
                            query, conditions: runtime.builder.leadingConditions(predicate, query),
                            isAboutLanguage: Self.isAboutLanguage, find: foundReferences))
                }
            }
        }
    }

    /// Whether an error says that a predicate cannot be put in SQL, or that SQLite cannot run the statement, and not that
    /// something is wrong with file, connection or program.
    static func isAboutLanguage(_ error: any Error) -> Bool {
        if let error = sqliteError(error) { return [SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_RANGE].contains(error.code) }
        return (error as? CocoaError)?.code == .coreData || (error as? CocoaError)?.code == .formatting
    }

    private static func sqliteError(_ error: any Error) -> SQLiteError? {
        error as? SQLiteError ?? (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? SQLiteError
    }
}
