#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct PoolTests {
    private func pool(_ change: (inout PostgreSQLConnectionPool.Limits) -> Void = { _ in }) throws
        -> PostgreSQLConnectionPool
    {
        var limits = PostgreSQLConnectionPool.Limits()
        change(&limits)
        return PostgreSQLConnectionPool(try TestServer.address(), limits: limits)
    }

    /// Runs a block on threads of their own, all at once, and waits for them.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            let thread = Thread {
                body(number)
                group.leave()
            }
            thread.stackSize = 256 << 10
            thread.start()
        }
        group.wait()
    }

    @Test func aThreadGetsItsConnectionAgain() throws {
        let pool = try pool { $0.maximum = 1 }
        try pool.withConnection(for: "a test") { outer in
            try pool.withConnection(for: "a test") { inner in
                #expect(inner === outer)
                let one = try inner.execute("SELECT 1").first?.integer(0)
                #expect(one == 1)
            }
            #expect(pool.isHeld)
        }
        #expect(!pool.isHeld)
        #expect(pool.usage == (1, 1, 0))
    }

    @Test(arguments: [1, 3]) func aRoleOfFewConnectionsServesManyThreads(_ count: Int) throws {
        let role = "few_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        let server = try TestServer.connect()
        defer { server.close() }
        try server.runScript("CREATE ROLE \(role) LOGIN PASSWORD 'secret' CONNECTION LIMIT \(count)")
        defer { try? server.runScript("DROP ROLE \(role)") }
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        (parts.user, parts.password) = (role, "secret")
        let address = try PostgreSQLAddress(try #require(parts.string))
        do {
            // Two programs, each of which would have 8 connections.
            let pools = (0..<2).map { _ in PostgreSQLConnectionPool(address) }
            let failures = Mutex<[String]>([])
            onThreads(64) { number in
                for _ in 0..<10 {
                    do {
                        try pools[number % (count == 1 ? 1 : 2)].withConnection(for: "a test") {
                            _ = try $0.execute("SELECT pg_sleep(0.001)::text")
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            #expect(failures.withLock { $0 } == [])
            for pool in pools { pool.close() }
        }
    }

    @Test func whereTheServerHasNoConnectionLeftTheErrorSaysSoInTime() throws {
        let role = "none_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
        let server = try TestServer.connect()
        defer { server.close() }
        try server.runScript("CREATE ROLE \(role) LOGIN PASSWORD 'secret' CONNECTION LIMIT 1")
        defer { try? server.runScript("DROP ROLE \(role)") }
        var parts = try #require(URLComponents(string: TestServer.url ?? ""))
        (parts.user, parts.password) = (role, "secret")
        let address = try PostgreSQLAddress(try #require(parts.string))
        let only = try PostgreSQLConnection(address)
        defer { only.close() }
        var limits = PostgreSQLConnectionPool.Limits()
        limits.acquireTimeout = 1
        let pool = PostgreSQLConnectionPool(address, limits: limits)
        let errors = Mutex<[PostgreSQLError]>([])
        let duration = ContinuousClock().measure {
            onThreads(8) { _ in
                do {
                    try pool.withConnection(for: "a test") { _ in }
                } catch {
                    if let error = error as? PostgreSQLError { errors.withLock { $0.append(error) } }
                }
            }
        }
        #expect(duration < .seconds(5))
        let kinds = Set(errors.withLock { $0.map(\.kind) })
        #expect(errors.withLock { $0.count } == 8 && kinds.isSubset(of: [.outOfResources, .poolTimeout]))
        #expect(errors.withLock { $0.contains { $0.message.contains("too many connections for role") } })
    }

    @Test func aThousandThreadsShareEightConnections() throws {
        let pool = try pool()
        let done = Atomic<Int>(0)
        onThreads(1000) { number in
            let sum = try? pool.withConnection(for: "an outer test") { outer in
                let one = try outer.execute("SELECT 1::int8").first?.integer(0) ?? 0
                return try pool.withConnection(for: "an inner test") { inner in
                    one + (try inner.execute("SELECT $1", values: [.int8(Int64(number))]).first?.integer(0) ?? 0)
                }
            }
            if sum == Int64(number + 1) { done.add(1, ordering: .relaxed) }
        }
        #expect(done.load(ordering: .relaxed) == 1000)
        #expect(pool.usage.connections <= 8 && pool.usage.waiting == 0)
    }

    @Test func connectionsAreGivenInTheOrderOfAsking() throws {
        let pool = try pool { $0.maximum = 1 }
        let order = Mutex<[Int]>([])
        try pool.withConnection(for: "a test") { _ in
            let group = DispatchGroup()
            for number in 0..<20 {
                Thread {
                    try? pool.withConnection(for: "a waiting test") { _ in order.withLock { $0.append(number) } }
                    group.leave()
                }.start()
                group.enter()
                while pool.usage.waiting <= number { usleep(200) }
            }
            // The thread that has it may use it again, although others wait.
            try pool.withConnection(for: "a test") { _ = try $0.execute("SELECT 1") }
            #expect(order.withLock { $0 }.isEmpty)
            DispatchQueue.global().async { group.wait() }
        }
        while order.withLock({ $0.count }) < 20 { usleep(1000) }
        #expect(order.withLock { $0 } == Array(0..<20))
    }

    @Test func whoWaitsTooLongIsToldWhoHasTheConnections() throws {
        let pool = try pool {
            $0.maximum = 1
            $0.acquireTimeout = 0.1
        }
        let failure = Mutex<PostgreSQLError?>(nil)
        try pool.withConnection(for: "a test that takes long") { connection in
            onThreads(1) { _ in
                do {
                    try pool.withConnection(for: "another test") { _ in }
                } catch {
                    failure.withLock { $0 = error as? PostgreSQLError }
                }
            }
            let error = try #require(failure.withLock { $0 })
            #expect(error.kind == .poolTimeout && error.isTransient)
            #expect(error.message.contains("a test that takes long"))
            #expect(error.message.contains("server process \(connection.serverProcess)"))
        }
        #expect(pool.usage == (1, 1, 0))
        #expect(try pool.withConnection(for: "a test") { try $0.execute("SELECT 1").count } == 1)
    }

    @Test func brokenConnectionsAreReplaced() throws {
        let pool = try pool { $0.maximum = 2 }
        let killer = try TestServer.connect()
        func kill(_ process: Int32) throws {
            try killer.execute("SELECT pg_terminate_backend($1, 5000)", values: [.int4(process)])
        }
        let first = try pool.withConnection(for: "a test") { $0.serverProcess }
        // If an unused connection ends, its next user doesn't notice.
        try kill(first)
        let second = try pool.withConnection(for: "a test") { connection in
            _ = try connection.execute("SELECT 1")
            return connection.serverProcess
        }
        #expect(second != first)
        #expect(throws: PostgreSQLError.self) {
            try pool.withConnection(for: "a test") { connection in
                try kill(connection.serverProcess)
                try connection.execute("SELECT 1")
            }
        }
        #expect(try pool.withConnection(for: "a test") { try $0.execute("SELECT 1").count } == 1)
        #expect(pool.usage.connections == 1)
    }

    @Test func transactionsThatStayOpenAreRolledBack() throws {
        let pool = try pool { $0.maximum = 1 }
        try pool.withConnection(for: "a test") { connection in
            try connection.execute("BEGIN", isPrepared: false)
            _ = try? connection.execute("SELECT 1 / 0")
        }
        try pool.withConnection(for: "a test") { #expect($0.transactionState == .none) }
    }

    @Test func connectionsHaveALifetimeAndAreTriedAfterAPause() throws {
        let pool = try pool {
            $0.maximum = 1
            $0.lifetime = 0
        }
        let first = try pool.withConnection(for: "a test") { $0.serverProcess }
        #expect(try pool.withConnection(for: "a test") { $0.serverProcess } != first)
        let tried = try self.pool { $0.idleTime = 0 }
        let trips = try tried.withConnection(for: "a test") { $0.roundTripCount }
        #expect(try tried.withConnection(for: "a test") { $0.roundTripCount } == trips + 1)
    }

    @Test func aServerThatIsNotThereHoldsNobodyUp() throws {
        var limits = PostgreSQLConnectionPool.Limits()
        limits.maximum = 1
        let pool = PostgreSQLConnectionPool(
            try PostgreSQLAddress("postgresql://127.0.0.1:1/nothing"), limits: limits)
        let failures = Atomic<Int>(0)
        onThreads(20) { _ in
            do {
                try pool.withConnection(for: "a test") { _ in }
            } catch {
                if (error as? PostgreSQLError)?.kind == .cannotConnect { failures.add(1, ordering: .relaxed) }
            }
        }
        #expect(failures.load(ordering: .relaxed) == 20)
        #expect(pool.usage == (0, 0, 0))
    }

    @Test func anOutageEndsAllRequestsInTimeWithOneErrorAndOneLine() throws {
        func pool(_ url: String, _ lines: Noted<String>) throws -> PostgreSQLConnectionPool {
            var limits = PostgreSQLConnectionPool.Limits()
            limits.maximum = 2
            return PostgreSQLConnectionPool(try PostgreSQLAddress(url), limits: limits, report: { lines.note($0) })
        }
        // What accepts connections and never answers is worse than what refuses them.
        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(silent) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bound in
                try #require(bind(silent, bound, size) == 0 && listen(silent, 64) == 0)
                try #require(getsockname(silent, bound, &size) == 0)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
        for url in ["postgresql://127.0.0.1:\(port)/nothing?connect_timeout=2", "postgresql://127.0.0.1:1/nothing"] {
            let lines = Noted<String>()
            let pool = try pool(url, lines)
            let failures = Atomic<Int>(0)
            let start = ContinuousClock.now
            onThreads(32) { _ in
                do {
                    try pool.withConnection(for: "a test") { _ in }
                } catch {
                    if (error as? PostgreSQLError)?.kind == .cannotConnect { failures.add(1, ordering: .relaxed) }
                }
            }
            #expect(failures.load(ordering: .relaxed) == 32)
            // One after the other they would take 32 s.
            #expect(start.duration(to: .now) < .seconds(15))
            #expect(lines.count == 1, "\(lines.all)")
            #expect(pool.usage == (0, 0, 0))
        }
    }

    @Test func aSearchIsCancelledWhileItsStatementRuns() throws {
        let pool = try pool()
        for sql in ["SELECT pg_sleep(30)", "SELECT generate_series(1, 2000000000)"] {
            let read = CancellableRead()
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { read.cancel() }
            let start = ContinuousClock.now
            let error = #expect(throws: CocoaError.self) {
                try read.run { try pool.withConnection(for: "a search") { try $0.forEachRow(sql) { _ in } } }
            }
            #expect(error?.code == .userCancelled)
            #expect(start.duration(to: .now) < .seconds(20))
        }
        #expect(try pool.withConnection(for: "a test") { try $0.execute("SELECT 1").count } == 1)
    }

    @Test func aClosedPoolIsATypedError() throws {
        let pool = try pool()
        try pool.withConnection(for: "a test") { _ in pool.close() }
        #expect(throws: PostgreSQLError.self) { try pool.withConnection(for: "a test") { _ in } }
        #expect(pool.usage == (0, 0, 0))
    }
}
#endif
