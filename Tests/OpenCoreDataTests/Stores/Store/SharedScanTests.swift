import Foundation
import OpenCoreData
import TestSupport
import Testing

/// A large table that is fetched whole is read by two threads; what comes is what one thread alone would bring.
@Suite struct SharedScanTests {
    private static let count = 40_000

    /// A store with many books, all worth the same, made without objects.
    private func largeStack(_ options: [AnyHashable: Any]? = nil) throws -> TestStack {
        let stack = try TestStack(options: options)
        try stack.inContext { context in
            var number = 0
            let insert = NSBatchInsertRequest(
                entityName: "Book",
                dictionaryHandler: { book in
                    guard number < Self.count else { return true }
                    number += 1
                    book["title"] = "Book \(number)"
                    book["pages"] = number
                    book["price"] = 1.0
                    return false
                })
            _ = try context.execute(insert)
        }
        return stack
    }

    private func isSharedScan(_ sql: String) -> Bool { sql.contains("ocd_fill") && sql.contains("BETWEEN") }

    @Test(.enabled(if: SQLiteShell.isAvailable))
    func bringsEachRowOnceAndInOrderAmongGaps() throws {
        let log = StatementLog()
        let stack = try largeStack(log.options)
        // Gaps within and at both ends, rows of a subentity, and a key far away.
        _ = try stack.sqlite(
            """
            DELETE FROM ZBOOK WHERE Z_PK % 7 = 0 OR Z_PK < 100 OR Z_PK BETWEEN 9000 AND 13000;
            UPDATE ZBOOK SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'GraphicNovel') WHERE Z_PK % 5 = 0;
            UPDATE ZBOOK SET Z_PK = 900000 WHERE Z_PK = (SELECT max(Z_PK) FROM ZBOOK)
            """)
        let expected = try stack.sqlite("SELECT Z_PK || ':' || ZTITLE || ':' || ZPAGES FROM ZBOOK ORDER BY Z_PK")
        let found = try stack.inContext { context in
            log.clear()
            return try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map { book in
                "\(book.objectID.uriRepresentation().lastPathComponent.dropFirst()):\(book.title):\(book.pages)"
            }
        }
        #expect(found.joined(separator: "\n") == expected)
        #expect(log.statements.contains(where: isSharedScan))

        let novels = try stack.inContext { context in
            try context.fetch(NSFetchRequest<Book>(entityName: "GraphicNovel")).map(\.pages)
        }
        let expectedNovels = try stack.sqlite("SELECT ZPAGES FROM ZBOOK WHERE Z_PK % 5 = 0 ORDER BY Z_PK")
        #expect(novels.map { "\($0)" }.joined(separator: "\n") == expectedNovels)
    }

    @Test(.enabled(if: SQLiteShell.isAvailable))
    func identifiersAndFaultsWithoutValuesComeInOrderAmongGaps() throws {
        let log = StatementLog()
        let stack = try largeStack(log.options)
        _ = try stack.sqlite(
            """
            DELETE FROM ZBOOK WHERE Z_PK % 7 = 0 OR Z_PK BETWEEN 9000 AND 13000;
            UPDATE ZBOOK SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'GraphicNovel') WHERE Z_PK % 5 = 0
            """)
        let expected = try stack.sqlite(
            "SELECT iif(Z_PK % 5 = 0, 'GraphicNovel', 'Book') || '/p' || Z_PK FROM ZBOOK ORDER BY Z_PK")
        func name(_ id: NSManagedObjectID) -> String {
            let uri = id.uriRepresentation()
            return "\(uri.deletingLastPathComponent().lastPathComponent)/\(uri.lastPathComponent)"
        }
        let (ids, faults, areFaults, sum) = try stack.inContext { context in
            log.clear()
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            identifiers.resultType = .managedObjectIDResultType
            let ids = try context.fetch(identifiers)
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.includesPropertyValues = false
            let books = try context.fetch(request)
            let areFaults = books.allSatisfy(\.isFault)
            return (
                ids.map(name), books.map { name($0.objectID) }, areFaults, books.reduce(0) { $0 + Int($1.pages) }
            )
        }
        #expect(ids.joined(separator: "\n") == expected)
        #expect(faults == ids)
        #expect(areFaults)
        #expect("\(sum)" == (try stack.sqlite("SELECT sum(ZPAGES) FROM ZBOOK")))
        #expect(log.statements.filter(isSharedScan).count >= 4)
    }

