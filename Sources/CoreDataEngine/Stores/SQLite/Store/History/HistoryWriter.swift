import Foundation

/// Records a save in the tables of persistent history, inside the save's transaction.
final class HistoryWriter {
    private let plan: SavePlan
    private let store: StoreMapping
    private let connection: SQLiteConnection
    private let presence: HistoryTables.Presence
    /// Values of deleted rows that are kept, by place in `plan.deletes`.
    private var tombstones: [Int: [SQLiteValue]] = [:]
    private var columnsByEntity: [Int: HistoryColumns] = [:]

    /// Change types as `NSPersistentHistoryChangeType` numbers them.
    private enum ChangeType: Int64 {
        case insert, update, delete
    }

    /// Reads what must be kept of rows that the plan deletes. Make it before the plan is carried out.
    init(
        plan: SavePlan, store: StoreMapping, connection: SQLiteConnection, presence: HistoryTables.Presence
    ) throws {
        self.plan = plan
        self.store = store
        self.connection = connection
        self.presence = presence
        for (place, change) in plan.deletes.enumerated() {
            guard let entity = store[change.entity] else { continue }
            let slots = HistoryTables.tombstones(of: entity).prefix(presence.tombstoneColumns)
            guard !slots.isEmpty else { continue }
            let names = slots.compactMap { entity.column($0)?.name }.map(SQLName.quotedIfNeeded)
            let sql = "SELECT \(names.joined(separator: ",")) FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            tombstones[place] = try connection.rows(sql, [.integer(change.reference)]).first
        }
    }

    /// Writes the transaction and its changes: inserts, then updates, then deletes.
    func write() throws {
        guard !plan.inserts.isEmpty || !plan.updates.isEmpty || !plan.deletes.isEmpty else { return }
        let transaction = try reserve(1, HistoryTables.transactionNumber, "TRANSACTION", table: "ATRANSACTION")
        try insertTransaction(transaction)
        let count = plan.inserts.count + plan.updates.count + plan.deletes.count
        var key = try reserve(Int64(count), HistoryTables.changeNumber, "CHANGE", table: "ACHANGE")
        for change in plan.inserts {
            try insertChange(key, .insert, change, transaction)
            key += 1
        }
        for change in plan.updates {
            try insertChange(key, .update, change, transaction, columns: changedBits(change))
            key += 1
        }
        for (place, change) in plan.deletes.enumerated() {
            try insertChange(key, .delete, change, transaction, tombstone: tombstones[place] ?? [])
            key += 1
        }
    }

    // MARK: Rows

    private func insertTransaction(_ key: Int64) throws {
        let bundle = Bundle.main.bundleIdentifier
        let process = ProcessInfo.processInfo.processName
        let texts = [plan.author, bundle, plan.contextName, process]
        let columns =
            presence.hasStringTable
            ? "ZAUTHORTS,ZBUNDLEIDTS,ZCONTEXTNAMETS,ZPROCESSIDTS" : "ZAUTHOR,ZBUNDLEID,ZCONTEXTNAME,ZPROCESSID"
        let values = try texts.map { text -> SQLiteValue in
            guard let text else { return .null }
            return presence.hasStringTable ? .integer(try stringKey(text)) : .text(text)
        }
        try connection.run(
            "INSERT INTO ATRANSACTION (Z_PK,Z_ENT,ZTIMESTAMP,\(columns)) VALUES (?,?,?,?,?,?,?)",
            [
                .integer(key), .integer(HistoryTables.transactionNumber), .real(Date().timeIntervalSinceReferenceDate),
            ] + values)
    }

    private func stringKey(_ text: String) throws -> Int64 {
        if case .integer(let key)? = try connection.firstValue(
            "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME=?", [.text(text)])
        {
            return key
        }
        let key = try reserve(1, HistoryTables.stringNumber, "TRANSACTIONSTRING", table: "ATRANSACTIONSTRING")
        try connection.run(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK,Z_ENT,ZNAME) VALUES (?,?,?)",
            [.integer(key), .integer(HistoryTables.stringNumber), .text(text)])
        return key
    }

    private func insertChange(
        _ key: Int64, _ type: ChangeType, _ change: RowChange, _ transaction: Int64, columns: [UInt8]? = nil,
        tombstone: [SQLiteValue] = []
    ) throws {
        guard let entity = store[change.entity] else { return }
        let names = tombstone.indices.map { ",ZTOMBSTONE\($0)" }.joined()
        let marks = String(repeating: ",?", count: tombstone.count)
        let fixed: [SQLiteValue] = [
            .integer(key), .integer(HistoryTables.changeNumber), .integer(type.rawValue), .integer(entity.number),
            .integer(change.reference), .integer(transaction), columns.map { .blob(Data($0)) } ?? .null,
        ]
        try connection.run(
            "INSERT INTO ACHANGE (Z_PK,Z_ENT,ZCHANGETYPE,ZENTITY,ZENTITYPK,ZTRANSACTIONID,ZCOLUMNS\(names)) "
                + "VALUES (?,?,?,?,?,?,?\(marks))",
            fixed + tombstone)
    }

    private func changedBits(_ change: RowChange) -> [UInt8] {
        guard let entity = store[change.entity] else { return [] }
        let columns = columnsByEntity[entity.layout.index] ?? HistoryColumns(entity)
        columnsByEntity[entity.layout.index] = columns
        let names = change.slots.compactMap { change.entity.slots[$0]?.name }
        return columns.bits(for: names + change.changedToManys)
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
            try connection.run(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT,Z_NAME,Z_SUPER,Z_MAX) VALUES (?,?,0,?)",
                [.integer(number), .text(name), .integer(highest + count)])
            return highest + 1
        }
        let keys = row.compactMap { value -> Int64? in if case .integer(let key) = value { key } else { nil } }
        let highest = keys.max() ?? 0
        try connection.run(
            "UPDATE Z_PRIMARYKEY SET Z_MAX=? WHERE Z_ENT=?", [.integer(highest + count), .integer(number)])
        return highest + 1
    }
}
