#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import Synchronization
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Blocks that lock rows and names, beside each other.
@Suite(.needsServer, .serialized) struct RowLockTests {
    private func open(_ schema: String) async throws -> Database {
        try await Database.open(
            Database.Configuration(
                name: "Library", model: .value(LibraryModel.make()),
                stores: [.postgreSQL(try TestServer.url(schema: schema), watched: false)], layout: .merging))
    }

    private func fill(_ database: Database, _ count: Int) async throws {
        try await database.write { context in
            for number in 0..<count {
                let book = try context.create(Book.self)
                (book.title, book.pages) = ("job \(number)", Int32(number))
            }
        }
    }

    private static let jobs = Query(Book.self).filter(NSPredicate(format: "author == nil"))
        .sorted(NSSortDescriptor(key: "pages", ascending: true))

    /// Says when something happened, to threads that wait for it.
    private final class Signal: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func send() { semaphore.signal() }
        func wait() { semaphore.wait() }
    }

    /// Locks rows one after the other; once it has the first, it waits until another block has its own.
    private func change(
        _ database: Database, _ numbers: [Int], own: Signal, other: Signal, runs: Noted<Int>
    ) async throws {
        let isBegun = Flag()
        try await database.write(locking: .rows) { context in
            runs.note(1)
            for number in numbers {
                let job = Query(Book.self).filter(NSPredicate(format: "pages == %d", number))
                let book = try context.one(job.locked())
                book.title += "!"
                guard !isBegun.isSet else { continue }
                isBegun.set()
                own.send()
                other.wait()
            }
        }
    }

    @Test func aBlockWhoseLocksAreADeadlockRunsAgain() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let (first, second) = (try await open(schema), try await open(schema))
            try await fill(first, 2)
            let runs = Noted<Int>()
            let (firstHasOne, secondHasOne) = (Signal(), Signal())
            async let one: Void = change(first, [0, 1], own: firstHasOne, other: secondHasOne, runs: runs)
            async let two: Void = change(second, [1, 0], own: secondHasOne, other: firstHasOne, runs: runs)
            _ = try await (one, two)
            #expect(runs.count >= 3)
            let titles = try await first.read { context in
                try context.all(Query(Book.self)).map(\.title).sorted()
            }
            #expect(titles == ["job 0!!", "job 1!!"])
            try await first.close()
            try await second.close()
        }
    }

    @Test func lockedRowsAreLeftOutOrWaitedFor() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let (first, second) = (try await open(schema), try await open(schema))
            try await fill(first, 3)
            let (isLocked, mayEnd) = (Signal(), Signal())
            async let holding: Void = first.write(locking: .rows) { context in
                let book = try context.one(Self.jobs.locked())
                #expect(book.title == "job 0")
                isLocked.send()
                mayEnd.wait()
                book.pages = 100
            }
            await Task.detached { isLocked.wait() }.value
            for database in [first, second] {
                let found = try await database.write(locking: .rows) { context in
                    try context.all(Self.jobs.locked(.skippingLocked)).map(\.title)
                }
                #expect(found == ["job 1", "job 2"])
            }
            async let waiting = second.write(locking: .rows) { context in
                // What it has read before is read again when it is locked.
                let before = try context.all(Self.jobs).map(\.pages)
                return before + (try context.all(Self.jobs.limit(1).locked()).map(\.pages))
            }
            try await Task.sleep(for: .milliseconds(200))
            mayEnd.send()
            try await holding
            let pages = try await waiting
            #expect(pages == [0, 1, 2, 100], "\(pages)")
            try await first.close()
            try await second.close()
        }
    }

    /// Blocks beside each other that take some rows each with one statement: none is taken twice, and none left.
    @Test(arguments: [RowLocking.waiting, .skippingLocked])
    func aBatchUpdateWithALimitTakesRowsThatOthersHaveNot(_ locking: RowLocking) async throws {
        try await TestServer.withSchema(created: false) { schema in
            let databases = [try await open(schema), try await open(schema)]
            try await fill(databases[0], 60)
            let waiting = Query(Book.self).filter(NSPredicate(format: "isbn == nil"))
                .sorted(NSSortDescriptor(key: "pages", ascending: true)).limit(7).locked(locking)
            let taken = Noted<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        var misses = 0
                        while misses < 50 {
                            let count = try await databases[worker % 2].write(locking: .rows) { context in
                                try context.batchUpdate(waiting, set: ["isbn": "w\(worker)", "price": 1.0])
                            }
                            if count > 0 { taken.note(count) }
                            misses = count > 0 ? 0 : misses + 1
                            #expect(count <= 7)
                            let left = try await databases[worker % 2].read {
                                try $0.count(Query(Book.self).filter(NSPredicate(format: "isbn == nil")))
                            }
                            if left == 0 { return }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(taken.all.reduce(0, +) == 60)
            let left = try await databases[0].read {
                try $0.count(Query(Book.self).filter(NSPredicate(format: "isbn == nil OR price != 1")))
            }
            #expect(left == 0)
            for database in databases { try await database.close() }
        }
    }

    @Test func blocksThatLockRowsCountEachIncrement() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let databases = [try await open(schema), try await open(schema)]
            try await fill(databases[0], 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let isExclusive = number % 4 == 0
                        try await databases[number % 2].write(locking: isExclusive ? .store : .rows) { context in
                            // Without the lock a conflict would be thrown after some attempts.
                            let query = Self.jobs.filter(NSPredicate(format: "title == 'job 1'"))
                            let book = try context.one(isExclusive ? query.locked() : query.locked(.waiting))
                            book.pages += 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            let pages = try await databases[0].read { try $0.all(Self.jobs).map(\.pages) }
            #expect(pages == [0, 41])
            for database in databases { try await database.close() }
        }
    }

    @Test func namesAreLockedByOneBlockAtATime() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let (first, second) = (try await open(schema), try await open(schema))
            let (isLocked, mayEnd) = (Signal(), Signal())
            async let holding: Void = first.write(locking: .rows) { context in
                try context.lock(named: "nightly")
                // Once more by the same block.
                #expect(try context.tryLock(named: "nightly"))
                isLocked.send()
                mayEnd.wait()
            }
            await Task.detached { isLocked.wait() }.value
            let others = try await second.write(locking: .rows) { context in
                [try context.tryLock(named: "nightly"), try context.tryLock(named: "hourly")]
            }
            #expect(others == [false, true])
            let order = Mutex<[String]>([])
            async let waiting: Void = second.write(locking: .rows) { context in
                try context.lock(named: "nightly")
                order.withLock { $0.append("second") }
            }
            try await Task.sleep(for: .milliseconds(200))
            order.withLock { $0.append("first") }
            mayEnd.send()
            try await holding
            try await waiting
            #expect(order.withLock { $0 } == ["first", "second"])
            try await first.close()
            try await second.close()
        }
    }

    @Test func locksOutsideOfBlocksThatWriteAndWhatTheServerCantEvaluateAreErrors() async throws {
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            try await fill(database, 1)
            await #expect(throws: DatabaseError.self) {
                try await database.read { try $0.all(Self.jobs.locked()).count }
            }
            await #expect(throws: DatabaseError.self) { try await database.read { try $0.tryLock(named: "a") } }
            await #expect(throws: DatabaseError.self) {
                try await database.write(locking: .rows) { context in
                    _ = try context.all(Self.jobs.filter(NSPredicate(format: "title MATCHES '(?<=a)b'")).locked())
                }
            }
            try await database.close()
        }
    }

    /// `OPENCOREDATA_POSTGRESQL_JOBS` says how many jobs there are.
    @Test func jobsAreDoneExactlyOnceBySixteenWorkersOfWhichSomeAreKilled() async throws {
        let given = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL_JOBS"]
        let count = given.flatMap(Int.init) ?? 400
        try await TestServer.withSchema(created: false) { schema in
            let database = try await open(schema)
            try await fill(database, count)
            let url = try TestServer.url(schema: schema).absoluteString
            // Four tasks each.
            var workers = try (0..<4).map { try WorkerProcess(["jobs", url, "w\($0)", "0"]) }
            var acknowledged: [String] = []
            for round in 0..<3 {
                let victim = workers[round]
                _ = victim.line("done", within: 60)
                acknowledged += victim.kill().filter { $0.hasPrefix("done ") }
                workers[round] = try WorkerProcess(["jobs", url, "v\(round)", "0"])
            }
            for worker in workers {
                #expect(worker.line("empty", within: 240) != nil, "\(worker.lines.suffix(3))")
                worker.waitForEnd()
                acknowledged += worker.lines.filter { $0.hasPrefix("done ") }
                #expect(
                    !worker.lines.contains { $0.hasPrefix("!") }, "\(worker.lines.filter { $0.hasPrefix("!") })")
            }
            let (names, open) = try await database.read { context in
                (try context.all(Author.self).map(\.name), try context.count(Self.jobs))
            }
            #expect(open == 0)
            #expect(names.sorted() == (0..<count).map { "job \($0)" }.sorted())
            // What was acknowledged was done; what was done may not have been acknowledged.
            #expect(Set(acknowledged).count == acknowledged.count)
            #expect(acknowledged.count <= count && acknowledged.count >= count - 3 * 4)
            try await database.close()
        }
    }
}
#endif
