import CSQLite
import Foundation

extension SQLiteStore {
    package func fetchRows(_ query: StoreQuery) throws -> RowSlab {
        let runtime = try runtime()
        let plan = try runtime.plan(for: query.entity, hasValues: query.includesValues)
        if query.isUnordered, plan.columnCount <= RowFillFunction.maximumArguments {
            return try fetchUnordered(query, plan, runtime)
        }
        let statement = try runtime.statement(for: query, .rows) {
            try runtime.builder.rows(query, selectList: plan.selectList)
        }
        let expected = query.limit > 0 ? min(query.limit, 4_096) : 64
        return try runtime.pool.read { connection in
            let reader = runtime.reader(plan, expecting: expected)
            try connection.withStatement(statement.sql) { prepared in
                try prepared.bind(statement.bindings)
                try reader.appendAll(prepared)
            }
            return reader.slab
        }
    }

    /// Reads all rows of a query in one step of the statement.
    private func fetchUnordered(_ query: StoreQuery, _ plan: RowReadPlan, _ runtime: StoreRuntime) throws -> RowSlab {
        let hint = query.predicate == nil ? runtime.countHint(of: query) : 64
        return try runtime.pool.read { connection in
            let slab = try runtime.filledSlab(query, plan, expecting: hint, with: connection)
            if query.predicate == nil { runtime.noteCount(slab.count, of: query) }
            return slab
        }
    }

    package func countRows(_ query: StoreQuery) throws -> Int {
        let runtime = try runtime()
        let statement = try runtime.statement(for: query, .count) { try runtime.builder.count(query) }
        return try runtime.pool.read { connection in
            guard case .integer(let count)? = try connection.firstValue(statement.sql, statement.bindings) else {
                return 0
            }
            return Int(count)
        }
    }

    package func fetchRows(references: [Int64], entity: EntityLayout, includesValues: Bool) throws -> RowSlab {
        let runtime = try runtime()
        let plan = try runtime.plan(for: entity, hasValues: includesValues)
        return try runtime.pool.read { connection in
            let reader = runtime.reader(plan, expecting: references.count)
            try ReferenceBatch.forEach(references) { batch, count in
                // Few shapes of statement, so that they stay prepared: the last reference fills the list up.
                let sql = runtime.statementText(of: plan, references: count)
                try connection.withStatement(sql) { prepared in
                    try prepared.bind(references: batch, count: count)
                    try reader.appendAll(prepared)
                }
            }
            return reader.slab
        }
    }
}

extension RowReader {
    /// Appends the remaining rows of a statement.
    func appendAll(_ statement: SQLiteStatement) throws {
        statement.willRun()
        let handle = statement.handle
        while true {
            let code = sqlite3_step(handle)
            guard code == SQLITE_ROW else { return try statement.finishStep(code) }
            try append { sqlite3_column_value(handle, $0) }
        }
    }
}
