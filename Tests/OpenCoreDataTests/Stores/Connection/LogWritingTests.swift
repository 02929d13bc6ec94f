import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The write-ahead log, written by transactions, is what SQLite expects of it: another program reads it.
@Suite(.enabled(if: SQLiteShell.isAvailable)) struct LogWritingTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("Log.sqlite")
    }

    /// A connection with so little cache that pages go to the log, and are changed again, before the transaction ends:
    /// SQLite then writes the headers of frames again.
    private func open(pageSize: Int) throws -> SQLiteConnection {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.cacheSize = 16 * pageSize / 1_024
        configuration.memoryMap = 0
        configuration.pragmas = [("page_size", "\(pageSize)")]
        let connection = try SQLiteConnection(path: file.path, configuration: configuration)
        let mode = try connection.activateJournalMode()
        #expect(mode == "wal")
        try connection.execute(script: "CREATE TABLE t (k INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a)")
        return connection
    }

    private struct Undone: Error {}

    @Test(arguments: [512, 4_096, 65_536])
    func anotherProgramReadsEachTransactionAsItEnded(pageSize: Int) throws {
        let connection = try open(pageSize: pageSize)
        defer { connection.close() }
        var random = SeededGenerator(seed: UInt64(pageSize))
        var rows: [Int64: String] = [:]
        for _ in 0..<20 {
            let before = rows
            do {
                try connection.transaction {
                    for _ in 0..<Int.random(in: 1...300, using: &random) {
                        try change(&rows, connection, pageSize, &random)
                    }
                    if Int.random(in: 0..<4, using: &random) == 0 { throw Undone() }
                }
            } catch is Undone {
                rows = before
            }
            let lengths = rows.values.reduce(0) { $0 + $1.count }
            let sums = "\(rows.count)|\(Double(rows.keys.reduce(0, +)))|\(Double(lengths))"
            #expect(try Self.sums(file) == "ok\n\(sums)")
            #expect(try Self.sums(leftBehind()) == "ok\n\(sums)")
        }
    }

    private static func sums(_ file: URL) throws -> String {
        try SQLiteShell.run("PRAGMA integrity_check; SELECT count(*), total(k), total(length(a)) FROM t", on: file)
    }

    /// The files as they would be found if the program died now: without the index of the log, which is then made again
    /// from the headers and checksums of its frames.
    private func leftBehind() throws -> URL {
        let copy = folder.file("Copy.sqlite")
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: copy.path + ending)
        }
        for ending in ["", "-wal"] { try Self.copy(file.path + ending, to: copy.path + ending) }
        return copy
    }

    /// Copies a file in another process: one that opens and closes it here would take SQLite's locks away.
    private static func copy(_ path: String, to target: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["cp", path, target]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private func change(
        _ rows: inout [Int64: String], _ connection: SQLiteConnection, _ pageSize: Int,
        _ random: inout SeededGenerator
    ) throws {
        let key = Int64.random(in: 0..<400, using: &random)
        let letter = Character(UnicodeScalar(UInt8.random(in: 97...122, using: &random)))
        let string = String(repeating: letter, count: Int.random(in: 0..<pageSize / 2, using: &random))
        if Int.random(in: 0..<4, using: &random) == 0 {
            try connection.run("DELETE FROM t WHERE k = ?", [.integer(key)])
            rows[key] = nil
        } else {
            try connection.run("INSERT OR REPLACE INTO t VALUES (?, ?)", [.integer(key), .text(string)])
            rows[key] = string
        }
    }
}
