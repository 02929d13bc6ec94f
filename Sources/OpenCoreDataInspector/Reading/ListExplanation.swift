#if Inspector
import Foundation
import OpenCoreData
import StoreTools

/// How the store finds the rows of a list.
enum ListExplanation {
    static func json(_ list: ObjectList, limit: Int, in reader: StoreReader) throws -> JSONValue {
        let start = ContinuousClock.now
        let explanation = try reader.context.explain(list.request(offset: 0, limit: limit))
        let time = (ContinuousClock.now - start).milliseconds
        return [
            "milliseconds": .number(time),
            "statements": .array(
                explanation.statements.map { statement(_: $0, isFiltered: list.predicate != nil) }),
        ]
    }

    private static func statement(_ statement: FetchExplanation.Statement, isFiltered: Bool) -> JSONValue {
        [
            "sql": .string(statement.sql), "values": JSONValue(statement.boundValueCount),
            "plan": .array(
                statement.plan.map { ["depth": JSONValue($0.depth), "detail": .string($0.detail)] }),
            "returned": JSONValue(statement.rowsReturned), "scanned": JSONValue(statement.rowsScanned),
            "sorts": JSONValue(statement.sorts), "automaticIndexRows": JSONValue(statement.automaticIndexRows),
            "instructions": JSONValue(statement.instructions),
            "verdict": .string(verdict(statement, isFiltered: isFiltered)),
        ]
    }

    /// Whether an index gives the rows: `index`, `order` when rows come in the order of the table, `scan`, or `sort`.
    private static func verdict(_ statement: FetchExplanation.Statement, isFiltered: Bool) -> String {
        if statement.sorts > 0 { return "sort" }
        let readsTable = statement.plan.contains { $0.detail.hasPrefix("SCAN") && !$0.detail.contains("INDEX") }
        if readsTable { return isFiltered ? "scan" : "order" }
        return "index"
    }
}
#endif
