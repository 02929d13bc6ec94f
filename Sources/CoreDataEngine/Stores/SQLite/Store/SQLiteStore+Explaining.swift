import CSQLite
import Foundation

extension SQLiteStore: ExplainingStore {
    package func explain(_ query: StoreQuery, _ purpose: FetchPurpose) throws -> FetchExplanation.Statement {
        try answering(query) { query in
            var statement = try explainStatement(query, purpose)
            statement.isPredicateEvaluated = query.references != nil
            return statement
        }
    }

    private func explainStatement(_ query: StoreQuery, _ purpose: FetchPurpose) throws -> FetchExplanation.Statement {
        let runtime = try runtime()
        if purpose != .rows { try runtime.pool.read { try runtime.lookForStrays(before: query, $0) } }
        let statement =
            switch purpose {
            case .rows:
                try runtime.builder.rows(
                    runtime.readingStrays(query),
                    selectList: runtime.plan(for: query.entity, hasValues: query.includesValues).selectList)
            case .columns: try runtime.builder.columns(runtime.leavingOutStrays(query)).0
            case .count: try runtime.builder.count(runtime.leavingOutStrays(query))
            }
        return try runtime.pool.read { connection in
            var result = FetchExplanation.Statement(
                storeURL: url, sql: statement.sql, boundValueCount: statement.bindings.count,
                plan: try Self.plan(statement, connection), rowsReturned: 0, rowsScanned: 0, sorts: 0,
                automaticIndexRows: 0, instructions: 0)
            try connection.withStatement(statement.sql) { prepared in
                func cost(_ counter: Int32) -> Int { Int(sqlite3_stmt_status(prepared.handle, counter, 1)) }
                let counters = [
                    SQLITE_STMTSTATUS_FULLSCAN_STEP, SQLITE_STMTSTATUS_SORT, SQLITE_STMTSTATUS_AUTOINDEX,
                    SQLITE_STMTSTATUS_VM_STEP,
                ]
                // The statement may have run before.
                for counter in counters { _ = cost(counter) }
                try prepared.bind(statement.bindings)
                while try prepared.step() { result.rowsReturned += 1 }
                result.rowsScanned = cost(SQLITE_STMTSTATUS_FULLSCAN_STEP)
                result.sorts = cost(SQLITE_STMTSTATUS_SORT)
                result.automaticIndexRows = cost(SQLITE_STMTSTATUS_AUTOINDEX)
                result.instructions = cost(SQLITE_STMTSTATUS_VM_STEP)
            }
            return result
        }
    }

    private static func plan(_ statement: SQLQueryBuilder.Statement, _ connection: SQLiteConnection) throws
        -> [FetchExplanation.PlanStep]
    {
        let prepared = try connection.prepare("EXPLAIN QUERY PLAN \(statement.sql)")
        defer { prepared.reset() }
        try prepared.bind(statement.bindings)
        var depths: [Int64: Int] = [:]
        var steps: [FetchExplanation.PlanStep] = []
        while try prepared.step() {
            let depth = depths[prepared.int64(at: 1)].map { $0 + 1 } ?? 0
            depths[prepared.int64(at: 0)] = depth
            steps.append(FetchExplanation.PlanStep(depth: depth, detail: prepared.text(at: 3) ?? ""))
        }
        return steps
    }
}
