/// Prepared statements of one connection by their text; the ones unused for longest go first.
final class SQLiteStatementCache {
    private struct Entry {
        var statement: SQLiteStatement
        var lastUse: UInt64
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    func statement(for sql: String) -> SQLiteStatement? {
        clock += 1
        guard let index = entries.index(forKey: sql) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].statement
    }

    func insert(_ statement: SQLiteStatement) {
        guard limit > 0 else { return }
        if entries.count >= limit { removeOldest() }
        clock += 1
        entries[statement.sql] = Entry(statement: statement, lastUse: clock)
    }

    func removeAll() {
        for entry in entries.values { entry.statement.finalize() }
        entries.removeAll()
    }

    /// Drops a quarter of the statements at once, so that a full cache is not searched at each insertion.
    private func removeOldest() {
        let idle = entries.filter { !$0.value.statement.isInUse }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (sql, _) in idle.prefix(max(1, limit / 4)) { entries[sql] = nil }
    }
}
