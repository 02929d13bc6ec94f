import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Threads that wait for a connection of a store wait as long as its limits say.
@Suite struct ConnectionTimeoutTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pool(
        journal: String = "WAL", _ change: (inout StoreLimits) -> Void
    ) throws -> SQLiteConnectionPool {
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.pragmas = [("journal_mode", journal)]
        var limits = StoreLimits()
        change(&limits)
        let pool = try SQLiteConnectionPool(
            url: folder.file("Store.sqlite"), configuration: configuration, limits: limits)
        try pool.write { try $0.execute(script: "CREATE TABLE IF NOT EXISTS t (x)") }
        return pool
    }

    /// Holds connections on threads of their own until it is told to let go.
    private final class Holders: Sendable {
        private let release = DispatchSemaphore(value: 0)
        private let done = DispatchGroup()
        private let count: Int

        /// Returns when all of them have theirs.
        init(_ count: Int, _ hold: @escaping @Sendable (() -> Void) throws -> Void) {
            self.count = count
            let begun = DispatchSemaphore(value: 0)
            for _ in 0..<count {
                done.enter()
                Thread.detachNewThread { [release, done] in
                    try? hold {
                        begun.signal()
                        release.wait()
                    }
                    done.leave()
                }
            }
            for _ in 0..<count { begun.wait() }
        }

        func letGo() {
            for _ in 0..<count { release.signal() }
            done.wait()
        }
    }

    @Test func aReadWithoutAFreeConnectionTimesOut() throws {
        let pool = try pool { ($0.maximumReaders, $0.readerTimeout) = (2, 0.2) }
        let holders = Holders(2) { hold in try pool.read { _ in hold() } }
        let start = ContinuousClock.now
        let error = try #require(throws: CocoaError.self) { try pool.read { _ in } }
        #expect(start.duration(to: .now) >= .milliseconds(200))
        #expect(error.code == .persistentStoreTimeout)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == pool.url.path)
        for part in ["Store.sqlite", "all 2", "0.2 seconds", OpenCoreDataReaderTimeoutOption] {
            #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)")
        }
        // Writing needs none of them.
        _ = try pool.write { try $0.run("INSERT INTO t VALUES (1)") }
        holders.letGo()
        #expect(try pool.read { try $0.firstValue("SELECT count(*) FROM t") } == .integer(1))
        // Nothing was lost: both read at a time again.
        let again = Holders(2) { hold in try pool.read { _ in hold() } }
        again.letGo()
    }

    @Test func aReadThatIsLetInTimeSucceedsAndIsCountedWhileItWaits() async throws {
        let pool = try pool { ($0.maximumReaders, $0.readerTimeout) = (1, nil) }
        let holders = Holders(1) { hold in try pool.read { _ in hold() } }
        let result = Noted<SQLValue?>()
        Thread.detachNewThread { result.note(try? pool.read { try $0.firstValue("SELECT 42") }) }
        #expect(try await eventually { pool.statistics(cachedRows: 0).waitingReaders == 1 })
        #expect(pool.statistics(cachedRows: 0).readersInUse == 1)
        holders.letGo()
        #expect(try await eventually { result.count == 1 })
        #expect(result.all == [.integer(42)])
        #expect(try await eventually { pool.statistics(cachedRows: 0).readersInUse == 0 })
        #expect(pool.statistics(cachedRows: 0).waitingReaders == 0)
    }

    @Test func aReadInsideOfAReadDoesNotWait() throws {
        let pool = try pool { ($0.maximumReaders, $0.readerTimeout) = (1, 0.1) }
        #expect(try pool.read { _ in try pool.read { try $0.firstValue("SELECT 1") } } == .integer(1))
    }

    @Test func aWriteWaitsForEverUnlessToldOtherwise() throws {
        #expect(StoreLimits().writerTimeout == nil)
        let pool = try pool { $0.writerTimeout = 0.1 }
        let holders = Holders(1) { hold in try pool.write { _ in hold() } }
        let error = try #require(throws: CocoaError.self) { try pool.write { _ in } }
        #expect(error.code == .persistentStoreTimeout)
        #expect(error.localizedDescription.contains(OpenCoreDataWriterTimeoutOption))
        // Reading goes on beside it.
        try pool.read { _ in }
        holders.letGo()
        try pool.write { _ in }
    }

    @Test func withoutALogReadsWaitForTheOneConnection() throws {
        let pool = try pool(journal: "DELETE") { $0.readerTimeout = 0.1 }
        #expect(!pool.isConcurrent)
        let holders = Holders(1) { hold in try pool.write { _ in hold() } }
        let error = try #require(throws: CocoaError.self) { try pool.read { _ in } }
        #expect(error.code == .persistentStoreTimeout)
        #expect(error.localizedDescription.contains("could not be read"))
        holders.letGo()
        try pool.read { _ in }
    }

    @Test func aFetchWithAllConnectionsHeldThrowsAndLaterWorks() throws {
        let stack = try TestStack(options: [
            NSPersistentStoreConnectionPoolMaxSizeKey: 1, OpenCoreDataReaderTimeoutOption: 0.1,
        ])
        let store = try #require(stack.coordinator.persistentStores[0] as? SQLiteStore)
        let pool = try store.runtimePool()
        let holders = Holders(1) { hold in try pool.read { _ in hold() } }
        try stack.inContext { context in
            let error = try #require(throws: CocoaError.self) {
                try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            }
            #expect(error.code == .persistentStoreTimeout)
            Book(context: context).title = "saving needs no reader"
            try context.save()
        }
        holders.letGo()
        #expect(try stack.inContext { try $0.count(for: NSFetchRequest<Book>(entityName: "Book")) } == 1)
    }

    @Test(arguments: [
        OpenCoreDataReaderTimeoutOption, OpenCoreDataWriterTimeoutOption, OpenCoreDataLargestLogOption,
        OpenCoreDataGenerationLifetimeOption,
    ])
    func aLimitThatIsNoNumberIsNamedWhenTheStoreIsOpened(_ option: String) throws {
        let wrong: [Any] = ["soon", -1, Double.nan, true]
        for value in wrong {
            let error = try #require(throws: CocoaError.self) { try TestStack(options: [option: value]) }
            #expect(error.code.rawValue == NSPersistentStoreOpenError)
            #expect(error.localizedDescription.contains(option))
        }
        let right: [Any] = [0, 1e300, Double.infinity, NSNumber(value: 3), NSNull()]
        for value in right { _ = try TestStack(options: [option: value]) }
    }
}
