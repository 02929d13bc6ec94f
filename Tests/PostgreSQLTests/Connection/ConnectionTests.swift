#if PostgreSQL
import Dispatch
import Foundation
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct ConnectionTests {
    @Test func aSessionHasItsSettings() throws {
        var options = PostgreSQLOptions()
        options.statementTimeout = 7
        options.applicationName = "tests of settings"
        let connection = try TestServer.connect(options)
        func setting(_ name: String) throws -> String? {
            try connection.execute("SELECT current_setting($1)", values: [.text(name)]).first?.string(0)
        }
        #expect(try setting("client_encoding") == "UTF8")
        #expect(try setting("TimeZone") == "UTC")
        #expect(try setting("statement_timeout") == "7s")
        #expect(try setting("lock_timeout") == "30s")
        #expect(try setting("application_name") == "tests of settings")
        #expect(connection.serverVersion >= 120_000)
    }

    @Test func rowsComeOneByOne() throws {
        let connection = try TestServer.connect()
        var (sum, texts, count): (Int64, Int, Int) = (0, 0, 0)
        try connection.forEachRow(
            "SELECT n, 'row ' || n, NULL::text FROM generate_series(1, $1::int) n",
            PostgreSQLParameters([.int4(100_000)])
        ) { row in
            sum += try row.integer(0)
            texts += row.bytes(1).count
            if row.isNull(2) { count += 1 }
        }
        #expect(sum == 5_000_050_000 && count == 100_000 && texts == 4 * 100_000 + 488_895)
        #expect(connection.roundTripCount == 1)
    }

    /// An answer that comes soon is looked for, which takes processor time; one that takes long is slept for.
    @Test func aLongAnswerTakesNoProcessorTime() throws {
        let connection = try TestServer.connect()
        func processorMilliseconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1e6
        }
        try connection.execute("SELECT 1")
        let start = processorMilliseconds()
        for _ in 0..<40 { try connection.execute("SELECT pg_sleep(0.01)") }
        #expect(processorMilliseconds() - start < 40)
    }

    @Test func aBlockThatThrowsEndsItsStatement() throws {
        struct Enough: Error {}
        let connection = try TestServer.connect()
        let start = ContinuousClock.now
        var rows = 0
        #expect(throws: Enough.self) {
            try connection.forEachRow("SELECT generate_series(1, 2000000000)") { _ in
                rows += 1
                if rows == 3 { throw Enough() }
            }
        }
        #expect(rows == 3)
        #expect(start.duration(to: .now) < .seconds(20))
        #expect(try connection.execute("SELECT 1").first?.integer(0) == 1)
    }

    @Test func noStatementRunsWhileRowsAreRead() throws {
        let connection = try TestServer.connect()
        var kind: PostgreSQLError.Kind?
        try connection.forEachRow("SELECT 1") { _ in
            kind = (#expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 2") })?.kind
        }
        #expect(kind == .misuse)
        #expect(try connection.execute("SELECT 2").first?.integer(0) == 2)
    }

    @Test func aPipelineIsOneRoundTrip() throws {
        let connection = try TestServer.connect()
        try connection.runScript("CREATE TEMPORARY TABLE t (k bigint PRIMARY KEY, v text)")
        let before = connection.roundTripCount
        var statements: [PostgreSQLStatement] = [.begin]
        for number in 0..<100 {
            statements.append(
                PostgreSQLStatement(
                    "INSERT INTO t VALUES ($1, $2)",
                    try PostgreSQLParameters([.int8(Int64(number)), .text("v\(number)")])))
        }
        statements += [PostgreSQLStatement("UPDATE t SET v = 'x' WHERE k < 10"), .commit]
        let results = try connection.pipeline(statements)
        #expect(connection.roundTripCount == before + 1)
        #expect(results.count == statements.count)
        #expect(results[1].affectedCount == 1 && results[101].affectedCount == 10)
        #expect(results.last?.command == "COMMIT")
        #expect(try connection.execute("SELECT count(*) FROM t").first?.integer(0) == 100)
        var rows: [Int: Int] = [:]
        let selects = ["SELECT 1 FROM t", "SELECT 2 WHERE false", "SELECT 3 FROM t LIMIT 7"].map {
            PostgreSQLStatement($0)
        }
        try connection.pipeline(selects) { statement, _ in rows[statement, default: 0] += 1 }
        #expect(rows == [0: 100, 2: 7])
    }

    @Test func theFirstErrorOfAPipelineNamesItsStatement() throws {
        let connection = try TestServer.connect()
        try connection.runScript("CREATE TEMPORARY TABLE t (k bigint CONSTRAINT one PRIMARY KEY)")
        let insert = PostgreSQLStatement("INSERT INTO t VALUES (1)")
        let error = try #require(throws: PostgreSQLError.self) {
            try connection.pipeline([.begin, insert, PostgreSQLStatement("SELECT 1"), insert, .commit])
        }
        #expect(error.statementIndex == 3)
        #expect(error.kind == .uniqueViolation && error.constraint == "one" && error.table == "t")
        #expect(error.sqlState == "23505" && error.detail?.contains("(1)") == true)
        #expect(connection.transactionState == .none)
        #expect(try connection.execute("SELECT count(*) FROM t").first?.integer(0) == 0)
        // A statement that was not reached was not prepared either.
        let wrong = PostgreSQLStatement("SELECT nothing FROM nowhere")
        #expect(throws: PostgreSQLError.self) {
            try connection.pipeline([wrong, PostgreSQLStatement("SELECT 'later'")])
        }
        #expect(try connection.execute("SELECT 'later'").first?.string(0) == "later")
        #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT nothing FROM nowhere") }
        #expect(try connection.execute("SELECT 1").first?.integer(0) == 1)
    }

    @Test func aLargePipelineDoesNotWaitForItself() throws {
        let connection = try TestServer.connect()
        let text = String(repeating: "x", count: 50_000)
        let statement = PostgreSQLStatement(
            "SELECT $1 || 'y', repeat('z', 50000)", try PostgreSQLParameters([.text(text)]))
        let results = try connection.pipeline(Array(repeating: statement, count: 400))
        #expect(results.count == 400 && results.allSatisfy { $0.first?.bytes(0).count == 50_001 })
    }

    @Test func preparedStatementsAreKeptUpToTheLimit() throws {
        var options = PostgreSQLOptions()
        options.preparedStatements = 8
        let connection = try TestServer.connect(options)
        func names() throws -> Int64 {
            try connection.execute("SELECT count(*) FROM pg_prepared_statements", isPrepared: false).first?.integer(
                0) ?? 0
        }
        for round in 0..<3 {
            for number in 0..<20 {
                #expect(
                    try connection.execute("SELECT \(number) + 0").first?.integer(0) == Int64(number), "\(round)")
            }
        }
        // What is too much goes at the end of the next round trip.
        try connection.execute("SELECT 1", isPrepared: false)
        #expect(try names() == 8)
        let many = (0..<20).map { PostgreSQLStatement("SELECT \($0) + 1") }
        #expect(try connection.pipeline(many).count == 20)
        #expect(try connection.pipeline(many).count == 20)
        #expect(try names() <= 20)
        try connection.execute("SELECT 1", isPrepared: false)
        #expect(try names() == 8)
    }

    @Test func aPlanThatNoLongerFitsIsMadeAgain() throws {
        let connection = try TestServer.connect()
        try connection.runScript("CREATE TEMPORARY TABLE t (a int); INSERT INTO t VALUES (1)")
        #expect(try connection.execute("SELECT * FROM t").first?.columnCount == 1)
        try connection.runScript("ALTER TABLE t ADD b text")
        #expect(try connection.execute("SELECT * FROM t").first?.columnCount == 2)
        try connection.runScript("DEALLOCATE ALL")
        #expect(try connection.execute("SELECT * FROM t").first?.columnCount == 2)
        // In a transaction that began earlier it is for who began it to begin again.
        try connection.pipeline([.begin])
        try connection.runScript("ALTER TABLE t ADD c text")
        let error = try #require(throws: PostgreSQLError.self) { try connection.execute("SELECT * FROM t") }
        #expect(error.kind == .stalePlan && error.isRetryable)
        connection.rollback()
        #expect(connection.transactionState == .none)
        #expect(try connection.execute("SELECT * FROM t").first?.columnCount == 2)
    }

    @Test func withoutNamesNothingStaysInTheSession() throws {
        var options = PostgreSQLOptions()
        options.pooling = .transaction
        let connection = try TestServer.connect(options)
        for _ in 0..<3 { try connection.execute("SELECT $1::bigint", values: [.int8(1)]) }
        #expect(try connection.execute("SELECT count(*) FROM pg_prepared_statements").first?.integer(0) == 0)
    }

    @Test func aStatementIsCancelledFromAnotherThread() throws {
        let connection = try TestServer.connect()
        let cancellation = connection.cancellation
        cancellation.interrupt()
        let start = ContinuousClock.now
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { cancellation.interrupt() }
        let error = try #require(throws: PostgreSQLError.self) { try connection.execute("SELECT pg_sleep(30)") }
        #expect(error.kind == .cancelled)
        #expect(start.duration(to: .now) < .seconds(20))
        #expect(try connection.execute("SELECT 1").first?.integer(0) == 1)
    }

    @Test func timeoutsAreTypedErrors() throws {
        try TestServer.withSchema { schema in
            var options = PostgreSQLOptions()
            options.statementTimeout = 0.2
            options.lockTimeout = 0.1
            let connection = try TestServer.connect(options)
            let slow = try #require(throws: PostgreSQLError.self) { try connection.execute("SELECT pg_sleep(30)") }
            #expect(slow.kind == .timeout && slow.sqlState == "57014")
            let other = try TestServer.connect()
            try other.runScript("CREATE TABLE \(schema).t (a int)")
            try other.pipeline([.begin, PostgreSQLStatement("LOCK TABLE \(schema).t")])
            let locked = try #require(throws: PostgreSQLError.self) {
                try connection.execute("SELECT * FROM \(schema).t")
            }
            #expect(locked.kind == .lockTimeout && locked.isTransient && !locked.isRetryable)
            other.rollback()
            #expect(try connection.execute("SELECT * FROM \(schema).t").count == 0)
        }
    }

    @Test func aLostConnectionIsATypedError() throws {
        let connection = try TestServer.connect()
        let other = try TestServer.connect()
        try other.execute("SELECT pg_terminate_backend($1)", values: [.int4(connection.serverProcess)])
        let error = try #require(throws: PostgreSQLError.self) {
            for _ in 0..<100 {
                try connection.pipeline([.begin, PostgreSQLStatement("SELECT pg_sleep(0.1)"), .commit])
            }
        }
        #expect(error.kind == .connectionLost && error.endsConnection && error.isTransient)
        #expect(error.location == connection.address.displayName)
        #expect(connection.isBroken && connection.transactionState == .unknown)
        #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
        connection.close()
        #expect(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
    }

    @Test func accessThatIsRefusedIsATypedErrorWithoutThePassword() throws {
        let url = try #require(TestServer.url)
        var parts = try #require(URLComponents(string: url))
        parts.password = "not-the-password"
        let wrong = try PostgreSQLAddress(parts.string ?? "")
        let error = try #require(throws: PostgreSQLError.self) { try PostgreSQLConnection(wrong) }
        #expect(error.kind == .accessDenied && !error.isTransient)
        #expect(!error.description.contains("not-the-password"))
        parts = try #require(URLComponents(string: url))
        parts.path = "/nothere"
        let missing = try PostgreSQLAddress(parts.string ?? "")
        #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(missing) }
    }

    @Test func transactionsAreCommittedOrRolledBack() throws {
        struct Failure: Error {}
        let connection = try TestServer.connect()
        try connection.runScript("CREATE TEMPORARY TABLE t (a int)")
        try connection.transaction { _ = try connection.execute("INSERT INTO t VALUES (1)") }
        #expect(throws: Failure.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO t VALUES (2)")
                throw Failure()
            }
        }
        // A failed statement prevents the commit even if its error is ignored.
        #expect(throws: PostgreSQLError.self) {
            try connection.transaction { _ = try? connection.execute("SELECT 1 / 0") }
        }
        #expect(try connection.execute("SELECT array_agg(a)::text FROM t").first?.string(0) == "{1}")
    }
}
#endif
