import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import CoreDataEngine

/// The log of statements that take long: how much it has, and what SQLite's statements have in it.
@Suite struct SlowStatementTests {
    @Test func aMinuteHasSoManyLinesAndEachTextHasItsPlanOnce() {
        let lines = Noted<String>()
        let log = SlowStatementLog(limit: 0.5) { lines.note($0) }
        let start = ContinuousClock.now
        let plans = Noted<Int>()
        func write(_ number: Int, at seconds: Double) {
            let now = start.advanced(by: .seconds(seconds))
            log.write("SELECT \(number % 2)", seconds: 1.2345, note: ", 1 row", at: now) {
                plans.note(number)
                return ["SCAN book", "  INDEX"]
            }
        }
        for number in 0..<100 { write(number, at: Double(number) / 2) }
        #expect(lines.count == SlowStatementLog.mostInAMinute)
        #expect(lines.all[0] == "A statement took 1.235 s, 1 row: SELECT 0\nIts plan: SCAN book\n  INDEX")
        #expect(lines.all[2] == "A statement took 1.235 s, 1 row: SELECT 0")
        #expect(plans.all == [0, 1])
        write(100, at: 61)
        #expect(lines.all.last?.hasSuffix("  INDEX\nIn the minute before, 70 more took too long.") == true)
        write(101, at: 62)
        #expect(lines.all.last?.contains("minute before") == false)
        #expect(plans.all == [0, 1, 100, 101])
    }

    @Test func theLimitIsANumberOfSeconds() {
        #expect(SlowStatementLog.launchedLimit(["OPENCOREDATA_SLOW_STATEMENT": "0.25"]) == 0.25)
        for text in ["", "0", "-1", "often"] {
            #expect(SlowStatementLog.launchedLimit(["OPENCOREDATA_SLOW_STATEMENT": text]) == nil)
        }
        #expect(SlowStatementLog(options: [OpenCoreDataSlowStatementOption: NSNumber(value: 0.5)])?.limit == 0.5)
        #expect(SlowStatementLog(options: [OpenCoreDataSlowStatementOption: NSNumber(value: 0)]) == nil)
    }

    /// With a limit of 0, each statement is slow.
    @Test func statementsOfAFileAreLoggedWithTheirPlansAndWithoutValues() throws {
        let folder = try TemporaryFolder()
        let lines = Noted<String>()
        var configuration = SQLiteConfiguration(access: .readWriteCreate)
        configuration.log = nil
        configuration.slow = SlowStatementLog(limit: 0) { lines.note($0) }
        let connection = try SQLiteConnection(
            path: folder.url.appendingPathComponent("a.sqlite").path, configuration: configuration)
        defer { connection.close() }
        try connection.execute(script: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
        try connection.transaction {
            try connection.run("INSERT INTO book (title) VALUES (?)", [.text("Emma's secret")])
            let found = try connection.firstValue("SELECT id FROM book WHERE title = ?", [.text("Emma's secret")])
            #expect(found == .integer(1))
        }
        let found = lines.all.filter { $0.contains("SELECT id FROM book") }
        #expect(found.count == 1)
        #expect(
            found.first?.wholeMatch(
                of: /(?s)A statement took [\d.e-]+ s: SELECT id FROM book WHERE title = \?\nIts plan: SCAN book/)
                != nil,
            "\(found)")
        #expect(!lines.all.contains { $0.contains("secret") || $0.contains("EXPLAIN") })
    }

    @Test func aStoreWithTheOptionSavesAndFetchesAsBefore() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("a.sqlite"),
            options: [OpenCoreDataSlowStatementOption: NSNumber(value: 0.000_000_001)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for number in 0..<50 { Author(context: context).name = "author \(number)" }
            try context.save()
            context.reset()
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            #expect(try context.fetch(request).map(\.name) == (0..<50).map { "author \($0)" }.sorted())
        }
    }
}
