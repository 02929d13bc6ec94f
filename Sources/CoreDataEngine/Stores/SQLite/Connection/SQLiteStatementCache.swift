/// Prepared statements of one connection by their text; the ones unused for longest go first.
final class SQLiteStatementCache {
    private let limit: Int
    @exclusivity(unchecked) private var entries: [String: SQLiteStatement] = [:]
    @exclusivity(unchecked) private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    func statement(for sql: String) -> SQLiteStatement? {
        clock += 1
        guard let statement = entries[sql] else { return nil }
        statement.lastUse = clock
        return statement
    }

    func insert(_ statement: SQLiteStatement) {
        guard limit > 0 else { return }
        if entries.count >= limit { removeOldest() }
        clock += 1
        statement.lastUse = clock
        entries[statement.sql] = statement
    }

    func removeAll() {
        for statement in entries.values { statement.finalize() }
        entries.removeAll()
    }

    /// Drops a quarter of the statements at once, so that a full cache is not searched at each insertion.
    private func removeOldest() {
        let idle = entries.filter { !$0.value.isInUse }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (sql, _) in idle.prefix(max(1, limit / 4)) { entries[sql] = nil }
    }
}
