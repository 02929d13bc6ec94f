import Foundation
import OpenCoreDataKit
import TestSupport
import Testing

/// How long watched stores keep their history.
@Suite struct HistoryRetentionTests {
    private func open(_ url: URL, watched: Bool = true, keepHistory: HistoryRetention) async throws -> Database {
        let store = Store.sqlite(at: url, watched: watched, keepHistory: keepHistory)
        return try await Database.open(
            Database.Configuration(name: "Towns", model: .value(TownModel.make()), stores: [store], layout: .merging))
    }

    private func write(_ count: Int, _ database: Database) async throws {
        for number in 0..<count { try await database.write { try $0.create(Resident.self).code = Int64(number) } }
    }

    private func count(_ table: String, _ url: URL) throws -> Int? {
        try Int(SQLiteShell.run("SELECT COUNT(*) FROM \(table)", on: url))
    }

    private func age(_ url: URL) throws {
        try SQLiteShell.run("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 8 * 86400", on: url)
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func whatIsOlderThanSevenDaysGoesUnlessToldOtherwise() async throws {
        #expect(Store.sqlite(watched: true).keepHistory == .days(7))
        let folder = try TemporaryFolder()
        let url = folder.file("Towns.sqlite")
        var database = try await open(url, keepHistory: .forever)
        try await write(20, database)
        try await database.close()
        try age(url)
        // Without a watch, the history is for other programs.
        for (isWatched, retention) in [(true, HistoryRetention.forever), (false, .days(7)), (true, .days(9))] {
            database = try await open(url, watched: isWatched, keepHistory: retention)
            try await Task.sleep(for: .seconds(1.5))
            try await database.close()
            #expect(try count("ATRANSACTION", url) == 20)
        }
        database = try await open(url, keepHistory: .days(7))
        try await write(2, database)
        #expect(try await eventually { (try? count("ATRANSACTION", url)) == 2 })
        #expect(try count("ACHANGE", url) == 2)
        #expect(try await database.read { try $0.count(Resident.self) } == 22)
        try await database.close()
    }

    @Test func whatAWatchHasNotReadStays() throws {
        let stack = try TestStack(model: TownModel.make(), options: [NSPersistentHistoryTrackingKey: true])
        try stack.inContext { context throws in
            func save(_ count: Int) throws {
                for _ in 0..<count {
                    _ = try context.create(Resident.self)
                    try context.save()
                }
            }
            func transactions() throws -> Int? {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                request.resultType = .count
                return (try context.execute(request) as? NSPersistentHistoryResult)?.result as? Int
            }
            try save(3)
            let position = HistoryPosition(endIn: stack.coordinator)
            try save(2)
            let store = try #require(stack.coordinator.persistentStores.first)
            func delete(before date: Date) throws -> Int {
                try position.deleteHistory(of: store, before: date, limit: 2, in: context)
            }
            #expect(try delete(before: .distantPast) == 0)
            #expect(try delete(before: .distantFuture) == 2)
            #expect(try delete(before: .distantFuture) == 1)
            #expect(try delete(before: .distantFuture) == 0)
            #expect(try transactions() == 2)
        }
    }
}
