#if PostgreSQL
package import Foundation
package import OpenCoreData

extension PostgreSQLStore: HistoryStore, ChangeFeed {
    private func reading<Result>(_ body: (PostgreSQLHistoryReader) throws -> Result) throws -> Result {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            try runtime.connections.with { connection in
                if connection.transactionState == .none {
                    try PostgreSQLHistoryReader.waitForOlder(runtime, connection)
                }
            }
            return try runtime.connections.snapshot { connection in
                try body(PostgreSQLHistoryReader(store: self, runtime: runtime, connection: connection))
            }
        }
    }

    package func lastTransactionNumber() throws -> Int64? {
        guard try runtime().isRecording else { return nil }
        return try reading { try $0.lastNumber() }
    }

    package func hasHistoryTables() throws -> Bool { true }

    /// Only those below which nothing can appear any more: a transaction that runs may still get a lower number.
    package func transactionNumbers(after number: Int64) throws -> [Int64] {
        try translatingErrors(NSPersistentStoreOperationError) {
            let runtime = try runtime()
            guard !runtime.schema.isExisting else { return [] }
            return try runtime.connections.with { connection in
                var numbers: [Int64] = []
                var isHeldBack = false
                let (table, border) = (
                    runtime.schema.qualified("ocd_transaction"), PostgreSQLHistoryReader.border(runtime)
                )
                // The last row says whether there are more, beyond the border.
                let result = try connection.execute(
                    "SELECT number FROM \(table) WHERE number > $1::int8 AND number < \(border) "
                        + "UNION ALL SELECT NULL WHERE (SELECT MAX(number) FROM \(table)) >= \(border) ORDER BY number",
                    values: [.int8(number)])
                try result.forEachRow { row in
                    if row.isNull(0) { isHeldBack = true } else { numbers.append(try row.integer(0)) }
                }
                if let seconds = feed.delay.note(isHeldBack: isHeldBack) {
                    let sentence = try FeedDelay.sentence(seconds, location: runtime.location, connection)
                    DiagnosticLog.warn("OpenCoreData.PostgreSQL", sentence)
                }
                // Before anybody is notified of them.
                try forgetRows(changedBy: numbers, runtime, connection)
                return numbers
            }
        }
    }

    package func history(_ query: HistoryQuery) throws -> HistoryRecords {
        if try runtime().schema.isExisting { return HistoryRecords() }
        return try reading { try $0.records(query) }
    }

    package func deleteHistory(before border: HistoryBorder) throws -> Int {
        var parameters = PostgreSQLParameters()
        switch border {
        case .beginning: return 0
        case .date(let date):
            try parameters.append(timestamptz: date)
            return try deleteHistory("at < $1::timestamptz", parameters)
        case .number(let number, _):
            parameters.append(int8: number)
            return try deleteHistory("number < $1::int8", parameters)
        }
    }

    package func deleteHistory(olderThan date: Date, upTo last: Int64, limit: Int) throws -> Int {
        var parameters = PostgreSQLParameters()
        try parameters.append(timestamptz: date)
        parameters.append(int8: last)
        parameters.append(int8: Int64(limit))
        // Several programs may do so at once: each takes others.
        return try deleteHistory(
            "number = ANY(ARRAY(SELECT number FROM \(runtime().schema.qualified("ocd_transaction")) "
                + "WHERE at < $1::timestamptz AND number <= $2::int8 ORDER BY at LIMIT $3::int8 "
                + "FOR UPDATE SKIP LOCKED))", parameters)
    }

    package func deleteHistory(numbers: [Int64]) throws -> Int {
        guard !numbers.isEmpty else { return 0 }
        var parameters = PostgreSQLParameters()
        parameters.append(SaveStatements.array(numbers))
        return try deleteHistory("number = ANY($1::int8[])", parameters)
    }

    private func deleteHistory(_ condition: String, _ parameters: PostgreSQLParameters) throws -> Int {
        try translatingErrors(NSPersistentStoreSaveError) {
            let runtime = try writableRuntime()
            guard !runtime.schema.isExisting else { return 0 }
            let (transactions, changes, keys) = (
                runtime.schema.qualified("ocd_transaction"), runtime.schema.qualified("ocd_change"),
                runtime.schema.qualified("ocd_key")
            )
            return try runtime.connections.with(isWriting: true) { connection in
                if connection.transactionState == .none {
                    try PostgreSQLHistoryReader.waitForOlder(runtime, connection)
                }
                // Beyond the border, a transaction with a lower number may still appear, which a reader that
                // continues after the deleted part would miss.
                let result = try connection.pipeline([
                    PostgreSQLStatement(
                        "WITH gone AS (DELETE FROM \(transactions) WHERE \(condition) "
                            + "AND number < \(PostgreSQLHistoryReader.border(runtime)) RETURNING number), "
                            + "lost AS (DELETE FROM \(changes) WHERE number IN (SELECT number FROM gone)), "
                            + "noted AS (INSERT INTO \(keys) AS k (number, z_max) SELECT 0, MAX(number) FROM gone "
                            + "HAVING COUNT(*) > 0 "
                            + "ON CONFLICT (number) DO UPDATE SET z_max = GREATEST(k.z_max, EXCLUDED.z_max)) "
                            + "SELECT COUNT(*) FROM gone", parameters)
                ]).first
                return Int(try result?.first?.integer(0) ?? 0)
            }
        }
    }
}
#endif
