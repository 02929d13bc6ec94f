#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Many programs that save and follow each other, compared with what the server's logical decoding says of the same time.
///
/// `OPENCOREDATA_POSTGRESQL_FOLLOWERS` says how many programs, `OPENCOREDATA_POSTGRESQL_FEED_SECONDS` for how long, or
/// `OPENCOREDATA_POSTGRESQL_FEED_SAVES` how often they save, all together.
@Suite(.needsServer, .serialized) struct FeedOracleTests {
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL_" + name].flatMap(Int.init)
    }

    @Test func programsSeeEachTransactionOnceAsTheServerDecodesThem() throws {
        let programs = Self.number("FOLLOWERS") ?? 6
        let seconds = Self.number("FEED_SECONDS") ?? 2
        let saveCount = Self.number("FEED_SAVES")
        try TestServer.withSchema(created: false) { schema in
            // The store is there before the programs come.
            try ServerStack(schema: schema, options: [NSPersistentHistoryTrackingKey: true]).close()
            let folder = try TemporaryFolder()
            let url = try TestServer.url(schema: schema).absoluteString
            let files = (0..<programs).map { folder.file("\($0)") }
            let followers = try files.enumerated().map {
                try WorkerProcess(["follow", url, "f\($0.offset)", $0.element.path])
            }
            for follower in followers { #expect(follower.line("ready", within: 60 + Double(programs)) != nil) }
            let connection = try TestServer.connect()
            defer { connection.close() }
            let slot = "s_" + schema.suffix(40)
            try connection.execute("SELECT pg_create_logical_replication_slot('\(slot)', 'test_decoding')")
            defer { _ = try? connection.execute("SELECT pg_drop_replication_slot('\(slot)')") }
            let disturber = Disturber(schema)
            let start = ContinuousClock.now
            for (index, follower) in followers.enumerated() {
                let share = saveCount.map { $0 * (index + 1) / programs - $0 * index / programs }
                follower.tell(share.map { "save \($0)" } ?? "save-seconds \(seconds)")
            }
            // A save takes much less than a second, even if many programs share two processors.
            let limit = Double(saveCount ?? seconds) + 120
            var saves = 0
            for follower in followers {
                let line = follower.line("saved", within: limit)
                saves += Int(line?.split(separator: " ").last ?? "") ?? 0
            }
            let time = start.duration(to: .now)
            disturber.end()
            let expected = try Self.decoded(slot, schema, connection)
            let last = try #require(expected.max())
            for follower in followers { follower.tell("end \(last)") }
            let sorted = expected.sorted()
            for (follower, file) in zip(followers, files) {
                #expect(follower.line("seen", within: limit) != nil)
                follower.waitForEnd()
                #expect(follower.lines.filter { $0.hasPrefix("!") } == [])
                let seen = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
                // Each once, and in the order of their numbers; the server decodes them in that of their commits.
                // Not as an expectation of two lists, which may have a million elements that a failure would print.
                let difference = zip(seen, sorted).first { $0 != $1 }
                #expect(seen.count == sorted.count && difference == nil, "\(String(describing: difference))")
            }
            #expect(expected.count == saves)
            let sightings = expected.count * programs
            print(
                "feed: \(programs) programs, \(expected.count) transactions in \(time), \(sightings) sightings")
        }
    }

    /// The numbers of the transactions in the store's history that were committed, in the order of the commits.
    private static func decoded(
        _ slot: String, _ schema: String, _ connection: PostgreSQLConnection
    ) throws -> [Int64] {
        // The server decodes what is on its disk. Commits of a cluster that doesn't wait for that are there with the next
        // commit that does.
        try connection.execute("SET synchronous_commit = on")
        try connection.execute("SELECT pg_logical_emit_message(true, 'opencoredata', 'flush')")
        let start = "table \(schema).ocd_transaction: INSERT: number[bigint]:"
        var numbers: [Int64] = []
        while true {
            // Whole transactions, a part at a time.
            let changes = try connection.execute(
                "SELECT data FROM pg_logical_slot_get_changes('\(slot)', NULL, 200000)", isPrepared: false)
            if changes.count == 0 { return numbers }
            try changes.forEachRow { row in
                let text = row.string(0)
                guard text.hasPrefix(start) else { return }
                let digits = text.dropFirst(start.count).prefix { $0.isNumber }
                numbers.append(try #require(Int64(digits)))
            }
        }
    }

    /// Transactions that begin early and end late, or are rolled back, also to savepoints.
    private final class Disturber: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let group = DispatchGroup()

        init(_ schema: String) {
            let own = SQLName.quoted(schema)
            for number in 0..<2 {
                group.enter()
                Thread { [self] in
                    defer { group.leave() }
                    guard let connection = try? TestServer.connect() else { return }
                    defer { connection.close() }
                    for round in 0... {
                        if isOver.load(ordering: .relaxed) { return }
                        let writes =
                            "BEGIN; SAVEPOINT a; INSERT INTO \(own).ocd_key VALUES (\(900 + number), 1); "
                            + "ROLLBACK TO SAVEPOINT a; INSERT INTO \(own).ocd_key VALUES (\(900 + number), 1); "
                            + "DELETE FROM \(own).ocd_key WHERE number = \(900 + number)"
                        guard (try? connection.runScript(writes)) != nil else { return }
                        usleep(UInt32.random(in: 0...60_000))
                        guard (try? connection.runScript(round % 2 == 0 ? "COMMIT" : "ROLLBACK")) != nil else {
                            return
                        }
                    }
                }.start()
            }
        }

        func end() {
            isOver.store(true, ordering: .relaxed)
            group.wait()
        }
    }
}
#endif
