import Foundation

/// Reads transactions and changes from the tables of persistent history.
///
/// What a fetch request says about them goes through the translator of all fetches: named queries in front of the
/// statement give the history's tables the names and columns that `HistoryModel` has in a store.
struct HistoryReader {
    let store: SQLiteStore
    let storeIdentifier: String
    let mapping: StoreMapping
    let presence: HistoryTables.Presence
    let connection: SQLiteConnection

    /// The history's own entities as a store would keep them.
    private static let builder: Result<SQLQueryBuilder, any Error> = Result {
        let schema = try SQLSchema(entities: HistoryModel.shared.model.entitiesInStoreOrder)
        let mapping = StoreMapping(schema: schema, model: ModelLayout.layout(of: HistoryModel.shared.model))
        return SQLQueryBuilder(store: mapping, storeIdentifier: "", dialect: SQLiteDialect())
    }

    func read(_ query: HistoryQuery) throws -> HistoryRecords {
        try connection.snapshot {
            try checkBorder(query.after)
            var records = HistoryRecords()
            if query.isAboutChanges {
                let rows = try rows(query, HistoryModel.shared.change, "changeID", changeList)
                let numbers = Set(rows.compactMap { $0[Self.transactionColumn].integer }).sorted()
                records.transactions = try transactions(numbered: numbers)
                records.changes = changes(rows, of: records.transactions)
            } else {
                let rows = try rows(query, HistoryModel.shared.transaction, "transactionNumber", transactionList)
                records.transactions = rows.compactMap(transaction)
                if query.includesChanges { records.changes = try changes(of: records.transactions) }
            }
            return records
        }
    }

    /// The number of the last transaction that was ever written.
    static func lastNumber(_ connection: SQLiteConnection) throws -> Int64 {
        let row = try connection.rows(
            "SELECT (SELECT MAX(Z_PK) FROM ATRANSACTION), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT=?)",
            [.integer(HistoryTables.transactionNumber)]
        ).first
        return row?.compactMap(\.integer).max() ?? 0
    }

    /// Refuses a position after which transactions are gone.
    private func checkBorder(_ border: HistoryBorder) throws {
        guard case .number(let number, isToken: true) = border else { return }
        let token = NSPersistentHistoryToken([storeIdentifier: number])
        let last = try Self.lastNumber(connection)
        guard number <= last else {
            throw HistoryError.expired(token, "The store's history ends with transaction \(last).")
        }
        // Without transactions, nothing is missing only where the token is that of the last one.
        let first = try connection.firstValue("SELECT MIN(Z_PK) FROM ATRANSACTION")?.integer
        let former = first.map { $0 == .min ? $0 : $0 - 1 } ?? last
        guard former <= number else {
            let first = first.map(String.init) ?? "the one after \(last)"
            throw HistoryError.expired(token, "The store's history now begins with transaction \(first).")
        }
    }

    // MARK: Statements

