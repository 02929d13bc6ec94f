/// Prepared statements of one connection by their text; the ones unused for longest go first.
final class SQLiteStatementCache {
    private let limit: Int
    @exclusivity(unchecked) private var entries: [String: SQLiteStatement] = [:]
    @exclusivity(unchecked) private var clock: UInt64 = 0
    /// Those that were asked for last, identified by where their text is: a caller that keeps the text of a long
    /// statement needs no hash of it.
    @exclusivity(unchecked) private var recent: [(address: UnsafeRawPointer, statement: SQLiteStatement)] = []
    @exclusivity(unchecked) private var nextRecent = 0
    private static let mostRecent = 6

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    func statement(for sql: String) -> SQLiteStatement? {
        clock += 1
        let address = Self.address(of: sql)
        if let address,
            let known = recent.first(where: { $0.address == address && $0.statement.sql.utf8.count == sql.utf8.count })
        {
            known.statement.lastUse = clock
            return known.statement
        }
        guard let statement = entries[sql] else { return nil }
        statement.lastUse = clock
        // Its own text stands where it stands as long as it is listed.
        if let address, address == Self.address(of: statement.sql) { record(statement, address) }
        return statement
    }

    private func record(_ statement: SQLiteStatement, _ address: UnsafeRawPointer) {
        if recent.count < Self.mostRecent {
            recent.append((address, statement))
        } else {
            recent[nextRecent] = (address, statement)
            nextRecent = (nextRecent + 1) % Self.mostRecent
        }
    }

    /// Where a string is in memory; `nil` for a short one, which is in no memory of its own.
    private static func address(of sql: String) -> UnsafeRawPointer? {
        guard sql.utf8.count > 15 else { return nil }
        return sql.utf8.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
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
        recent = []
    }

    /// Drops a quarter of the statements at once, so that a full cache is not searched at each insertion.
    private func removeOldest() {
        let idle = entries.filter { !$0.value.isInUse }.sorted { $0.value.lastUse < $1.value.lastUse }
        for (sql, _) in idle.prefix(max(1, limit / 4)) { entries[sql] = nil }
        recent = []
    }
}
