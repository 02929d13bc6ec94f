import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataEngine

/// What SQL and fault logging writes at each level.
@Suite struct SQLLogTests {
    // @unchecked is not needed: the lines are behind a mutex.
    final class Lines: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func log(_ level: SQLLog.Level) -> SQLLog {
            SQLLog(level: level) { line in self.kept.withLock { $0.append(line) } }
        }
    }

    /// Runs statements on a connection that logs.
    static func lines(_ level: SQLLog.Level, _ body: (SQLiteConnection) throws -> Void) throws -> [String] {
        let lines = Lines()
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.log = lines.log(level)
        let connection = try SQLiteConnection(inMemory: configuration)
        try body(connection)
        connection.close()
        return lines.all
    }

    static func work(_ connection: SQLiteConnection) throws {
        try connection.execute(script: "CREATE TABLE BOOK (ID INTEGER PRIMARY KEY, TITLE TEXT)")
        try connection.run("INSERT INTO BOOK (TITLE) VALUES (?)", [.text("Emma's secret")])
        _ = try connection.rows("SELECT ID FROM BOOK WHERE TITLE = ?", [.text("Emma's secret")])
        _ = try connection.rows("SELECT ID FROM BOOK WHERE TITLE = ?", [.text("Emma's secret")])
    }

    @Test func levelOneHasTextsAndTimesAndNoValues() throws {
        let lines = try Self.lines(.statements, Self.work)
        #expect(lines.count == 4)
        let select = lines.filter { $0.hasPrefix("sql: SELECT ID FROM BOOK WHERE TITLE = ? (") }
        #expect(select.count == 2)
        #expect(lines.allSatisfy { $0.wholeMatch(of: /sql: .* \(\d+\.\d{6} s\)/) != nil })
        #expect(!lines.contains { $0.contains("Emma") })
    }

    @Test func levelThreeHasValues() throws {
        let lines = try Self.lines(.values, Self.work)
        #expect(lines.contains("values: SELECT ID FROM BOOK WHERE TITLE = 'Emma''s secret'"))
        #expect(lines.contains("values: INSERT INTO BOOK (TITLE) VALUES ('Emma''s secret')"))
        #expect(!lines.contains { $0.hasPrefix("plan:") })
    }

    @Test func levelFourHasThePlanOfEachQueryOnce() throws {
        let lines = try Self.lines(.plans, Self.work)
        #expect(lines.filter { $0.hasPrefix("plan: SCAN BOOK") }.count == 1)
        #expect(!lines.contains { $0.contains("EXPLAIN") })
    }

    @Test func longValuesAreShortened() throws {
        let lines = try Self.lines(.values) { connection in
            try connection.execute(script: "CREATE TABLE BOOK (TITLE TEXT)")
            try connection.run(
                "INSERT INTO BOOK (TITLE) VALUES (?)", [.text(String(repeating: "x", count: 100_000))])
        }
        #expect(lines.allSatisfy { $0.count < 5_000 })
        #expect(lines.contains { $0.hasSuffix("… (100036 bytes)") })
    }

    @Test func aConnectionLogsNothingUnlessAsked() throws {
        let connection = try SQLiteConnection(inMemory: SQLiteConfiguration(access: .readWriteCreate))
        defer { connection.close() }
        #expect(connection.trace == nil)
    }

    // MARK: Settings

    static func settings(_ arguments: [String], _ environment: [String: String] = [:]) -> LaunchSettings {
        LaunchSettings(environment: environment, arguments: ["program"] + arguments)
    }

    @Test func appleArgumentsSetTheLevel() {
        #expect(SQLLog.launched(by: Self.settings([])) == nil)
        for level in 1...4 {
            let log = SQLLog.launched(by: Self.settings(["-com.apple.CoreData.SQLDebug", "\(level)"]))
            #expect(log?.level.rawValue == level)
        }
        #expect(SQLLog.launched(by: Self.settings(["-com.apple.CoreData.SQLDebug", "0"])) == nil)
        #expect(SQLLog.launched(by: Self.settings(["-com.apple.CoreData.SQLDebug"])) == nil)
        #expect(SQLLog.launched(by: Self.settings(["-com.apple.CoreData.SQLDebug", "9"]))?.level == .plans)
        #expect(SQLLog.launched(by: Self.settings(["-com.apple.CoreData.SQLDebug", "YES"]))?.level == .statements)
    }

    @Test func variablesGoBeforeArguments() {
        let variable = ["OPENCOREDATA_SQL_DEBUG": "3", "OPENCOREDATA_MIGRATION_DEBUG": "1"]
        #expect(SQLLog.launched(by: Self.settings([], variable))?.level == .values)
        #expect(SQLLog.launched(by: Self.settings(["-com.apple.CoreData.SQLDebug", "1"], variable))?.level == .values)
        #expect(Self.settings([], variable).isOn(.migrationDebug))
        #expect(!Self.settings(["-com.apple.CoreData.MigrationDebug", "0"]).isOn(.migrationDebug))
        #expect(Self.settings(["-com.apple.CoreData.Logging.stderr", "1"]).isOn(.standardError))
        #expect(Self.settings(["-com.apple.CoreData.ConcurrencyDebug", "1"]).level(.concurrencyDebug) == 1)
        #expect(Self.settings([]).level(.concurrencyDebug) == nil)
    }

    @Test func theFaultMonitorIsOffUnlessTheEnvironmentAsks() {
        #expect(FaultMonitor.launchedLimit(Self.settings([])) == 0)
        #expect(FaultMonitor.launchedLimit(Self.settings([], ["OPENCOREDATA_FAULT_MONITOR": "1"])) == 10)
        #expect(FaultMonitor.launchedLimit(Self.settings([], ["OPENCOREDATA_FAULT_MONITOR": "50"])) == 50)
        #expect(FaultMonitor.launchedLimit(Self.settings([], ["OPENCOREDATA_FAULT_MONITOR": "0"])) == 0)
    }
}
