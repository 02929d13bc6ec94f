#if PostgreSQL
import Foundation
import OpenCoreData

extension PostgreSQLStore: LockingStore {
    package func lock(named name: String, waits: Bool) throws -> Bool {
        try inTransaction { connection, runtime in
            var parameters = PostgreSQLParameters()
            try parameters.append(text: "OpenCoreData lock in \(runtime.schema.name): \(name)")
            let function = waits ? "pg_advisory_xact_lock" : "pg_try_advisory_xact_lock"
            let result = try connection.execute("SELECT \(function)(hashtextextended($1::text, 0))", parameters)
            return try waits || result.first?.bool(0) == true
        }
    }

    /// Reads rows and locks them. What SQL can't express is an error, as the rows may change before they are evaluated.
    func lockRows(_ query: StoreQuery, _ lock: RowLock) throws -> RowSlab {
        try inTransaction { connection, runtime in
            let query = runtime.readingStrays(query)
            let plan = try runtime.plan(for: query.entity, hasValues: query.includesValues)
            var source = try runtime.builder.rows(query, selectList: plan.selectList)
            // The rows themselves, and not those of to-ones in conditions and order.
            source.sql += " FOR UPDATE OF t0" + (lock == .skipping ? " SKIP LOCKED" : "")
            let statement = try NumberedStatement(source)
            let reader = reader(plan, expecting: query.limit > 0 ? min(query.limit, 4_096) : 64)
            try connection.forEachRow(statement.sql, statement.parameters) { try reader.append($0) }
            return reader.slab
        }
    }

    private func inTransaction<Result>(
        _ body: (PostgreSQLConnection, PostgreSQLRuntime) throws -> Result
    ) throws -> Result {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try writableRuntime()
            return try runtime.connections.with(isWriting: true) { connection in
                guard connection.savesTogether else {
                    throw CoreDataError.make(
                        NSPersistentStoreOperationError,
                        "Locks last until the end of a transaction, but no transaction of the store \(displayName) is open."
                    )
                }
                return try body(connection, runtime)
            }
        }
    }
}
#endif