    /// Batches are counted from the first row, so all rows have to be in one slab.
    @Test func aFetchInBatchesIsReadAsAWhole() throws {
        let log = StatementLog()
        let stack = try largeStack(log.options)
        let statements = try stack.inContext { context in
            log.clear()
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.fetchBatchSize = 1_000
            let books = try context.fetch(request)
            return [2_700, 2_000, 2_999, 3_000].map { index in
                let before = log.statements.count
                return [Int(books[index].pages), log.statements.count - before]
            }
        }
        #expect(statements.map { $0[0] } == [2_701, 2_001, 3_000, 3_001])
        #expect(statements[0][1] > 0 && statements[3][1] > 0)
        #expect(statements[1][1] == 0 && statements[2][1] == 0)
        #expect(!log.statements.contains(where: isSharedScan))
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func keysAtTheEndsOfTheirRangeAreRead() throws {
        let stack = try largeStack()
        // As if another program had used the last key there is, and one that no store gives out.
        _ = try stack.sqlite("UPDATE ZBOOK SET Z_PK = 9223372036854775807 WHERE Z_PK = 40000")
        let pages = try stack.inContext { context in
            try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.pages)
        }
        #expect(pages == (1...Int32(Self.count)).map { $0 })
        _ = try stack.sqlite("UPDATE ZBOOK SET Z_PK = 0 WHERE Z_PK = 1")
        let again = try stack.inContext { context in
            try context.fetch(NSFetchRequest<Book>(entityName: "Book")).map(\.pages)
        }
        #expect(again == pages)
    }

    /// Money that goes from one end of the table to the other is never seen twice, nor missed.
    @Test func bothThreadsSeeTheSameStateWhileOthersWrite() throws {
        let log = StatementLog()
        let stack = try largeStack(log.options)
        let mover = MoneyMover(file: stack.url)
        mover.start()
        var sums: [Double] = []
        while sums.count < 40 {
            sums.append(
                try stack.inContext { context in
                    try context.fetch(NSFetchRequest<Book>(entityName: "Book")).reduce(0) { $0 + $1.price }
                })
        }
        try mover.stop()
        #expect(sums.allSatisfy { $0 == Double(Self.count) })
        #expect(log.statements.contains(where: isSharedScan))
    }

    /// Writes on a thread and a connection of its own, transaction after transaction.
    // @unchecked Sendable because `failure` is written by the thread before it signals, and read afterwards.
    private final class MoneyMover: @unchecked Sendable {
        private let file: URL
        private let isOver = Flag()
        private let hasBegun = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)
        private var failure: (any Error)?

        init(file: URL) { self.file = file }

        /// Returns when the first transaction is over.
        func start() {
            Thread.detachNewThread { [self] in
                do { try run() } catch { failure = error }
                hasBegun.signal()
                hasEnded.signal()
            }
            hasBegun.wait()
        }

        func stop() throws {
            isOver.set()
            hasEnded.wait()
            if let failure { throw failure }
        }

        private func run() throws {
            let connection = try SQLiteConnection(
                path: file.path, configuration: SQLiteConfiguration(access: .readWrite))
            defer { connection.close() }
            var amount = 0.0
            while !isOver.isSet {
                amount = amount < 7 ? amount + 1 : 0
                try connection.transaction {
                    try connection.run("UPDATE ZBOOK SET ZPRICE = ZPRICE + ? WHERE Z_PK = 3", [.real(amount)])
                    try connection.run("UPDATE ZBOOK SET ZPRICE = ZPRICE - ? WHERE Z_PK = 39998", [.real(amount)])
                }
                hasBegun.signal()
                // Long enough for some fetches to begin while nothing is written.
                usleep(200)
            }
        }
    }

    @Test(.enabled(if: SQLiteShell.isAvailable)) func rowsThatBelongToNoEntityAreLeftOut() throws {
        let stack = try largeStack()
        _ = try stack.sqlite("UPDATE ZBOOK SET Z_ENT = 77 WHERE Z_PK IN (1, 20000, 39000)")
        let request = NSFetchRequest<Book>(entityName: "Book")
        let counts = try stack.inContext { context in
            try (0..<3).map { _ in [try context.fetch(request).count, try context.count(for: request)] }
        }
        #expect(counts.allSatisfy { $0 == [Self.count - 3, Self.count - 3] }, "\(counts)")
    }

    @Test func registeredObjectsKeepWhatTheyShowAndFaultsGetTheRows() throws {
        let stack = try largeStack()
        let (edited, faults, others) = try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            let books = try context.fetch(request)
            books[39_000].pages = 7
            for index in [10, 20_000, 39_999] { context.refresh(books[index], mergeChanges: false) }
            let again = try context.fetch(request)
            let same = zip(books, again).allSatisfy { $0 === $1 } && books.count == again.count
            return (again[39_000].pages, [10, 20_000, 39_999].map { again[$0].pages }, same)
        }
        #expect(edited == 7)
        #expect(faults == [11, 20_001, 40_000])
        #expect(others)
    }
}
