import Foundation

/// Reads transactions and changes from the tables of a store's history.
///
/// What a fetch request says about them goes through the translator of all fetches: named queries in front of the
/// statement give the history's tables the names and columns that `HistoryModel` has in a store.
package protocol HistoryReading {
    var storeIdentifier: String { get }
    var mapping: StoreMapping { get }
    /// The columns of a transaction of a table with this alias, in the order in which `transaction(_:)` reads them.
    func transactionList(_ alias: String) -> String
    /// The columns of a change, in the order in which `changes(_:of:)` reads them; the fifth is the transaction's number.
    func changeList(_ alias: String) -> String

    /// Refuses a position after which transactions are gone.
    func checkBorder(_ border: HistoryBorder) throws
    /// The columns of the history's own objects that a query finds.
    func rows(_ search: StoreQuery, selectList: (String) -> String) throws -> [[SQLValue]]
    /// The transactions with these numbers, in order.
    func transactions(numbered numbers: [Int64]) throws -> [HistoryTransactionRecord]
    /// The columns of the changes of some transactions, in the order of the transaction's changes.
    func changeRows(of transactions: [HistoryTransactionRecord]) throws -> [[SQLValue]]
    /// The changes of some rows. Those of entities that the model does not have are left out.
    func changes(
        _ rows: [[SQLValue]], of transactions: [Int64: HistoryTransactionRecord]
    ) -> [HistoryChangeRecord]
}

extension HistoryReading {
    package func records(_ query: HistoryQuery) throws -> HistoryRecords {
        try checkBorder(query.after)
        var records = HistoryRecords()
        if query.isAboutChanges {
            let rows = try rows(query, HistoryModel.shared.change, "changeID", changeList)
            let numbers = Set(rows.compactMap { $0[Self.transactionColumn].integer }).sorted()
            records.transactions = try transactions(numbered: numbers)
            records.changes = changes(rows, of: Self.byNumber(records.transactions))
        } else {
            let rows = try rows(query, HistoryModel.shared.transaction, "transactionNumber", transactionList)
            records.transactions = rows.compactMap(transaction)
            if query.includesChanges {
                let rows = try changeRows(of: records.transactions)
                let changes = changes(rows, of: Self.byNumber(records.transactions))
                let byTransaction = Dictionary(grouping: changes, by: \.transaction.number)
                records.changes = records.transactions.flatMap { byTransaction[$0.number] ?? [] }
            }
        }
        return records
    }

    /// Which column of a change is the number of its transaction.
    package static var transactionColumn: Int { 4 }

    private static func byNumber(_ transactions: [HistoryTransactionRecord]) -> [Int64: HistoryTransactionRecord] {
        Dictionary(transactions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The transaction of a row.
    package func transaction(_ row: [SQLValue]) -> HistoryTransactionRecord? {
        guard let number = row[0].integer else { return nil }
        return HistoryTransactionRecord(
            store: storeIdentifier, number: number,
            timestamp: Date(timeIntervalSinceReferenceDate: row[1].number ?? 0), author: row[2].string,
            bundleID: row[3].string, contextName: row[4].string, processID: row[5].string)
    }

    private func rows(
        _ query: HistoryQuery, _ entity: NSEntityDescription, _ key: String, _ list: (String) -> String
    ) throws -> [[SQLValue]] {
        guard let layout = entity.layout else { return [] }
        var search = StoreQuery(entity: layout)
        search.predicate = try condition(query)
        search.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        if let request = query.request {
            if let descriptors = request.sortDescriptors, !descriptors.isEmpty { search.sortDescriptors = descriptors }
            search.limit = max(0, request.fetchLimit)
            search.offset = max(0, request.fetchOffset)
        }
        return try rows(search, selectList: list)
    }

    private func condition(_ query: HistoryQuery) throws -> NSPredicate? {
        var parts: [NSPredicate] = []
        let owner = query.isAboutChanges ? "transaction." : ""
        switch query.after {
        case .beginning: break
        case .date(let date):
            parts.append(NSPredicate(format: "%K > %@", argumentArray: [owner + "timestamp", date]))
        case .number(let number, _):
            parts.append(
                NSPredicate(
                    format: "%K > %@", argumentArray: [owner + "transactionNumber", NSNumber(value: number)]))
        }
        if let predicate = query.request?.predicate {
            let resolver = HistoryPredicate(store: storeIdentifier, stores: query.stores, mapping: mapping)
            parts.append(try resolver.resolve(predicate))
        }
        return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    }
}
