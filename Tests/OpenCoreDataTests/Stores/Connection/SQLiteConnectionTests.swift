import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite struct SQLiteConnectionTests {
    @Test func valuesComeBackAsTheyWereBound() throws {
        let connection = try SQLiteConnection()
        try connection.execute(script: "CREATE TABLE t (a, b, c, d, e)")
        let values: [SQLValue] = [
            .integer(.min), .real(0.1), .text("naïve\u{0}😀"), .blob(Data([0, 1, 255])), .null,
        ]
        try connection.run("INSERT INTO t VALUES (?, ?, ?, ?, ?)", values)
        #expect(try connection.rows("SELECT * FROM t") == [values])
    }

    @Test func emptyTextAndBytesAreNotNull() throws {
        let connection = try SQLiteConnection()
        let row = try connection.rows("SELECT ?1, typeof(?1), ?2, typeof(?2)", [.text(""), .blob(Data())])
        #expect(row == [[.text(""), .text("text"), .blob(Data()), .text("blob")]])
    }

    @Test func nestedUseOfOneStatementTextIsSafe() throws {
        let connection = try SQLiteConnection()
        let sql = "SELECT value FROM (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3) ORDER BY 1"
        var seen: [Int64] = []
        try connection.withStatement(sql) { outer in
            while try outer.step() {
                try connection.withStatement(sql) { inner in
                    while try inner.step() { seen.append(outer.int64(at: 0) * 10 + inner.int64(at: 0)) }
                }
            }
        }
        #expect(seen == [11, 12, 13, 21, 22, 23, 31, 32, 33])
    }

    @Test func aFullStatementCacheKeepsWorking() throws {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.statementCacheLimit = 4
        let connection = try SQLiteConnection(inMemory: configuration)
        for round in 0..<3 {
            for number in 0..<20 {
                #expect(try connection.firstValue("SELECT \(number)") == .integer(Int64(number)), "round \(round)")
            }
        }
    }

    @Test func theRecorderSeesEachRunOnce() throws {
        let seen = Recorder()
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.recorder = { seen.add($0) }
        let connection = try SQLiteConnection(inMemory: configuration)
        #expect(seen.texts.isEmpty)
        try connection.execute(script: "CREATE TABLE t (a)")
        for number in 0..<3 { try connection.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))]) }
        _ = try connection.rows("SELECT a FROM t")
        #expect(seen.texts.count == 5)
    }

    @Test func aTransactionThatThrowsLeavesNothing() throws {
        struct Stop: Error {}
        let connection = try SQLiteConnection()
        try connection.execute(script: "CREATE TABLE t (a)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES (2)")
            #expect(throws: Stop.self) {
                try connection.transaction {
                    try connection.run("INSERT INTO t VALUES (3)")
                    throw Stop()
                }
            }
        }
        #expect(try connection.rows("SELECT a FROM t") == [[.integer(2)]])
        #expect(!connection.isInTransaction)
    }

    @Test func aUniquenessViolationIsToldFromOtherErrors() throws {
        let connection = try SQLiteConnection()
        try connection.execute(script: "CREATE TABLE t (a NOT NULL); CREATE UNIQUE INDEX u ON t (a)")
        try connection.run("INSERT INTO t VALUES (1)")
        let twice = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (1)") }
        #expect(twice?.isUniquenessViolation == true)
        #expect(twice?.cocoaError(while: .saving).code == .managedObjectConstraintMerge)
        let missing = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (NULL)") }
        #expect(missing?.isUniquenessViolation == false)
        #expect(missing?.sql == "INSERT INTO t VALUES (NULL)")
    }

    @Test func aPragmaTakesPlainWordsOnly() throws {
        let connection = try SQLiteConnection()
        try connection.setPragma("synchronous", "OFF")
        #expect(throws: SQLiteError.self) { try connection.setPragma("synchronous", "1; DROP TABLE t") }
        #expect(throws: SQLiteError.self) { try connection.setPragma("a b", "1") }
    }

    @Test func anInterruptStopsALongStatement() throws {
        let connection = try SQLiteConnection()
        let interrupter = connection.interrupter
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 0.05, repeating: 0.05)
        timer.setEventHandler { interrupter.interrupt() }
        timer.resume()
        defer { timer.cancel() }
        let error = #expect(throws: SQLiteError.self) {
            try connection.firstValue(
                "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT sum(n) FROM c")
        }
        #expect(error?.cocoaError(while: .reading).code == .userCancelled)
    }

    @Test func triggersOfDerivedAttributesReportWhatTheyWrote() throws {
        let connection = try SQLiteConnection()
        try connection.execute(
            script: """
                CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZCOUNT INTEGER);
                CREATE TRIGGER T AFTER INSERT ON ZA FOR EACH ROW BEGIN \
                UPDATE ZA SET ZCOUNT = 7 WHERE Z_PK = NEW.Z_PK; \
                SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZA', Z_ENT, Z_PK, 'count', ZCOUNT) \
                FROM ZA WHERE Z_PK = NEW.Z_PK; END;
                CREATE TRIGGER U AFTER DELETE ON ZA FOR EACH ROW BEGIN \
                SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZA', 1, 2, 'count', NULL); END
                """)
        try connection.run("INSERT INTO ZA VALUES (5, 3, NULL)")
        #expect(
            connection.affectedValues.take() == [
                .init(table: "ZA", entity: 3, primaryKey: 5, property: "count", value: .integer(7), isInsertion: true)
            ])
        try connection.run("DELETE FROM ZA")
        #expect(connection.affectedValues.take().map(\.value) == [.null])
    }

    @Test func errorsNameTheFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("Notes.sqlite")
        try Data("this is no database, whatever its name says, and it is long enough".utf8).write(to: file)
        let error = #expect(throws: SQLiteError.self) { try SQLiteConnection.readingOnly(file) }
        let cocoa = try #require(error).cocoaError(while: .opening)
        #expect(cocoa.code == .fileReadCorruptFile)
        #expect(cocoa.localizedDescription == "The file “Notes.sqlite” is not an SQLite database.")
        #expect(cocoa.userInfo[NSFilePathErrorKey] as? String == file.path)
        #expect(cocoa.userInfo[NSSQLiteErrorDomain] as? Int == 26)
        #expect(cocoa.userInfo[NSUnderlyingErrorKey] is SQLiteError)
    }
}

extension SQLiteConnection {
    /// A database in memory.
    convenience init() throws {
        try self.init(inMemory: SQLiteConfiguration(access: .readWriteCreate))
    }
}

/// Collects statement texts from any thread.
private final class Recorder: Sendable {
    private let seen = Mutex<[String]>([])

    func add(_ string: String) { seen.withLock { $0.append(string) } }
    var texts: [String] { seen.withLock { $0 } }
}
