#if PostgreSQL
import Foundation
import OpenCoreData
import Synchronization
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct WakerTests {
    /// Counts how often a waker woke, and lets tests wait for it.
    private final class Wakes: Sendable {
        let times = Mutex<[ContinuousClock.Instant]>([])
        let losses = Atomic<Int>(0)

        func note() { times.withLock { $0.append(.now) } }

        /// Waits for a wake after a moment.
        func next(after moment: ContinuousClock.Instant, within limit: Duration) -> Duration? {
            while moment.duration(to: .now) < limit {
                if let time = times.withLock({ $0.first { $0 > moment } }) { return moment.duration(to: time) }
                usleep(200)
            }
            return nil
        }
    }

    private func waker(_ identifier: String, _ wakes: Wakes) throws -> PostgreSQLChangeWaker {
        try PostgreSQLChangeWaker(
            TestServer.address(), options: PostgreSQLOptions(), store: identifier,
            didLose: { wakes.losses.add(1, ordering: .relaxed) }, wake: { _ in wakes.note() })
    }

    private func listeners(_ identifier: String) throws -> [Int32] {
        var found: [Int32] = []
        let text = "LISTEN \"\(PostgreSQLChangeWaker.channel(identifier))\""
        try TestServer.connect().forEachRow(
            "SELECT pid FROM pg_stat_activity WHERE query = $1", PostgreSQLParameters([.text(text)])
        ) { found.append(Int32(try $0.integer(0))) }
        return found
    }

    private func waitForListeners(_ identifier: String, _ count: Int) throws -> [Int32] {
        for _ in 0..<500 {
            let found = try listeners(identifier)
            if found.count >= count { return found }
            usleep(20_000)
        }
        return []
    }

    @Test func otherProcessesAreWokenSoon() throws {
        let identifier = UUID().uuidString
        let (mine, theirs) = (Wakes(), Wakes())
        let (sender, receiver) = (try waker(identifier, mine), try waker(identifier, theirs))
        defer {
            sender.cancel()
            receiver.cancel()
        }
        #expect(try waitForListeners(identifier, 2).count == 2)
        var latencies: [Duration] = []
        for number in 0..<30 {
            usleep(30_000)
            let start = ContinuousClock.now
            sender.didCommit(Int64(number))
            latencies.append(try #require(theirs.next(after: start, within: .seconds(3))))
            #expect(mine.next(after: start, within: .seconds(3)) != nil)
        }
        latencies.sort()
        print("waker: median \(latencies[15]), longest \(latencies[29])")
        // The net alone would take half a second in the middle.
        #expect(latencies[15] < .milliseconds(400))
    }

    @Test func manyCommitsAreFewNotifications() throws {
        let identifier = UUID().uuidString
        let wakes = Wakes()
        let sender = try waker(identifier, wakes)
        defer { sender.cancel() }
        _ = try waitForListeners(identifier, 1)
        let other = try TestServer.connect()
        try other.listen(to: PostgreSQLChangeWaker.channel(identifier))
        let start = ContinuousClock.now
        var (received, last): (Int, String) = (0, "")
        for number in 0..<2000 {
            sender.didCommit(Int64(number))
            usleep(100)
        }
        let time = start.duration(to: .now)
        usleep(100_000)
        try other.execute("SELECT 1")
        for notification in other.notifications() { (received, last) = (received + 1, notification.payload) }
        #expect(received > 0 && last == "1999")
        #expect(received <= Int(time / .milliseconds(20)) + 6)
    }

    @Test func aLostConnectionIsMadeAgainAndSaid() throws {
        let identifier = UUID().uuidString
        let wakes = Wakes()
        let waker = try waker(identifier, wakes)
        defer { waker.cancel() }
        let process = try #require(try waitForListeners(identifier, 1).first)
        try TestServer.connect().execute("SELECT pg_terminate_backend($1, 5000)", values: [.int4(process)])
        let again = try waitForListeners(identifier, 1)
        #expect(!again.isEmpty && !again.contains(process))
        for _ in 0..<200 where wakes.losses.load(ordering: .relaxed) == 0 { usleep(10_000) }
        #expect(wakes.losses.load(ordering: .relaxed) == 1)
    }

    @Test func itLooksOnceASecondInAnyCase() throws {
        let wakes = Wakes()
        let waker = try waker(UUID().uuidString, wakes)
        defer { waker.cancel() }
        let first = try #require(wakes.next(after: .now.advanced(by: .seconds(-9)), within: .seconds(15)))
        _ = first
        #expect(wakes.next(after: .now, within: .seconds(4)) != nil)
    }
}
#endif
