import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Many rows come into a small table without its indexes, which are there again after the save.
@Suite struct SuspendedIndexTests {
    private static let schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"

    private func insertBooks(_ count: Int, _ context: NSManagedObjectContext) throws {
        let label = try context.fetch(NSFetchRequest<Label>(entityName: "Label")).first ?? Label(context: context)
        label.name = "l"
        let author = Author(context: context)
        for number in 0..<count {
            let book = Book(context: context)
            book.title = "b\(number)"
            book.author = author
            book.tags = [label]
        }
    }

    private func dropped(_ log: StatementLog) -> [String] {
        log.statements.filter { $0.hasPrefix("DROP INDEX") }.map { $0.replacing("DROP INDEX ", with: "") }.sorted()
    }

    @Test(.enabled(if: SQLiteShell.isAvailable))
    func aLargeSaveIntoAnEmptyStoreLeavesTheIndexesAsTheyWere() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        let before = try stack.sqlite(Self.schema)
        try stack.inContext { context throws in
            try insertBooks(2_500, context)
            try context.save()
        }
        #expect(dropped(log).contains("\"ZBOOK_ZAUTHOR_INDEX\""))
        #expect(dropped(log).contains { $0.contains("Z_1TAGS") || $0.contains("TAGS") })
        #expect(try stack.sqlite(Self.schema) == before)
        #expect(try stack.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try stack.sqlite("SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR IS NOT NULL") == "2500")
        try stack.inContext { context throws in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "ANY tags.name == %@ AND author != nil", "l")
            #expect(try context.count(for: request) == 2_500)
        }
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func anIndexThatWasMadeAnewHasRoomForTheNextRows() throws {
        let stack = try TestStack()
        var numbers = SeededGenerator(seed: 7)
        func insert(_ count: Int, _ context: NSManagedObjectContext, _ authors: [Author]) throws {
            for _ in 0..<count { Book(context: context).author = authors[numbers.below(authors.count)] }
            try context.save()
        }
        let (before, after) = try stack.inContext { context throws in
            let authors = (0..<200).map { _ in Author(context: context) }
            try insert(12_000, context, authors)
            let before = try stack.sqlite("PRAGMA page_count")
            try insert(40, context, authors)
            return (Int(before) ?? 0, try Int(stack.sqlite("PRAGMA page_count")) ?? 0)
        }
        // The rows alone need one or two; full indexes would need more than that again.
        #expect(before > 100)
        #expect(after - before < 4)
        #expect(try stack.sqlite("PRAGMA integrity_check") == "ok")
    }

    @Test(arguments: [("-20000", ["-4000", "-20000"]), ("9000", ["-4000", "9000"]), ("-1000", []), ("500", [])])
    func thePageCacheIsSmallOnlyWhileEntriesAreSorted(setting: String, settings: [String]) throws {
        let log = StatementLog()
        let stack = try TestStack(
            options: log.options.merging([NSSQLitePragmasOption: ["cache_size": setting]]) { $1 })
        try stack.inContext { context throws in
            log.clear()
            try insertBooks(2_500, context)
            try context.save()
        }
        let indexes = log.statements.indices.filter { log.statements[$0].hasPrefix("PRAGMA cache_size =") }
        #expect(indexes.map { log.statements[$0].replacing("PRAGMA cache_size = ", with: "") } == settings)
        let made = log.statements.indices.filter { log.statements[$0].hasPrefix("CREATE INDEX") }
        #expect(!made.isEmpty)
        if let first = indexes.first, let last = indexes.last { #expect(made.allSatisfy { first < $0 && $0 < last }) }
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "needs several processors"),
        arguments: [("0", true), ("8", false)])
    func entriesAreSortedBySeveralThreadsAndTheSettingComesBack(setting: String, isRaised: Bool) throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options.merging([NSSQLitePragmasOption: ["threads": setting]]) { $1 })
        try stack.inContext { context throws in
            log.clear()
            try insertBooks(2_500, context)
            try context.save()
        }
        let indexes = log.statements.indices.filter { log.statements[$0].hasPrefix("PRAGMA threads =") }
        #expect(indexes.count == (isRaised ? 2 : 0))
        let made = log.statements.indices.filter { log.statements[$0].hasPrefix("CREATE INDEX") }
        #expect(!made.isEmpty)
        if let first = indexes.first, let last = indexes.last {
            #expect(made.allSatisfy { first < $0 && $0 < last })
            #expect(log.statements[last] == "PRAGMA threads = \(setting)")
        }
    }

    @Test func aTableWithManyRowsKeepsItsIndexes() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try stack.inContext { context throws in
            try insertBooks(4_000, context)
            try context.save()
            log.clear()
            try insertBooks(2_500, context)
            try context.save()
            #expect(dropped(log).isEmpty)
        }
    }

    @Test func aSmallSaveKeepsTheIndexes() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try stack.inContext { context throws in
            try insertBooks(900, context)
            try context.save()
        }
        #expect(dropped(log).isEmpty)
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func aLargeSaveThatFailsLeavesTheStoreAsItWas() throws {
        let stack = try TestStack()
        let schema = try stack.sqlite(Self.schema)
        try stack.inContext { context throws in
            try insertBooks(2_500, context)
            for _ in 1...2 { Label(context: context).name = "twice" }
            #expect(throws: CocoaError.self) { try context.save() }
        }
        #expect(try stack.sqlite(Self.schema) == schema)
        #expect(try stack.sqlite("SELECT COUNT(*) FROM ZBOOK") == "0")
        #expect(try stack.sqlite("PRAGMA integrity_check") == "ok")
    }

    @Test func aStoreWithTriggersKeepsItsIndexes() throws {
        let model = LibraryModel.make()
        let count = NSDerivedAttributeDescription()
        count.name = "bookCount"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "books.@count")
        try #require(model.entitiesByName["Author"]).properties.append(count)
        let log = StatementLog()
        let stack = try TestStack(model: model, options: log.options)
        try stack.inContext { context throws in
            try insertBooks(2_500, context)
            try context.save()
            let author = try #require(try context.fetch(NSFetchRequest<Author>(entityName: "Author")).first)
            context.refresh(author, mergeChanges: false)
            #expect(author.value(forKey: "bookCount") as? Int == 2_500)
        }
        #expect(dropped(log).isEmpty)
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func anotherCoordinatorReadsOnWhileIndexesGoAndCome() throws {
        let stack = try TestStack()
        let other = try TestStack(folder: stack.folder)
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "author != nil")
        try other.inContext { context throws in #expect(try context.count(for: request) == 0) }
        for expected in [2_500, 7_600] {
            try stack.inContext { context throws in
                try insertBooks(expected == 2_500 ? 2_500 : 5_100, context)
                try context.save()
            }
            try other.inContext { context throws in #expect(try context.count(for: request) == expected) }
        }
    }
}
