import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Writing the log with few calls, and the two ways to switch that off.
@Suite(.enabled(if: LogFileSystem.name != nil, "this build has none"))
struct LogFileSystemTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pool(_ name: String, usesLogFileSystem: Bool) throws -> SQLiteConnectionPool {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.usesLogFileSystem = usesLogFileSystem
        return try SQLiteConnectionPool(url: folder.file(name), configuration: configuration)
    }

    @Test func aFileIsTheSameWithItAndWithout() throws {
        var files: [Data] = []
        var logs: [Int] = []
        for isOn in [true, false] {
            let pool = try pool("\(isOn).sqlite", usesLogFileSystem: isOn)
            #expect(try pool.write { $0.usesLogFileSystem } == isOn)
            try pool.write { connection in
                try connection.execute(script: "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
                for round in 0..<50 {
                    try connection.transaction {
                        for row in 0..<(round * 7 % 40) {
                            try connection.run(
                                "INSERT INTO t (x) VALUES (?)", [.text(String(repeating: "v\(row)", count: round * 30))]
                            )
                        }
                    }
                }
            }
            let url = folder.file("\(isOn).sqlite")
            logs.append(try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal")).count)
            pool.close()
            #expect(try SQLiteShell.run("PRAGMA integrity_check", on: url) == "ok")
            files.append(try Data(contentsOf: url))
        }
        #expect(files[0] == files[1] && logs[0] == logs[1])
    }

    @Test func aVariableSwitchesItOff() async throws {
        await #expect(processExitsWith: .success) { [folder = folder.url as URL] in
            setenv("OPENCOREDATA_LOG_FILE_SYSTEM", "0", 1)
            let pool = try SQLiteConnectionPool(
                url: folder.appendingPathComponent("off.sqlite"), configuration: .init(access: .readWriteCreate))
            #expect(try pool.write { !$0.usesLogFileSystem })
            setenv("OPENCOREDATA_LOG_FILE_SYSTEM", "1", 1)
            let other = try SQLiteConnectionPool(
                url: folder.appendingPathComponent("on.sqlite"), configuration: .init(access: .readWriteCreate))
            #expect(try other.write { $0.usesLogFileSystem })
        }
    }
}
