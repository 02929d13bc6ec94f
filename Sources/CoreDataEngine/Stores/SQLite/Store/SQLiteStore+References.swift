import Foundation

extension SQLiteStore {
    package func fetchReferences(_ query: StoreQuery) throws -> ReferenceList {
        try answering(query, foundReferences)
    }

    /// What SQL finds.
    func foundReferences(_ query: StoreQuery) throws -> ReferenceList {
        let runtime = try runtime()
        // Entities whose rows are meant, and what the number of a row says.
        let plan = try runtime.plan(for: query.entity, hasValues: false)
        return try runtime.pool.read { connection in
            try runtime.lookForStrays(passedOverBy: query, connection)
            let first = runtime.readingStrays(query)
            let (list, hasStrays) = try references(first, plan, runtime, connection)
            guard hasStrays, query.limit > 0, !first.leavesOutStrays else { return list }
            // They took the positions of others.
            return try references(runtime.leavingOutStrays(query), plan, runtime, connection).list
        }
    }

    private func references(
        _ query: StoreQuery, _ plan: RowReadPlan, _ runtime: StoreRuntime, _ connection: SQLiteConnection
    ) throws -> (list: ReferenceList, hasStrays: Bool) {
        let statement = try runtime.builder.rows(query) { "\($0).Z_PK, \($0).Z_ENT" }
        var list = ReferenceList(entity: query.entity)
        var hasStrays = false
        var (number, index) = (plan.mapping.number, query.entity.index)
        try connection.withStatement(statement.sql) { prepared in
            try prepared.bind(statement.bindings)
            while try prepared.step() {
                let reference = prepared.int64(at: 0)
                if prepared.int64(at: 1) != number || reference < 0 {
                    let found = prepared.int64(at: 1)
                    guard reference >= 0, plan.steps(number: found) != nil else {
                        hasStrays = true
                        runtime.strays.record(reference, number: found, in: plan.mapping)
                        continue
                    }
                    number = found
                    index = plan.layoutIndex(number: number)
                }
                list.append(reference, entityIndex: index)
            }
        }
        return (list, hasStrays)
    }
}
