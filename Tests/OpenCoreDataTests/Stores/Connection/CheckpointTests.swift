import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The write-ahead log is moved into the file beside other work, so that no write waits for the disk on its account.
@Suite struct CheckpointTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("Store.sqlite")
    }

    private func pool(logPages: Int32) throws -> SQLiteConnectionPool {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.logPages = logPages
        let pool = try SQLiteConnectionPool(url: file, configuration: configuration)
        try pool.write { try $0.execute(script: "CREATE TABLE IF NOT EXISTS t (a)") }
        return pool
    }

    /// Commits a transaction that writes five pages for four rows.
    private static func write(_ rows: Int, to pool: SQLiteConnectionPool) throws {
        try pool.write { connection in
            try connection.transaction {
                for _ in 0..<rows { try connection.run("INSERT INTO t VALUES (zeroblob(5000))") }
            }
        }
    }

    /// How many rows the file has without its log, as another program sees it.
    private func rowsWithoutLog() throws -> Int {
        let copy = folder.file("Copy.sqlite")
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: file, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        return Int(try SQLiteShell.run("SELECT count(*) FROM t", on: copy)) ?? -1
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func aLongLogIsMovedThoughNobodyWritesAnyMore() async throws {
        let pool = try pool(logPages: 300)
        try Self.write(10, to: pool)
        let isMovedBefore = (try? rowsWithoutLog()) == 10
        #expect(!isMovedBefore)
        try Self.write(350, to: pool)
        #expect(try await eventually { (try? rowsWithoutLog()) == 360 })
        pool.close()
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func aLogOfTwiceTheLengthIsMovedByTheCommit() throws {
        let pool = try pool(logPages: 20)
        try pool.read { _ in try Self.write(200, to: pool) }
        #expect(try rowsWithoutLog() == 200)
        pool.close()
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func withAllReadersInUseALaterWriteHasItMoved() async throws {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.logPages = 300
        var limits = StoreLimits()
        limits.maximumReaders = 1
        let pool = try SQLiteConnectionPool(url: file, configuration: configuration, limits: limits)
        try pool.write { try $0.execute(script: "CREATE TABLE t (a)") }
        try pool.read { _ in
            try Self.write(350, to: pool)
            Thread.sleep(forTimeInterval: 0.05)
            #expect((try? rowsWithoutLog()) ?? 0 < 350)
        }
        try Self.write(1, to: pool)
        #expect(try await eventually { (try? rowsWithoutLog()) ?? 0 >= 350 })
        pool.close()
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func closingWaitsForIt() throws {
        for round in 1...40 {
            let pool = try pool(logPages: 10)
            try Self.write(8, to: pool)
            if round % 2 == 0 { Thread.sleep(forTimeInterval: 0.0005 * Double(round % 8)) }
            pool.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Store.sqlite"])
            #expect(try rowsWithoutLog() == 8 * round)
        }
        #expect(try SQLiteShell.run("PRAGMA integrity_check", on: file) == "ok")
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func severalPoolsWriteOneFileWithShortLogs() throws {
        let pools = try (0..<3).map { _ in try pool(logPages: 30) }
        DispatchQueue.concurrentPerform(iterations: 3) { number in
            for _ in 0..<60 {
                #expect(throws: Never.self) { try Self.write(2, to: pools[number]) }
            }
        }
        for pool in pools { pool.close() }
        #expect(try rowsWithoutLog() == 360)
        #expect(try SQLiteShell.run("PRAGMA integrity_check", on: file) == "ok")
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func aPragmaOfTheProgramIsObeyed() throws {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.logPages = 10
        configuration.pragmas = [(name: "wal_autocheckpoint", value: "0")]
        let pool = try SQLiteConnectionPool(url: file, configuration: configuration)
        try pool.write { try $0.execute(script: "CREATE TABLE t (a)") }
        try Self.write(100, to: pool)
        Thread.sleep(forTimeInterval: 0.1)
        #expect((try? rowsWithoutLog()) ?? 0 < 100)
        pool.close()
        #expect(try rowsWithoutLog() == 100)
    }
}
