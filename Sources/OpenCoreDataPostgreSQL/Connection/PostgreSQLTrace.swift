#if PostgreSQL
import OpenCoreData

/// Reports the statements of one connection to a log, as SQLite's are reported.
///
/// Of statements that are sent together, the time of each is what passed since the answer to the one before it. Follows the confinement of its connection.
final class PostgreSQLTrace {
    /// `nil` where only what takes long is logged.
    private let log: SQLLog?
    private let slow: SlowStatements?
    private let monitor: (monitor: any StoreMonitor, store: StoreLabels)?
    private var last = ContinuousClock.now
    private var planned: Set<String> = []
    private var isAskingForPlan = false

    /// - Returns: `nil` where nothing is to be logged, and nothing observes the store.
    init?(_ log: SQLLog?, _ slow: SlowStatementLog?, _ store: StoreLabels) {
        monitor = StoreMonitoring.monitor.map { ($0, store) }
        if log == nil, slow == nil, monitor == nil { return nil }
        self.log = log
        self.slow = slow.map { SlowStatements($0) }
    }

    /// Whether statements are logged with the values that they had.
    var hasValues: Bool { log != nil }

    /// Statements are about to be sent.
    func begin() { last = .now }

    /// Called when a statement was answered.
    ///
    /// - Parameter result: The answer; `nil` if the statement failed, or was skipped because an earlier one failed.
    func didAnswer(_ statement: PostgreSQLStatement, _ result: PostgreSQLResult?, hasFailed: Bool) {
        if result != nil || hasFailed { didRun(statement, result, hasFailed: hasFailed) }
    }

    func didRun(_ statement: PostgreSQLStatement, _ result: PostgreSQLResult?, hasFailed: Bool = false) {
        guard !isAskingForPlan else { return }
        let now = ContinuousClock.now
        let parts = last.duration(to: now).components
        last = now
        var note = hasFailed ? ", failed" : ""
        if let count = result?.rowCount { note = ", \(count) \(count == 1 ? "row" : "rows")" }
        let nanoseconds = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
        if let monitor {
            monitor.monitor.didRun(
                MonitoredStatement(
                    kind: .init(of: statement.sql), store: monitor.store, nanoseconds: nanoseconds,
                    hasFailed: hasFailed))
        }
        slow?.note(statement, seconds: Double(nanoseconds) / 1e9, note: note)
        guard let log else { return }
        log.didRun(statement.sql, nanoseconds: nanoseconds, note: note)
        if log.level >= .values, statement.parameters.count > 0 { log.didRun(expanded: statement.expanded) }
    }

    /// Logs the server's plans for statements that have run for the first time, and for those that took long, outside of
    /// transactions, which an error could end.
    func writePlans(_ statements: [PostgreSQLStatement], _ connection: PostgreSQLConnection) {
        guard !isAskingForPlan, connection.transactionState == .none else { return }
        slow?.flush { genericPlan(of: $0, connection) ?? plan(of: $0, connection) }
        guard let log, log.level >= .plans else { return }
        for statement in statements where Self.hasPlan(statement.sql) && planned.insert(statement.sql).inserted {
            for line in plan(of: statement, connection) ?? [] { log.plan(line, depth: 0) }
        }
    }

    /// - Returns: `nil` for what can't be explained. It has run all the same.
    private func plan(of statement: PostgreSQLStatement, _ connection: PostgreSQLConnection) -> [String]? {
        guard Self.hasPlan(statement.sql) else { return nil }
        return explain(
            [PostgreSQLStatement("EXPLAIN (COSTS OFF) " + statement.sql, statement.parameters, isPrepared: false)],
            connection)
    }

    /// The plan for any values, of a statement that the connection has prepared.
    private func genericPlan(of statement: PostgreSQLStatement, _ connection: PostgreSQLConnection) -> [String]? {
        guard Self.hasPlan(statement.sql), statement.isPrepared, statement.parameters.count > 0,
            let name = connection.prepared.name(of: PreparedStatements.Key(statement))
        else { return nil }
        let nulls = Array(repeating: "NULL", count: statement.parameters.count).joined(separator: ", ")
        return explain(
            [
                "SET LOCAL plan_cache_mode = force_generic_plan",
                "EXPLAIN (COSTS OFF) EXECUTE \(SQLName.quoted(name))(\(nulls))",
            ].map { PostgreSQLStatement($0, isPrepared: false) }, connection)
    }

    /// Runs statements in a transaction that changes nothing and waits for no lock of others for long.
    ///
    /// - Returns: What the last one answers.
    private func explain(_ statements: [PostgreSQLStatement], _ connection: PostgreSQLConnection) -> [String]? {
        guard !connection.isBroken else { return nil }
        isAskingForPlan = true
        let roundTrips = connection.roundTripCount
        let observer = connection.observer
        connection.observer = nil
        defer {
            isAskingForPlan = false
            connection.roundTripCount = roundTrips
            connection.observer = observer
        }
        let limit = PostgreSQLStatement("SET LOCAL lock_timeout = '100ms'", isPrepared: false)
        let results = try? connection.pipeline([.begin, limit] + statements + [.rollback])
        guard let results, results.count > statements.count + 1 else { return nil }
        var lines: [String] = []
        results[statements.count + 1].forEachRow { lines.append($0.string(0)) }
        return lines
    }

    private static func hasPlan(_ sql: String) -> Bool {
        ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
    }
}

extension PostgreSQLStatement {
    /// The text with the values of the parameters in place of their numbers, for people to read.
    var expanded: String {
        let values = parameters.literals
        var output: [UInt8] = []
        var mark: UInt8?
        var source = sql.utf8[...]
        while let byte = source.popFirst() {
            if let open = mark {
                if byte == open { mark = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                mark = byte
            } else if byte == UInt8(ascii: "$") {
                let digits = source.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                if let number = Int(String(decoding: digits, as: UTF8.self)), values.indices.contains(number - 1) {
                    output += values[number - 1].utf8
                    source = source.dropFirst(digits.count)
                    continue
                }
            }
            output.append(byte)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
#endif
