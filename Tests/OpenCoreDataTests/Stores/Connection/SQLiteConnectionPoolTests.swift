import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite struct SQLiteConnectionPoolTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("Store.sqlite")
    }

    private func makePool(_ change: (inout SQLiteConfiguration) -> Void = { _ in }) throws -> SQLiteConnectionPool {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.busyTimeout = 200
        change(&configuration)
        let pool = try SQLiteConnectionPool(url: file, configuration: configuration)
        try pool.write { try $0.execute(script: "CREATE TABLE IF NOT EXISTS t (a)") }
        return pool
    }

    private static func insert(into pool: SQLiteConnectionPool) throws {
        try pool.write { connection in
            _ = try connection.transaction { try connection.run("INSERT INTO t VALUES (1)") }
        }
    }

    @Test func readersSeeTheLastCommitWhileAnotherConnectionWrites() throws {
        let pool = try makePool()
        #expect(pool.isConcurrent)
        let seen = Counter()
        try pool.write { writer in
            try writer.transaction {
                try writer.run("INSERT INTO t VALUES (1)")
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    seen.set((try? pool.read(count)) ?? -1)
                    done.signal()
                }
                done.wait()
            }
        }
        #expect(seen.value == 0)
        #expect(try pool.read(count) == 1)
    }

    @Test func nestedUseOnOneThreadGetsTheSameConnection() throws {
        let pool = try makePool()
        try pool.write { writer in
            try writer.transaction {
                try writer.run("INSERT INTO t VALUES (1)")
                try pool.read { reader in
                    #expect(reader === writer)
                    let seen = try count(reader)
                    #expect(seen == 1)
                }
                try pool.write { #expect($0 === writer) }
            }
        }
        try pool.read { outer in
            try pool.read { #expect($0 === outer) }
            try pool.write { #expect($0 !== outer) }
        }
    }

    @Test func manyThreadsReadAndWrite() throws {
        let pool = try makePool { $0.busyTimeout = 5000 }
        let failures = Counter()
        DispatchQueue.concurrentPerform(iterations: 12) { worker in
            for _ in 0..<40 {
                do {
                    if worker.isMultiple(of: 3) {
                        try Self.insert(into: pool)
                    } else {
                        _ = try pool.read(count)
                    }
                } catch {
                    failures.set(failures.value + 1)
                }
            }
        }
        #expect(failures.value == 0)
        #expect(try pool.read(count) == 160)
    }

    @Test(arguments: ["DELETE", "TRUNCATE"])
    func aRollbackJournalWorksWithOneConnection(mode: String) throws {
        let pool = try makePool { $0.pragmas = [("journal_mode", mode)] }
        #expect(!pool.isConcurrent)
        try Self.insert(into: pool)
        #expect(try pool.read(count) == 1)
        pool.close()
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    }

    @Test func readersCannotWrite() throws {
        let pool = try makePool()
        let error = #expect(throws: CocoaError.self) {
            try pool.read { _ = try $0.run("INSERT INTO t VALUES (1)") }
        }
        #expect(error?.code == .fileWriteNoPermission)
    }

    @Test func closingMovesTheLogIntoTheFile() throws {
        let pool = try makePool()
        try Self.insert(into: pool)
        _ = try pool.read(count)
        pool.close()
        #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
        let error = #expect(throws: CocoaError.self) { try pool.read(count) }
        #expect(error?.code == .persistentStoreOperation)
    }

    @Test func readingOnlyLeavesNoTraceBesideTheFile() throws {
        let writer = try makePool()
        try Self.insert(into: writer)
        writer.close()
        let before = try Data(contentsOf: file)
        let pool = try SQLiteConnectionPool(url: file, configuration: .init(access: .readOnly))
        #expect(try pool.read(count) == 1)
        pool.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Store.sqlite"])
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func aReadOnlyPoolNoticesThatSomebodyBeganToWrite() throws {
        try makePool().close()
        let pool = try SQLiteConnectionPool(url: file, configuration: .init(access: .readOnly))
        #expect(try pool.read(count) == 0)
        let second = try makePool()
        try Self.insert(into: second)
        #expect(try pool.read(count) == 1)
        second.close()
        #expect(try pool.read(count) == 1)
        let third = try makePool()
        try Self.insert(into: third)
        third.close()
        #expect(try pool.read(count) == 2)
    }

    @Test func readingOnlyReadsALiveLogAndLeavesItAlone() throws {
        let writer = try makePool()
        try Self.insert(into: writer)
        let log = try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"))
        #expect(!log.isEmpty)
        let pool = try SQLiteConnectionPool(url: file, configuration: .init(access: .readOnly))
        #expect(try pool.read(count) == 1)
        pool.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal")) == log)
        writer.close()
    }

    @Test func writingToAReadOnlyPoolIsApplesError() throws {
        try makePool().close()
        let pool = try SQLiteConnectionPool(url: file, configuration: .init(access: .readOnly))
        let error = #expect(throws: CocoaError.self) { try Self.insert(into: pool) }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
    }

    @Test func aForeignLockEndsInATimeout() throws {
        let pool = try makePool()
        let other = try SQLiteConnection(path: file.path, configuration: .init(access: .readWrite))
        try other.begin()
        let error = #expect(throws: CocoaError.self) { try Self.insert(into: pool) }
        #expect(error?.code == .persistentStoreTimeout)
        #expect(error?.localizedDescription.contains("Store.sqlite") == true)
        other.rollback()
        try Self.insert(into: pool)
    }

    @Test func aFullDiskIsApplesErrorAndLosesNothing() throws {
        let pool = try makePool()
        try Self.insert(into: pool)
        pool.close()
        let small = try makePool { $0.pragmas = [("max_page_count", "2")] }
        let error = #expect(throws: CocoaError.self) {
            try small.write { connection in
                try connection.transaction {
                    for _ in 0..<100 {
                        try connection.run("INSERT INTO t VALUES (?)", [.blob(Data(count: 1000))])
                    }
                }
            }
        }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
        #expect(try small.read(count) == 1)
    }

    @Test func aLockOfAnotherProcessEndsInATimeout() throws {
        let pool = try makePool()
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = ["sqlite3", file.path]
        let input = Pipe()
        let output = Pipe()
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        input.fileHandleForWriting.write(Data("BEGIN IMMEDIATE; SELECT 'locked';\n".utf8))
        _ = output.fileHandleForReading.availableData
        let error = #expect(throws: CocoaError.self) { try Self.insert(into: pool) }
        #expect(error?.code == .persistentStoreTimeout)
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        try Self.insert(into: pool)
    }

    @Test func aRemovedFileIsNoticedBeforeWriting() throws {
        let pool = try makePool()
        try FileManager.default.removeItem(at: file)
        let error = #expect(throws: CocoaError.self) { try Self.insert(into: pool) }
        #expect(error?.code == .fileNoSuchFile)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aReplacedFileIsNoticedBeforeWriting() throws {
        let pool = try makePool()
        try FileManager.default.moveItem(at: file, to: folder.file("Old.sqlite"))
        try Data("other".utf8).write(to: file)
        #expect(throws: CocoaError.self) { try Self.insert(into: pool) }
        #expect(try Data(contentsOf: file) == Data("other".utf8))
    }

    @Test func aMissingFolderIsNamed() throws {
        let url = folder.file("missing").appendingPathComponent("Store.sqlite")
        let error = #expect(throws: CocoaError.self) {
            try SQLiteConnectionPool(url: url, configuration: .init(access: .readWriteCreate))
        }
        #expect(error?.code == .fileReadNoSuchFile)
    }

    @Test func aBlockThatForgetsItsTransactionIsRolledBack() throws {
        struct Stop: Error {}
        let pool = try makePool()
        #expect(throws: Stop.self) {
            try pool.write { connection in
                try connection.begin()
                try connection.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try pool.read(count) == 0)
    }
}

@Sendable private func count(_ connection: SQLiteConnection) throws -> Int64 {
    guard case .integer(let count) = try connection.firstValue("SELECT count(*) FROM t") else { return -1 }
    return count
}

/// A number that threads share.
private final class Counter: Sendable {
    private let number = Mutex<Int64>(0)

    func set(_ value: Int64) { number.withLock { $0 = value } }
    var value: Int64 { number.withLock { $0 } }
}
