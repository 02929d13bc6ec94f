import CSQLite

/// Logs the statements of one connection by SQLite's trace hook, which is set only if logging is on.
///
/// Has the same confinement as its connection.
final class SQLTrace {
    private let log: SQLLog
    private let handle: OpaquePointer
    private var planned: Set<String> = []
    private var isAskingForPlan = false

    init(_ log: SQLLog, handle: OpaquePointer) {
        self.log = log
        self.handle = handle
    }

    /// Begins to report.
    func begin() {
        let callback:
            @convention(c) (UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
                -> Int32 = { _, context, statement, nanoseconds in
                    guard let context, let statement, let nanoseconds else { return 0 }
                    Unmanaged<SQLTrace>.fromOpaque(context).takeUnretainedValue()
                        .didRun(OpaquePointer(statement), nanoseconds: nanoseconds.load(as: Int64.self))
                    return 0
                }
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_PROFILE), callback, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends it; needed before this object goes.
    func end() { sqlite3_trace_v2(handle, 0, nil, nil) }

    private func didRun(_ statement: OpaquePointer, nanoseconds: Int64) {
        guard !isAskingForPlan, let sql = sqlite3_sql(statement) else { return }
        log.didRun(String(cString: sql), nanoseconds: nanoseconds)
        guard log.level >= .values, sqlite3_bind_parameter_count(statement) > 0 else { return }
        guard let expanded = sqlite3_expanded_sql(statement) else {
            return log.write("values: too large to be shown")
        }
        defer { sqlite3_free(expanded) }
        log.didRun(expanded: String(cString: expanded))
    }

    // MARK: Plans

    /// Writes SQLite's plan for a statement, before it runs for the first time.
    func willRun(_ sql: String) {
        guard log.level >= .plans, !isAskingForPlan, Self.hasPlan(sql), planned.insert(sql).inserted else { return }
        isAskingForPlan = true
        defer { isAskingForPlan = false }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil) == SQLITE_OK else { return }
        defer { sqlite3_finalize(statement) }
        var depths: [Int32: Int] = [:]
        while sqlite3_step(statement) == SQLITE_ROW {
            let depth = (depths[sqlite3_column_int(statement, 1)] ?? -1) + 1
            depths[sqlite3_column_int(statement, 0)] = depth
            guard let detail = sqlite3_column_text(statement, 3) else { continue }
            log.plan(String(cString: detail), depth: depth)
        }
    }

    private static func hasPlan(_ sql: String) -> Bool {
        ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }
}
