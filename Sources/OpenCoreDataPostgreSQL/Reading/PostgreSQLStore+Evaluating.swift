#if PostgreSQL
import Foundation
import OpenCoreData

/// What SQL cannot express, or the server cannot compute for the values that there are: SQL finds the rows that
/// fulfill the conditions before the first of that kind, and the rest is looked at on those rows.
extension PostgreSQLStore {
    /// Answers a query in SQL; where that can't be done, the same query about the rows that the predicate matches
    /// when it is evaluated on them; and where that can't be done either, because of order or columns, by looking
    /// at all rows.
    ///
    /// Other errors are thrown as they are, those of the server as errors of Core Data.
    func answering<Answer>(
        _ query: StoreQuery, _ answer: (StoreQuery) throws -> Answer, evaluating: (StoreQuery) throws -> Answer
    ) throws -> Answer {
        try translatingErrors(NSPersistentStoreOperationError) {
            do {
                return try attempting { try answer(query) }
            } catch {
                guard Self.isAboutLanguage(error), canEvaluate(query) else { throw error }
                let runtime = try runtime()
                return try runtime.connections.snapshot { _ in
                    guard let predicate = query.predicate, query.references == nil,
                        Self.serverError(error) != nil || !runtime.builder.canExpress(predicate, query)
                    else { return try evaluated(query, instead: error, evaluating) }
                    // Words are found by the server alone.
                    guard !predicate.searchesText else {
                        throw Self.serverError(error) == nil
                            ? PredicateFunctions.textSearchError(besides: error) : error
                    }
                    let filtered = try RowFilter(store: self).narrowed(
                        query, conditions: runtime.builder.leadingConditions(predicate, query),
                        isAboutLanguage: Self.isAboutLanguage
                    ) { search in
                        do {
                            return try attempting { try candidateReferences(search, runtime.builder) }
                        } catch  where Self.serverError(error)?.sqlState == PostgreSQLFunctions.needsRows {
                            guard let builder = runtime.wideBuilder, let wide = WideSearch.predicate(search.predicate)
                            else { throw error }
                            var search = search
                            search.predicate = wide
                            return try attempting { try candidateReferences(search, builder) }
                        }
                    }
                    do {
                        return try attempting { try answer(filtered) }
                    } catch let second where Self.isAboutLanguage(second) {
                        return try evaluated(filtered, instead: second, evaluating)
                    }
                }
            }
        }
    }

    /// An error that evaluating finds as well is the one to be thrown.
    private func evaluated<Answer>(
        _ query: StoreQuery, instead error: any Error, _ evaluating: (StoreQuery) throws -> Answer
    ) throws -> Answer {
        // What is left of a query without order and columns is to find rows, which has just failed.
        let hasMore = !query.sortDescriptors.isEmpty || !query.columns.isEmpty || query.having != nil
        guard hasMore, !query.sortDescriptors.contains(where: { $0.formatError != nil }) else { throw error }
        return try evaluating(query)
    }

    private func canEvaluate(_ query: StoreQuery) -> Bool {
        [query.predicate, query.having].compactMap { $0 }.allSatisfy { RowFilter.canEvaluate($0, query.variables) }
    }

    private func candidateReferences(
        _ query: StoreQuery, _ builder: SQLQueryBuilder
    ) throws -> ReferenceList {
        let runtime = try runtime()
        let plan = try runtime.plan(for: query.entity, hasValues: false)
        let statement = try NumberedStatement(builder.rows(query, selectList: plan.selectList))
        let reader = PostgreSQLRowReader(plan)
        try runtime.connections.with { connection in
            try connection.forEachRow(statement.sql, statement.parameters) { try reader.append($0) }
        }
        var list = ReferenceList(entity: query.entity)
        for row in 0..<reader.slab.count {
            list.append(reader.slab.reference(row), entityIndex: reader.slab.entityIndex(row))
        }
        return list
    }

    /// Runs a block whose failure leaves a transaction around it as it was.
    private func attempting<Answer>(_ body: () throws -> Answer) throws -> Answer {
        try runtime().connections.with { connection in
            guard connection.transactionState == .open else { return try body() }
            try connection.pipeline([PostgreSQLStatement("SAVEPOINT ocd_read", isPrepared: false)])
            do {
                let answer = try body()
                if connection.transactionState == .open {
                    try connection.pipeline([PostgreSQLStatement("RELEASE SAVEPOINT ocd_read", isPrepared: false)])
                }
                return answer
            } catch {
                if connection.transactionState == .failed {
                    try connection.pipeline([
                        PostgreSQLStatement("ROLLBACK TO SAVEPOINT ocd_read", isPrepared: false)
                    ])
                }
                throw error
            }
        }
    }

    /// Whether an error says that a query cannot be put in SQL, or that the server cannot run the statement or
    /// compute a value, and not that something is wrong with connection, store or program.
    static func isAboutLanguage(_ error: any Error) -> Bool {
        if let error = serverError(error) {
            if error.sqlState == nil { return error.kind == .invalidValue }
            let state = error.sqlState ?? ""
            return state.hasPrefix("22") || state.hasPrefix("42") || state.hasPrefix("54")
                || state == PostgreSQLFunctions.needsRows
        }
        return (error as? CocoaError)?.code == .coreData || (error as? CocoaError)?.code == .formatting
    }

    /// The server's error, also where it is the cause of one of Core Data's.
    private static func serverError(_ error: any Error) -> PostgreSQLError? {
        error as? PostgreSQLError ?? (error as? CocoaError)?.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError
    }
}
#endif
