package import Foundation

/// A store that records its history.
package protocol HistoryStore: RowStore {
    /// The number of the last transaction, or 0 before the first; `nil` for a store that records no history.
    func lastTransactionNumber() throws -> Int64?
    /// The transactions or changes that a query matches. A store that records no history has none.
    func history(_ query: HistoryQuery) throws -> HistoryRecords
    /// Deletes transactions and their changes.
    ///
    /// - Returns: How many transactions were deleted.
    func deleteHistory(before border: HistoryBorder) throws -> Int
    /// Deletes the transactions with these numbers, and their changes.
    ///
    /// - Returns: How many transactions were deleted.
    func deleteHistory(numbers: [Int64]) throws -> Int
    /// Deletes the oldest transactions and their changes.
    ///
    /// - Parameters:
    ///   - date: Transactions from then on stay.
    ///   - last: Transactions with higher numbers stay.
    ///   - limit: How many are deleted at most, so that no writer waits long.
    /// - Returns: How many transactions were deleted.
    func deleteHistory(olderThan date: Date, upTo last: Int64, limit: Int) throws -> Int
    /// Whether the file has tables for history, even empty ones, because history was turned on before.
    func hasHistoryTables() throws -> Bool
}

/// A border in the history of one store.
package enum HistoryBorder: Sendable {
    case beginning
    case date(Date)
    /// A transaction. `isToken`: what comes after it must still be there.
    case number(Int64, isToken: Bool)
}

/// What to read from the history of one store.
package struct HistoryQuery {
    package var after = HistoryBorder.beginning
    /// What the request's entity is; `nil` without a request, which is about transactions.
    package var request: NSFetchRequestBase?
    /// Whether the request is about changes.
    package var isAboutChanges = false
    /// Whether the changes of the transactions are wanted.
    package var includesChanges = true
    /// The UUIDs of all stores that are asked; a token of none of them has expired.
    package var stores: Set<String> = []

    package init() {}
}

/// What a store found.
package struct HistoryRecords {
    /// In the order of the request, else oldest first.
    package var transactions: [HistoryTransactionRecord] = []
    /// In the order of the request, else in the order of their transactions.
    package var changes: [HistoryChangeRecord] = []

    package init() {}
}
