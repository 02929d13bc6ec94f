import CSQLite
import Foundation

/// Reports the statements of one connection by SQLite's trace hook, which is set only if something wants to know: a
/// log, a log of those that take long, or what observes stores.
///
/// Has the same confinement as its connection.
final class SQLTrace {
    private struct Slow {
        let sql: String
        let seconds: Double
    }

    private let log: SQLLog?
    private let slow: SlowStatementLog?
    private let monitor: (monitor: any StoreMonitor, store: StoreLabels)?
    private let handle: OpaquePointer
    private var planned: Set<String> = []
    private var isAskingForPlan = false
    /// Those that are logged once no statement is being ended.
    private var waiting: [Slow] = []

    /// - Returns: `nil` where nothing wants to know.
    init?(_ configuration: SQLiteConfiguration, path: String, handle: OpaquePointer) {
        log = configuration.log
        slow = configuration.slow
        monitor = StoreMonitoring.monitor.map { ($0, StoreLabels(URL(fileURLWithPath: path))) }
        if log == nil, slow == nil, monitor == nil { return nil }
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
        guard !isAskingForPlan, let text = sqlite3_sql(statement) else { return }
        let sql = String(cString: text)
        if let monitor {
            monitor.monitor.didRun(
                MonitoredStatement(
                    kind: .init(of: sql), store: monitor.store, nanoseconds: nanoseconds, hasFailed: false))
        }
        let seconds = Double(nanoseconds) / 1e9
        if let slow, seconds >= slow.limit { waiting.append(Slow(sql: sql, seconds: seconds)) }
        guard let log else { return }
        log.didRun(sql, nanoseconds: nanoseconds)
        guard log.level >= .values, sqlite3_bind_parameter_count(statement) > 0 else { return }
        guard let expanded = sqlite3_expanded_sql(statement) else {
            return log.write("values: too large to be shown")
        }
        defer { sqlite3_free(expanded) }
        log.didRun(expanded: String(cString: expanded))
    }

    /// Logs the statements that have taken long. Called when a statement has ended.
    func didEnd() {
        guard !waiting.isEmpty, !isAskingForPlan, let slow else { return }
        let statements = waiting
        waiting = []
        for statement in statements {
            slow.write(statement.sql, seconds: statement.seconds) {
                plan(of: statement.sql)?.map { String(repeating: "  ", count: $0.depth) + $0.detail }
            }
        }
    }

    // MARK: Plans

    /// Writes SQLite's plan for a statement, before it runs for the first time.
    func willRun(_ sql: String) {
        guard let log, log.level >= .plans, !isAskingForPlan, Self.hasPlan(sql), planned.insert(sql).inserted else {
            return
        }
        for line in plan(of: sql) ?? [] { log.plan(line.detail, depth: line.depth) }
    }

    private func plan(of sql: String) -> [(detail: String, depth: Int)]? {
        guard Self.hasPlan(sql) else { return nil }
        isAskingForPlan = true
        defer { isAskingForPlan = false }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil) == SQLITE_OK else {
            return nil
        }
        defer { sqlite3_finalize(statement) }
        var lines: [(String, Int)] = []
        var depths: [Int32: Int] = [:]
        while sqlite3_step(statement) == SQLITE_ROW {
            let depth = (depths[sqlite3_column_int(statement, 1)] ?? -1) + 1
            depths[sqlite3_column_int(statement, 0)] = depth
            guard let detail = sqlite3_column_text(statement, 3) else { continue }
            lines.append((String(cString: detail), depth))
        }
        return lines
    }

    private static func hasPlan(_ sql: String) -> Bool {
        ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }
}
