#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Programs and servers that are killed at random while they save. `OPENCOREDATA_POSTGRESQL_KILLS` says how often.
@Suite(.needsServer, .serialized) struct KillTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let kills = environment["OPENCOREDATA_POSTGRESQL_KILLS"].flatMap(Int.init)

    /// What programs have said about their saves.
    private struct Account {
        var acknowledged: [String] = []
        var unknown: Set<String> = []
        var refused: [String: Int] = [:]
        var wrong: [String] = []

        mutating func add(_ lines: [String]) {
            for line in lines {
                let text = String(line.dropFirst(2))
                switch line.first {
                case "+": acknowledged.append(text)
                case "-": refused[text, default: 0] += 1
                case "?": unknown.insert(text)
                default: wrong.append(line)
                }
            }
        }

        /// Compares with what is in the store: everything that was acknowledged is there once, and nothing by halves.
        func check(_ schema: String, _ connection: PostgreSQLConnection) throws {
            let own = SQLName.quoted(schema)
            var stored: [String: Int] = [:]
            var halves = 0
            try connection.execute(
                "SELECT a.name, count(b.z_pk)::int8 FROM \(own).author a LEFT JOIN \(own).book b ON b.author = a.z_pk "
                    + "GROUP BY a.z_pk, a.name"
            ).forEachRow { row in
                stored[row.string(0), default: 0] += 1
                if try row.integer(1) != 2 { halves += 1 }
            }
            #expect(wrong == [])
            #expect(halves == 0)
            #expect(acknowledged.filter { stored[$0] != 1 } == [])
            #expect(stored.filter { $0.value != 1 }.isEmpty)
            // One transaction of the history for each save, with all of its changes.
            let broken = try connection.execute(
                "SELECT count(*)::int8 FROM (SELECT t.number FROM \(own).ocd_transaction t "
                    + "FULL JOIN \(own).ocd_change c ON c.number = t.number GROUP BY t.number HAVING count(c.ordinal) <> 3) x"
            )
            #expect(try broken.first?.integer(0) == 0)
            let recorded = try connection.execute("SELECT count(*)::int8 FROM \(own).ocd_transaction")
            #expect(try recorded.first?.integer(0) == Int64(stored.count))
        }
    }

    @Test func acknowledgedSavesSurviveTheirPrograms() throws {
        let kills = Self.kills ?? 12
        try TestServer.withSchema { schema in
            let url = try TestServer.url(schema: schema).absoluteString
            var account = Account()
            var workers: [WorkerProcess] = []
            for number in 0..<kills {
                // Several at a time, on the same store.
                workers.append(try WorkerProcess(["save", url, "w\(number)", "2", "0"]))
                guard workers.count == 3 || number == kills - 1 else { continue }
                while workers.count > (number == kills - 1 ? 0 : 2) {
                    let worker = workers.remove(at: Int.random(in: 0..<workers.count))
                    if worker.line("+", within: 300) == nil {
                        account.wrong.append("nothing was saved: \(worker.lines)")
                    }
                    usleep(UInt32.random(in: 0...20_000))
                    account.add(worker.kill())
                }
            }
            print("kills: \(kills) of programs, \(account.acknowledged.count) saves, \(account.refused) refused")
            #expect(account.unknown.isEmpty)
            #expect(account.acknowledged.count >= kills)
            let connection = try TestServer.connect()
            defer { connection.close() }
            try account.check(schema, connection)
        }
    }

    @Test(.killsServers) func acknowledgedSavesSurviveTheServer() throws {
        let kills = Self.kills ?? 5
        let server = try OwnServer(settings: ["synchronous_commit=on", "restart_after_crash=on"])
        let url = try server.url(schema: "shelf").absoluteString
        let workers = try (0..<2).map { try WorkerProcess(["save", url, "w\($0)", "2", "0"]) }
        for worker in workers { #expect(worker.line("+") != nil) }
        var counts: [String: Int] = [:]
        for number in 0..<kills {
            usleep(UInt32.random(in: 0...150_000))
            let kind = ["connection", "server", "end"][number % 3]
            switch kind {
            case "connection": try server.killConnection()
            case "server": try server.killAndStart()
            default:
                let connection = try server.connect()
                try connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'OpenCoreData' "
                        + "AND pid <> pg_backend_pid()")
                connection.close()
            }
            counts[kind, default: 0] += 1
            try server.start()
        }
        let before = workers.map { $0.lines.filter { $0.hasPrefix("+") }.count }
        let end = ContinuousClock.now.advanced(by: .seconds(20))
        // They go on.
        while ContinuousClock.now < end,
            !zip(workers, before).allSatisfy({ worker, count in
                worker.lines.filter { $0.hasPrefix("+") }.count > count + 4
            })
        {
            usleep(10_000)
        }
        var account = Account()
        for (worker, count) in zip(workers, before) {
            let lines = worker.kill()
            #expect(lines.filter { $0.hasPrefix("+") }.count > count)
            account.add(lines)
        }
        print(
            "kills: \(counts) of the server, \(account.acknowledged.count) saves, \(account.refused) refused, "
                + "\(account.unknown.count) unknown")
        let connection = try server.connect()
        defer { connection.close() }
        try account.check("shelf", connection)
    }

    @Test(.killsServers, .enabled(if: SmallDisk.isAvailable, "mounting a small disk takes administrator rights"))
    func aFullDiskRefusesSavesAndLosesNone() throws {
        let disk = try SmallDisk(kilobytes: 160_000)
        let server = try OwnServer(
            settings: ["synchronous_commit=on", "max_wal_size=32MB", "min_wal_size=32MB"], disk: disk)
        let url = try server.url(schema: "shelf").absoluteString
        var account = Account()
        for round in 0..<2 {
            let worker = try WorkerProcess(["save", url, "w\(round)", "1", "60000"])
            #expect(worker.line("+") != nil)
            let ballast = disk.file("ballast")
            #expect(FileManager.default.createFile(atPath: ballast.path, contents: nil))
            let handle = try FileHandle(forWritingTo: ballast)
            while (try? handle.write(contentsOf: Data(count: 1 << 20))) != nil {}
            try handle.close()
            #expect(worker.line("-", within: 60) != nil, "nothing was refused")
            usleep(100_000)
            try FileManager.default.removeItem(at: ballast)
            try server.start()
            let count = worker.lines.filter { $0.hasPrefix("+") }.count
            let end = ContinuousClock.now.advanced(by: .seconds(20))
            while ContinuousClock.now < end, worker.lines.filter({ $0.hasPrefix("+") }).count <= count + 1 {
                usleep(10_000)
            }
            let lines = worker.kill()
            #expect(lines.filter { $0.hasPrefix("+") }.count > count, "saves don't go on")
            account.add(lines)
        }
        print("full disk: \(account.acknowledged.count) saves, \(account.refused) refused")
        let connection = try server.connect()
        defer { connection.close() }
        try account.check("shelf", connection)
    }
}
#endif
