public import Foundation

/// How the stores execute a fetch: the SQL, SQLite's plan for it, and what the fetch cost.
///
/// Returned by ``NSManagedObjectContext/explain(_:)``. Its description is for printing and reading.
public struct FetchExplanation: Sendable, CustomStringConvertible {
    /// A step of a query plan. Steps form a tree.
    public struct PlanStep: Sendable, Hashable {
        /// How deep the step stands in the tree; 0 at the top.
        public var depth: Int
        /// What SQLite does, such as `SEARCH t0 USING INDEX ZBOOK_ZTITLE (ZTITLE=?)`; `SCAN` reads a whole table or
        /// index.
        public var detail: String

        package init(depth: Int, detail: String) {
            self.depth = depth
            self.detail = detail
        }
    }

    /// The statement of one store.
    public struct Statement: Sendable {
        /// Where the store is.
        public var storeURL: URL?
        /// The text, with a `?` for each value.
        public var sql: String
        /// The number of values that are bound.
        public var boundValueCount: Int
        /// The plan, in the order in which SQLite reports it.
        public var plan: [PlanStep]
        /// The rows that the statement gave.
        public var rowsReturned: Int
        /// The rows that were passed in scans of whole tables or indexes. 0 when all rows were found by an index.
        public var rowsScanned: Int
        /// How often rows were sorted, because no index has their order.
        public var sorts: Int
        /// The rows of indexes that were made for this statement alone, because one was missing.
        public var automaticIndexRows: Int
        /// The instructions that SQLite's machine ran: the work, comparable between two statements on one store.
        public var instructions: Int
        /// Whether the predicate is one that SQL cannot express: it was evaluated on rows, one after the other, and the
        /// statement is about those that match. Conditions before the part that SQL cannot express leave fewer rows to
        /// evaluate.
        public var isPredicateEvaluated = false

        package init(
            storeURL: URL?, sql: String, boundValueCount: Int, plan: [PlanStep], rowsReturned: Int, rowsScanned: Int,
            sorts: Int, automaticIndexRows: Int, instructions: Int
        ) {
            self.storeURL = storeURL
            self.sql = sql
            self.boundValueCount = boundValueCount
            self.plan = plan
            self.rowsReturned = rowsReturned
            self.rowsScanned = rowsScanned
            self.sorts = sorts
            self.automaticIndexRows = automaticIndexRows
            self.instructions = instructions
        }
    }

    /// The entity that is fetched.
    public var entityName: String
    /// One statement for each store that has SQL; none for stores in memory.
    public var statements: [Statement]

    /// The statements, plans and costs, line by line.
    public var description: String {
        guard !statements.isEmpty else { return "A fetch of \(entityName) that isn't executed in SQL." }
        return "A fetch of \(entityName):\n" + statements.map(\.description).joined(separator: "\n")
    }
}

extension FetchExplanation.Statement: CustomStringConvertible {
    /// The statement, its plan and its cost, line by line.
    public var description: String {
        let steps = plan.map { "    " + String(repeating: "  ", count: $0.depth) + $0.detail }
        let cost =
            "  rows returned: \(rowsReturned), scanned: \(rowsScanned), sorts: \(sorts), "
            + "rows of automatic indexes: \(automaticIndexRows), instructions: \(instructions)"
        let evaluated = isPredicateEvaluated ? ["  the predicate, which SQL cannot express, was evaluated on rows"] : []
        return (["  \(sql)"] + evaluated + ["  bound values: \(boundValueCount)", "  plan:"] + steps + [cost])
            .joined(separator: "\n")
    }
}

/// What a query is for.
package enum FetchPurpose: Sendable {
    case rows, columns, count
}

/// A store that can explain how it executes a query.
package protocol ExplainingStore: RowStore {
    /// Executes a query and explains how.
    func explain(_ query: StoreQuery, _ purpose: FetchPurpose) throws -> FetchExplanation.Statement
}
