import Foundation

/// Records a save in the tables of persistent history, inside the save's transaction.
final class HistoryWriter {
    private let plan: SavePlan
    private let store: StoreMapping
    private let transaction: HistoryTransaction
    /// Values of deleted rows that are kept, by index in `plan.deletes`.
    private var tombstones: [Int: [SQLValue]] = [:]

    /// Reads what has to be kept of rows that the plan deletes. Create it before the plan is executed.
    init(
        plan: SavePlan, store: StoreMapping, connection: SQLiteConnection, presence: HistoryTables.Presence
    ) throws {
        self.plan = plan
        self.store = store
        transaction = HistoryTransaction(
            store: store, connection: connection, presence: presence, author: plan.author,
            contextName: plan.contextName)
        for (index, change) in plan.deletes.enumerated() {
            guard let entity = store[change.entity] else { continue }
            let slots = HistoryTables.tombstones(of: entity).prefix(presence.tombstoneColumns)
            guard !slots.isEmpty else { continue }
            let names = slots.compactMap { entity.column($0)?.name }.map(SQLName.quotedIfNeeded)
            let sql = "SELECT \(names.joined(separator: ",")) FROM \(SQLName.quotedIfNeeded(entity.table)) WHERE Z_PK=?"
            tombstones[index] = try connection.rows(sql, [.integer(change.reference)]).first
        }
    }

    /// Writes the transaction and its changes: inserts, then updates, then deletes.
    ///
    /// - Returns: The number of the transaction; `nil` for a plan that changes no row.
    func write() throws -> Int64? {
        try transaction.expect(plan.inserts.count + plan.updates.count + plan.deletes.count)
        for change in plan.inserts { try add(.insert, change) }
        for change in plan.updates {
            try add(
                .update, change,
                names: change.slots.compactMap { change.entity.slots[$0]?.name } + change.changedToManys)
        }
        for (index, change) in plan.deletes.enumerated() {
            try add(.delete, change, tombstone: tombstones[index] ?? [])
        }
        try transaction.finish()
        return transaction.key
    }

    private func add(
        _ type: HistoryTransaction.ChangeType, _ change: RowChange, names: [String]? = nil,
        tombstone: [SQLValue] = []
    ) throws {
        guard let entity = store[change.entity] else { return }
        try transaction.add(type, entity, reference: change.reference, names: names, tombstone: tombstone)
    }
}
