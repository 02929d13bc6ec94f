import Foundation

/// Reads transactions and changes from the tables of persistent history.
struct HistoryReader: HistoryReading {
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

    func read(_ query: HistoryQuery) throws -> HistoryRecords { try connection.snapshot { try records(query) } }

    /// The number of the last transaction that was ever written.
    static func lastNumber(_ connection: SQLiteConnection) throws -> Int64 {
        let row = try connection.rows(
            "SELECT (SELECT MAX(Z_PK) FROM ATRANSACTION), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT=?)",
            [.integer(HistoryTables.transactionNumber)]
        ).first
        return row?.compactMap(\.integer).max() ?? 0
    }

    func checkBorder(_ border: HistoryBorder) throws {
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

    func transactionList(_ alias: String) -> String {
        ["Z_PK", "ZTIMESTAMP", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"].map { "\(alias).\($0)" }
            .joined(separator: ", ")
    }

    func changeList(_ alias: String) -> String {
        (["Z_PK", "ZCHANGETYPE", "ZCHANGEDENTITY", "ZCHANGEDOBJECTID", "ZTRANSACTION", "ZCOLUMNS"] + tombstoneColumns)
            .map { "\(alias).\($0)" }.joined(separator: ", ")
    }

    private var tombstoneColumns: [String] { (0..<presence.tombstoneColumns).map { "ZTOMBSTONE\($0)" } }

    /// The named queries that represent the entities of `HistoryModel`.
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

    func rows(_ search: StoreQuery, selectList: (String) -> String) throws -> [[SQLValue]] {
        let statement = try Self.builder.get().rows(search, selectList: selectList)
        return try connection.rows(namedQueries + statement.sql, statement.bindings)
    }

    func transactions(numbered numbers: [Int64]) throws -> [HistoryTransactionRecord] {
        try batches(numbers, "SELECT \(transactionList("t0")) FROM ZTRANSACTION t0 WHERE t0.Z_PK", order: "t0.Z_PK")
            .compactMap(transaction)
    }

    func changeRows(of transactions: [HistoryTransactionRecord]) throws -> [[SQLValue]] {
        try batches(
            transactions.map(\.number), "SELECT \(changeList("t0")) FROM ZCHANGE t0 WHERE t0.ZTRANSACTION",
            order: "t0.Z_PK")
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

    func changes(
        _ rows: [[SQLValue]], of transactions: [Int64: HistoryTransactionRecord]
    ) -> [HistoryChangeRecord] {
        var decoders: [Int64: HistoryChangeDecoder] = [:]
        return rows.compactMap { row in
            guard let number = row[2].integer, let entity = mapping.entity(number: number),
                let transaction = row[Self.transactionColumn].integer.flatMap({ transactions[$0] })
            else { return nil }
            let decoder = decoders[number] ?? HistoryChangeDecoder(entity, store: store)
            decoders[number] = decoder
            return decoder.change(row, in: transaction)
        }
    }
}
