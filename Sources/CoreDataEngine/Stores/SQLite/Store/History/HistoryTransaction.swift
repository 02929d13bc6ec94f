import Foundation

/// One transaction of persistent history while it is written, inside the transaction of the database.
///
/// The row of the transaction comes with its first change. Keys of changes are reserved in blocks; `finish` gives the rest
/// of the last one back.
final class HistoryTransaction {
    /// Change types as `NSPersistentHistoryChangeType` numbers them.
    enum ChangeType: Int64 {
        case insert, update, delete
    }

    private let store: StoreMapping
    private let connection: SQLiteConnection
    private let presence: HistoryTables.Presence
    private let author: String?
    private let contextName: String?
    /// The number of the transaction, once it has a change.
    private(set) var key: Int64?
    private var changeKeys: Range<Int64> = 0..<0
    private var columnsByEntity: [Int: HistoryColumns] = [:]

    /// The number of keys to reserve at a time if the number of changes isn't known.
    private static let blockSize = 512

    init(
        store: StoreMapping, connection: SQLiteConnection, presence: HistoryTables.Presence, author: String?,
        contextName: String?
    ) {
        self.store = store
        self.connection = connection
        self.presence = presence
        self.author = author
        self.contextName = contextName
    }

    /// Reserves keys for changes that are going to be added.
    func expect(_ count: Int) throws {
        guard changeKeys.isEmpty, count > 0 else { return }
        let first = try reserve(Int64(count), HistoryTables.changeNumber, "CHANGE", table: "ACHANGE")
        changeKeys = first..<first + Int64(count)
    }

    /// Adds a change of a row.
    ///
    /// - Parameters:
    ///   - names: For an update: the properties that changed.
    ///   - tombstone: For a delete: the values that are kept.
    func add(
        _ type: ChangeType, _ entity: EntityMapping, reference: Int64, names: [String]? = nil,
        tombstone: [SQLValue] = []
    ) throws {
        let transaction = try transactionKey()
        if changeKeys.isEmpty { try expect(Self.blockSize) }
        let columns = tombstone.indices.map { ",ZTOMBSTONE\($0)" }.joined()
        let marks = String(repeating: ",?", count: tombstone.count)
        let bits: SQLValue = names.map { .blob(Data(changedBits($0, entity))) } ?? .null
        try connection.run(
            "INSERT INTO ACHANGE (Z_PK,Z_ENT,ZCHANGETYPE,ZENTITY,ZENTITYPK,ZTRANSACTIONID,ZCOLUMNS\(columns)) "
                + "VALUES (?,?,?,?,?,?,?\(marks))",
            [
                .integer(changeKeys.lowerBound), .integer(HistoryTables.changeNumber), .integer(type.rawValue),
                .integer(entity.number), .integer(reference), .integer(transaction), bits,
            ] + tombstone)
        changeKeys = changeKeys.dropFirst()
    }

    /// Gives back the keys that were not used.
    func finish() throws {
        guard !changeKeys.isEmpty else { return }
        try connection.run(
            "UPDATE Z_PRIMARYKEY SET Z_MAX=? WHERE Z_ENT=?",
            [.integer(changeKeys.lowerBound - 1), .integer(HistoryTables.changeNumber)])
        changeKeys = 0..<0
    }

    private func changedBits(_ names: [String], _ entity: EntityMapping) -> [UInt8] {
        let columns = columnsByEntity[entity.layout.index] ?? HistoryColumns(entity)
        columnsByEntity[entity.layout.index] = columns
        return columns.bits(for: names)
    }

    // MARK: The transaction's row

    private func transactionKey() throws -> Int64 {
        if let key { return key }
        let made = try reserve(1, HistoryTables.transactionNumber, "TRANSACTION", table: "ATRANSACTION")
        try insertTransaction(made)
        key = made
        return made
    }

    private func insertTransaction(_ key: Int64) throws {
        let bundle = Bundle.main.bundleIdentifier
        let process = ProcessInfo.processInfo.processName
        let strings = [author, bundle, contextName, process]
        let columns =
            presence.hasStringTable
            ? "ZAUTHORTS,ZBUNDLEIDTS,ZCONTEXTNAMETS,ZPROCESSIDTS" : "ZAUTHOR,ZBUNDLEID,ZCONTEXTNAME,ZPROCESSID"
        let values = try strings.map { string -> SQLValue in
            guard let string else { return .null }
            return presence.hasStringTable ? .integer(try stringKey(string)) : .text(string)
        }
        try connection.run(
            "INSERT INTO ATRANSACTION (Z_PK,Z_ENT,ZTIMESTAMP,\(columns)) VALUES (?,?,?,?,?,?,?)",
            [
                .integer(key), .integer(HistoryTables.transactionNumber), .real(Date().timeIntervalSinceReferenceDate),
            ] + values)
    }

    private func stringKey(_ string: String) throws -> Int64 {
        if case .integer(let key)? = try connection.firstValue(
            "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME=?", [.text(string)])
        {
            return key
        }
        let key = try reserve(1, HistoryTables.stringNumber, "TRANSACTIONSTRING", table: "ATRANSACTIONSTRING")
        try connection.run(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK,Z_ENT,ZNAME) VALUES (?,?,?)",
            [.integer(key), .integer(HistoryTables.stringNumber), .text(string)])
        return key
    }

    // MARK: Primary keys

    /// Reserves keys of a history table and returns the first. The table's row in `Z_PRIMARYKEY` comes with its first key.
    private func reserve(_ count: Int64, _ number: Int64, _ name: String, table: String) throws -> Int64 {
        let row = try connection.rows(
            "SELECT Z_MAX, (SELECT MAX(Z_PK) FROM \(table)) FROM Z_PRIMARYKEY WHERE Z_ENT=?", [.integer(number)]
        ).first
        guard let row else {
            var highest: Int64 = 0
            if case .integer(let key)? = try connection.firstValue("SELECT MAX(Z_PK) FROM \(table)") { highest = key }
            let keys = try PrimaryKeys.keys(after: highest, count: count, table: table, path: connection.path)
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT,Z_NAME,Z_SUPER,Z_MAX) VALUES (?,?,0,?)",
                [.integer(number), .text(name), .integer(keys.upperBound - 1)])
            return keys.lowerBound
        }
        let given = row.compactMap { value -> Int64? in if case .integer(let key) = value { key } else { nil } }
        let keys = try PrimaryKeys.keys(after: given.max() ?? 0, count: count, table: table, path: connection.path)
        try connection.run(
            "UPDATE Z_PRIMARYKEY SET Z_MAX=? WHERE Z_ENT=?", [.integer(keys.upperBound - 1), .integer(number)])
        return keys.lowerBound
    }
}
