import Foundation

/// Indexes that are dropped before many rows are inserted into small tables, and created again when nearly all are
/// there.
///
/// Sorting all entries once costs a fraction of looking up the position of each. Both happen in the save's transaction,
/// so that other connections never see the tables without their indexes. Unique indexes stay, because they refuse rows.
///
/// A newly created index has full pages, which the next saves would have to split one after the other. So a few rows
/// are inserted after it, which makes room on all pages at once.
final class SuspendedIndexes {
    private let connection: SQLiteConnection
    private var statements: [String] = []

    /// Fewer new rows than this are not worth a change of the schema.
    static let fewestRows = 2_000

    /// In units of 1,024 bytes. With less, indexes of 100,000 entries would be sorted in parts, which takes longer for them.
    private static let sortingCacheSize = 4_000

    /// How many threads sort while the writing one reads rows: a million entries take four fifths of the time.
    private static let sortingThreads: Int64 = {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        return processors > 1 ? Int64(min(processors, 4)) : 0
    }()

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// One in this number of rows is inserted last. A page of an index has a hundred entries or more, and splitting one
    /// makes room on its neighbors too, so one row in 256 reaches most pages.
    private static let rowsPerLateRow = 256

    /// Whether no index was dropped.
    var isEmpty: Bool { statements.isEmpty }

    /// The rows, out of `count`, that are inserted before the indexes are created again.
    func before(_ count: Int) -> Range<Int> { 0..<(isEmpty ? 0 : count - count / Self.rowsPerLateRow) }

    /// The rows, out of `count`, that are inserted afterwards.
    func after(_ count: Int) -> Range<Int> { before(count).upperBound..<count }

    /// Drops the indexes of the tables that get at least twice as many rows as they have.
    ///
    /// Does nothing if the store has triggers, which may look for rows in the meantime.
    ///
    /// - Parameter newRows: The number of new rows by table.
    func suspend(_ newRows: [String: Int]) throws {
        let many = newRows.filter { $0.value >= Self.fewestRows }
        guard !many.isEmpty,
            try connection.firstValue("SELECT 1 FROM sqlite_master WHERE type = 'trigger' LIMIT 1") == nil
        else { return }
        for (table, count) in many.sorted(by: { $0.key < $1.key }) {
            guard try isSmall(table, comparedWith: count) else { continue }
            let indexes = try connection.rows(
                """
                SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql LIKE 'CREATE INDEX %' \
                ORDER BY rowid
                """, [.text(table)])
            for index in indexes {
                guard case .text(let name) = index[0], case .text(let sql) = index[1] else { continue }
                try connection.execute(script: "DROP INDEX \(SQLName.quoted(name))")
                statements.append(sql)
            }
        }
    }

    /// Makes the indexes again.
    func resume() throws {
        let cacheSize = try smallerCache()
        defer { if let cacheSize { try? connection.setPragma("cache_size", cacheSize) } }
        let threads = try moreThreads()
        defer { if let threads { try? connection.setPragma("threads", threads) } }
        for sql in statements { try connection.execute(script: sql) }
    }

    /// Has several threads sort the parts; answers the former setting where it was lower.
    private func moreThreads() throws -> String? {
        guard case .integer(let threads) = try connection.firstValue("PRAGMA threads"), threads < Self.sortingThreads
        else { return nil }
        try connection.setPragma("threads", "\(Self.sortingThreads)")
        return "\(threads)"
    }

    /// Makes the page cache smaller while entries are sorted; answers the former setting where it did.
    ///
    /// SQLite sorts as many entries at a time as fill a page cache, and then merges these parts. A part that fits into the
    /// processor's caches is sorted much faster: a million entries take two thirds of the time.
    private func smallerCache() throws -> String? {
        guard case .integer(let size) = try connection.firstValue("PRAGMA cache_size"),
            case .integer(let pageSize) = try connection.firstValue("PRAGMA page_size")
        else { return nil }
        // A negative setting counts units of 1,024 bytes, a positive one pages.
        let kilobytes = size < 0 ? size.magnitude : (size * pageSize).magnitude / 1_024
        guard kilobytes > Self.sortingCacheSize else { return nil }
        try connection.setPragma("cache_size", "-\(Self.sortingCacheSize)")
        return "\(size)"
    }

    /// Whether a table has less than half as many rows as it gets; looks at no more than those.
    private func isSmall(_ table: String, comparedWith newRows: Int) throws -> Bool {
        try connection.firstValue(
            "SELECT 1 FROM \(SQLName.quoted(table)) LIMIT 1 OFFSET ?", [.integer(Int64(newRows / 2))]) == nil
    }
}
