package import Foundation

extension SQLiteStore: HistoryStore, ChangeFeed {
    package func lastTransactionNumber() throws -> Int64? {
        let runtime = try runtime()
        guard runtime.history.isRecording, runtime.history.hasTables else { return nil }
        return try runtime.pool.read { try HistoryReader.lastNumber($0) }
    }

    package func hasHistoryTables() throws -> Bool { try runtime().history.hasTables }

    package func transactionNumbers(after number: Int64) throws -> [Int64] {
        let runtime = try runtime()
        guard runtime.history.hasTables else { return [] }
        return try runtime.pool.read { connection in
            try connection.rows("SELECT Z_PK FROM ATRANSACTION WHERE Z_PK>? ORDER BY Z_PK", [.integer(number)])
                .compactMap { if case .integer(let number) = $0[0] { number } else { nil } }
        }
    }

    package func history(_ query: HistoryQuery) throws -> HistoryRecords {
        let runtime = try runtime()
        guard runtime.history.hasTables else { return HistoryRecords() }
        return try runtime.pool.read { connection in
            try HistoryReader(
                store: self, storeIdentifier: identifier, mapping: runtime.mapping, presence: runtime.history,
                connection: connection
            ).read(query)
        }
    }

    package func deleteHistory(before border: HistoryBorder) throws -> Int {
        let runtime = try writableRuntime()
        let condition: String
        let value: SQLValue
        switch border {
        case .beginning: return 0
        case .date(let date): (condition, value) = ("ZTIMESTAMP<?", .real(date.timeIntervalSinceReferenceDate))
        case .number(let number, _): (condition, value) = ("Z_PK<?", .integer(number))
        }
        guard runtime.history.hasTables else { return 0 }
        return try runtime.pool.write { connection in
            try connection.transaction {
                try connection.run(
                    "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))",
                    [value])
                return try connection.run("DELETE FROM ATRANSACTION WHERE \(condition)", [value])
            }
        }
    }

    package func deleteHistory(olderThan date: Date, upTo last: Int64, limit: Int) throws -> Int {
        guard try runtime().history.hasTables else { return 0 }
        let numbers = try runtime().pool.read { connection in
            try connection.rows(
                "SELECT Z_PK FROM ATRANSACTION WHERE ZTIMESTAMP<? AND Z_PK<=? ORDER BY ZTIMESTAMP LIMIT ?",
                [.real(date.timeIntervalSinceReferenceDate), .integer(last), .integer(Int64(limit))]
            ).compactMap { if case .integer(let number) = $0[0] { number } else { nil } }
        }
        return try deleteHistory(numbers: numbers)
    }

    package func deleteHistory(numbers: [Int64]) throws -> Int {
        let runtime = try writableRuntime()
        guard runtime.history.hasTables, !numbers.isEmpty else { return 0 }
        return try runtime.pool.write { connection in
            try connection.transaction {
                var deleted = 0
                for number in numbers {
                    try connection.run("DELETE FROM ACHANGE WHERE ZTRANSACTIONID=?", [.integer(number)])
                    deleted += try connection.run("DELETE FROM ATRANSACTION WHERE Z_PK=?", [.integer(number)])
                }
                return deleted
            }
        }
    }
}