    /// The columns of a transaction, in the order in which `transaction` reads them.
    private func transactionList(_ alias: String) -> String {
        ["Z_PK", "ZTIMESTAMP", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { "\(alias).\($0)" }
            .joined(separator: ", ")
    }

    private static let transactionColumn = 4

    /// The columns of a change, in the order in which `change` reads them.
    private func changeList(_ alias: String) -> String {
        (["Z_PK", "ZCHANGETYPE", "ZCHANGEDENTITY", "ZCHANGEDOBJECTID", "ZTRANSACTION", "ZCOLUMNS"] + tombstoneColumns)
            .map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    private var tombstoneColumns: [String] { (0..<presence.tombstoneColumns).map { "ZTOMBSTONE\($0)" } }

    /// The named queries that stand for the entities of `HistoryModel`.
    private var namedQueries: String {
        func value(of column: String) -> String {
            presence.hasStringTable
                ? "COALESCE(T.\(column), (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK=T.\(column)TS)) AS \(column)"
                : "T.\(column)"
        }
        let columns = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map(value(of:)).joined(separator: ", ")
        let tombstones = tombstoneColumns.map { ", C.\($0)" }.joined()
        return "WITH ZTRANSACTION AS (SELECT T.Z_PK, T.Z_ENT, T.Z_OPT, T.ZTIMESTAMP, T.Z_PK AS ZTOKEN, "
            + "T.Z_PK AS ZTRANSACTIONNUMBER, \(columns) FROM ATRANSACTION T), "
            + "ZCHANGE AS (SELECT C.Z_PK, C.Z_ENT, C.Z_OPT, C.Z_PK AS ZCHANGEID, C.ZCHANGETYPE, "
            + "C.ZENTITY AS ZCHANGEDENTITY, C.ZENTITYPK AS ZCHANGEDOBJECTID, C.ZTRANSACTIONID AS ZTRANSACTION, "
            + "C.ZCOLUMNS\(tombstones) FROM ACHANGE C) "
    }

    private func rows(
        _ query: HistoryQuery, _ entity: NSEntityDescription, _ key: String, _ list: (String) -> String
    ) throws -> [[SQLValue]] {
        guard let layout = entity.layout else { return [] }
        var store = StoreQuery(entity: layout)
        store.predicate = try condition(query)
        store.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        if let request = query.request {
            if let descriptors = request.sortDescriptors, !descriptors.isEmpty { store.sortDescriptors = descriptors }
            store.limit = max(0, request.fetchLimit)
            store.offset = max(0, request.fetchOffset)
        }
        let statement = try Self.builder.get().rows(store, selectList: list)
        return try connection.rows(namedQueries + statement.sql, statement.bindings)
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

    private func transactions(numbered numbers: [Int64]) throws -> [HistoryTransactionRecord] {
        try batches(numbers, "SELECT \(transactionList("t0")) FROM ZTRANSACTION t0 WHERE t0.Z_PK", order: "t0.Z_PK")
            .compactMap(transaction)
    }

    private func changes(of transactions: [HistoryTransactionRecord]) throws -> [HistoryChangeRecord] {
        let rows = try batches(
            transactions.map(\.number), "SELECT \(changeList("t0")) FROM ZCHANGE t0 WHERE t0.ZTRANSACTION",
            order: "t0.Z_PK")
        let byTransaction = Dictionary(grouping: changes(rows, of: transactions), by: \.transaction.number)
        return transactions.flatMap { byTransaction[$0.number] ?? [] }
    }

    private func batches(_ numbers: [Int64], _ select: String, order: String) throws -> [[SQLValue]] {
        var rows: [[SQLValue]] = []
        try ReferenceBatch.forEach(numbers) { batch, count in
            let marks = Array(repeating: "?", count: count).joined(separator: ",")
            let values = batch.map { SQLValue.integer($0) }
            let filling = Array(repeating: values[values.count - 1], count: count - values.count)
            rows += try connection.rows("\(namedQueries)\(select) IN (\(marks)) ORDER BY \(order)", values + filling)
        }
        return rows
    }

    // MARK: Rows

    private func transaction(_ row: [SQLValue]) -> HistoryTransactionRecord? {
        guard let number = row[0].integer else { return nil }
        return HistoryTransactionRecord(
            store: storeIdentifier, number: number,
            timestamp: Date(timeIntervalSinceReferenceDate: row[1].real ?? 0), author: row[2].string,
            bundleID: row[3].string, contextName: row[4].string, processID: row[5].string)
    }

    /// The changes of some rows. Those of entities that the model does not have are left out.
    private func changes(
        _ rows: [[SQLValue]], of transactions: [HistoryTransactionRecord]
    ) -> [HistoryChangeRecord] {
        let byNumber = Dictionary(transactions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var decoders: [Int64: HistoryChangeDecoder] = [:]
        return rows.compactMap { row in
            guard let number = row[2].integer, let entity = mapping.entity(number: number),
                let transaction = row[Self.transactionColumn].integer.flatMap({ byNumber[$0] })
            else { return nil }
            let decoder = decoders[number] ?? HistoryChangeDecoder(entity, store: store)
            decoders[number] = decoder
            return decoder.change(row, in: transaction)
        }
    }
}

extension SQLValue {
    /// The whole number that the value is.
    fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    fileprivate var string: String? { if case .text(let string) = self { string } else { nil } }
    fileprivate var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}
