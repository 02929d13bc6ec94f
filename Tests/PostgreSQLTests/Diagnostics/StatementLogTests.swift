#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// What logs have of statements that a server carries out.
@Suite(.needsServer) struct StatementLogTests {
    /// Runs statements on a connection that logs.
    private func lines(_ level: SQLLog.Level, _ body: (PostgreSQLConnection) throws -> Void) throws -> [String] {
        let lines = SentStatements()
        let connection = try PostgreSQLConnection(
            TestServer.address(), log: SQLLog(level: level) { lines.note($0) })
        defer { connection.close() }
        try body(connection)
        return lines.take()
    }

    private func work(_ connection: PostgreSQLConnection) throws {
        try connection.runScript("CREATE TEMPORARY TABLE book (id int8 PRIMARY KEY, title text)")
        try connection.pipeline([
            .begin,
            PostgreSQLStatement(
                "INSERT INTO book SELECT * FROM unnest($1::int8[], $2::text[])",
                PostgreSQLParameters([
                    .array(.int8, [.int8(1), .int8(-2)]), .array(.text, [.text("Emma's secret"), .null(.text)]),
                ])), .commit,
        ])
        for _ in 0..<2 {
            try connection.execute("SELECT id FROM book WHERE title = $1", values: [.text("Emma's secret")])
        }
    }

    @Test func levelOneHasTextsTimesAndCountsAndNoValues() throws {
        let lines = try lines(.statements, work)
        #expect(lines.count == 6)
        #expect(lines.allSatisfy { $0.wholeMatch(of: /sql: .* \(\d+\.\d{6} s(, \d+ rows?)?\)/) != nil }, "\(lines)")
        #expect(lines.filter { $0.hasPrefix("sql: SELECT id FROM book WHERE title = $1 (") }.count == 2)
        #expect(lines.contains { $0.hasPrefix("sql: INSERT INTO book SELECT") && $0.hasSuffix(", 2 rows)") })
        #expect(lines.contains { $0.hasPrefix("sql: COMMIT (") && $0.hasSuffix(" s)") })
        #expect(!lines.contains { $0.contains("Emma") })
    }

    @Test func statementsThatTakeLongAreLoggedWithTheirPlanWithoutValues() throws {
        let lines = SentStatements()
        let connection = try PostgreSQLConnection(
            TestServer.address(), log: nil, slow: SlowStatementLog(limit: 0.2) { lines.note($0) })
        defer { connection.close() }
        try connection.runScript("CREATE TEMPORARY TABLE book (id int8 PRIMARY KEY, title text)")
        try connection.execute("INSERT INTO book VALUES (1, $1)", values: [.text("Emma's secret")])
        try connection.transaction {
            try connection.execute(
                "SELECT id, pg_sleep(0.4) FROM book WHERE title = $1", values: [.text("Emma's secret")])
            // Not before the transaction has ended.
            #expect(lines.take().isEmpty)
        }
        let found = lines.take()
        #expect(found.count == 1)
        let line = try #require(found.first)
        #expect(
            line.wholeMatch(
                of: /(?s)A statement took \d+\.\d+ s, 1 row: SELECT id, pg_sleep.*\nIts plan: .*Scan on book.*/)
                != nil, "\(line)")
        #expect(!line.contains("Emma") && !line.contains("secret"), "\(line)")
        // The plan is the one for any values.
        #expect(line.contains("(title = $1)"), "\(line)")
        #expect(connection.transactionState == .none)
        #expect(
            SlowStatements.withoutValues(
                "  Filter: ((a1 = 'It''s 5'::text) AND (\"b 2\" > 12.5) AND (c = ANY ('{1,2}'::int4[])))")
                == "  Filter: ((a1 = ?::text) AND (\"b 2\" > ?) AND (c = ANY (?::int4[])))")
        #expect(SlowStatements.withoutValues("Seq Scan on book2") == "Seq Scan on book2")
        #expect(try PostgreSQLAddress("postgresql://localhost/a?slow_statement=0.5").settings.slowStatement == 0.5)
    }

    @Test func ofStatementsThatAreSentTogetherTheSlowOneIsLogged() throws {
        let lines = SentStatements()
        let connection = try PostgreSQLConnection(
            TestServer.address(), log: nil, slow: SlowStatementLog(limit: 0.2) { lines.note($0) })
        defer { connection.close() }
        try connection.pipeline([
            .begin, PostgreSQLStatement("SELECT 1"), PostgreSQLStatement("SELECT pg_sleep(0.4)"),
            PostgreSQLStatement("SELECT 2"), .commit,
        ])
        let found = lines.take()
        #expect(found.count == 1)
        #expect(found.first?.contains("SELECT pg_sleep(0.4)") == true, "\(found)")
    }

    @Test func levelThreeHasValues() throws {
        let lines = try lines(.values, work)
        #expect(lines.contains("values: SELECT id FROM book WHERE title = 'Emma''s secret'"))
        #expect(
            lines.contains(
                "values: INSERT INTO book SELECT * FROM "
                    + "unnest(ARRAY[1, -2]::int8[], ARRAY['Emma''s secret', NULL]::text[])"))
        #expect(!lines.contains { $0.hasPrefix("plan:") })
    }

    @Test func levelFourHasThePlanOfEachStatementOnce() throws {
        var trips = 0
        let lines = try lines(.plans) { connection in
            try work(connection)
            trips = connection.roundTripCount
        }
        #expect(lines.filter { $0.hasPrefix("plan: Seq Scan on book") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("plan: Insert on book") }.count == 1)
        #expect(!lines.contains { $0.contains("EXPLAIN") })
        #expect(trips == 4)
    }

    /// The server itself reads the text with the values and finds the same.
    @Test func valuesStandAsTheServerReadsThem() throws {
        let date = Date(timeIntervalSinceReferenceDate: -1_234_567_890.25)
        let values: [(String, PostgreSQLParameter)] = [
            ("bool", .bool(true)), ("int2", .int2(-7)), ("int4", .int4(.max)), ("int8", .int8(.max)),
            ("float4", .float4(1.5)), ("float8", .float8(1e300)), ("float8", .float8(-.infinity)),
            ("numeric", .numeric(Decimal(string: "-1234567890.000123") ?? 0)), ("text", .text("a'b\"c$1")),
            ("bytea", .bytea(Data([0, 255, 39]))), ("uuid", .uuid(UUID())), ("timestamptz", .timestamptz(date)),
            ("jsonb", .jsonb(#"{"a": "it's"}"#)), ("float8[]", .array(.float8, [.float8(2), .null(.float8)])),
            ("uuid[]", .array(.uuid, [])), ("text", .null(.text)),
        ]
        let connection = try TestServer.connect()
        defer { connection.close() }
        for (type, value) in values {
            let statement = PostgreSQLStatement(
                "SELECT $1::\(type) AS \"$1\", '$1'", try PostgreSQLParameters([value]))
            let expanded = statement.expanded
            #expect(expanded.hasSuffix("AS \"$1\", '$1'"))
            let same = "SELECT $1::\(type) IS NOT DISTINCT FROM (\(expanded.replacing(", '$1'", with: "")))"
            #expect(
                try connection.execute(same, statement.parameters).first?.bool(0) == true, "\(type): \(expanded)")
        }
    }

    @Test func aStatementThatFailsIsSaidToHaveFailed() throws {
        let lines = try lines(.statements) { connection in
            #expect(throws: PostgreSQLError.self) {
                try connection.pipeline([
                    PostgreSQLStatement("SELECT 1"), PostgreSQLStatement("SELECT 1 / 0"),
                    PostgreSQLStatement("SELECT 2"),
                ])
            }
        }
        #expect(lines.filter { $0.hasSuffix(", failed)") }.map { $0.prefix(17) } == ["sql: SELECT 1 / 0"])
        #expect(!lines.contains { $0.hasPrefix("sql: SELECT 2") })
    }

    @Test func aProgramThatWasStartedWithTheSettingLogsItsStores() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_SQL_DEBUG", "3", 1)
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            try ServerStack.with { stack in
                try stack.inContext { context in
                    Book(context: context).title = "Emma"
                    try context.save()
                    #expect(try context.count(for: Book.fetchRequest()) == 1)
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(/sql: WITH .*INSERT INTO|sql: INSERT INTO/) && text.contains("'Emma'"))
        #expect(text.contains(/sql: SELECT count\(\*\).*, 1 row\)/.ignoresCase()))
    }

    @Test func optionsThatOnlyFilesHaveAreNamedOnceByOneLine() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("OPENCOREDATA_LOG_STDERR", "1", 1)
            let options: [AnyHashable: Any] = [
                NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSSQLiteAnalyzeOption: true,
                NSSQLiteManualVacuumOption: false, OpenCoreDataLargestLogOption: 1_000_000,
                NSPersistentStoreTimeoutOption: 5,
            ]
            try ServerStack.with(options: options) { stack in
                try stack.inContext { context in
                    Book(context: context).title = "Emma"
                    try context.save()
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.contains("have no effect on the server store") }
        #expect(lines.count == 1)
        let line = lines.first ?? ""
        for name in [NSSQLitePragmasOption, NSSQLiteAnalyzeOption, OpenCoreDataLargestLogOption] {
            #expect(line.contains("'\(name)'"))
        }
        #expect(!line.contains(NSSQLiteManualVacuumOption) && !line.contains(NSPersistentStoreTimeoutOption))
        let password = TestServer.url.flatMap { URL(string: $0)?.password } ?? ""
        #expect(!password.isEmpty && !line.contains(password))
    }

    @Test func optionsThatAServerFollowsAreNotNamed() {
        #expect(IgnoredOptions.names(in: [NSPersistentHistoryTrackingKey: true]) == [])
        #expect(IgnoredOptions.names(in: [NSSQLitePragmasOption: NSDictionary()]) == [])
        #expect(IgnoredOptions.names(in: nil) == [])
    }
}
#endif
