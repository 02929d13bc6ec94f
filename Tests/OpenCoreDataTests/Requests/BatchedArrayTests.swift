import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `fetchBatchSize` of a fetch that gives an array: values come batch by batch, and go again.
@Suite struct BatchedArrayTests {
    private func fill(_ stack: TestStack, _ count: Int) throws {
        try stack.inContext { context in
            let rows: [[String: Any]] = (0..<count).map { ["title": "B\($0)", "pages": $0] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        }
    }

    private func request(_ size: Int) -> NSFetchRequest<Book> {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.fetchBatchSize = size
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        return request
    }

    private func realized(_ books: [Book]) -> Int { books.reduce(0) { $0 + ($1.isFault ? 0 : 1) } }

    // Behaviour 2.17
    @Test func valuesOfEarlierBatchesGo() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack, 2_000)
        try stack.inContext { context in
            let books = try context.fetch(request(50))
            #expect(realized(books) == 0)
            log.clear()
            for (index, book) in books.enumerated() {
                #expect(book.pages == index)
                if index % 100 == 0 { #expect(realized(books) <= 9 * 50) }
            }
            #expect(log.selects.count == 40)
            #expect(realized(books) == 8 * 50)
            // Once more, with one statement for each batch that has gone.
            log.clear()
            #expect(books.map(\.title) == (0..<2_000).map { "B\($0)" })
            #expect(log.selects.count == 40)
        }
    }

    // Behaviour 2.17
    @Test func objectsThatAreChangedOrHeldKeepTheirValues() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack, 1_000)
        try stack.inContext { context in
            let books = try context.fetch(request(20))
            var held: [Book] = []
            for (index, book) in books.enumerated() {
                if index % 97 == 3 { held.append(book) }
                if index % 101 == 5 { book.title += " changed" }
                _ = book.pages
            }
            #expect(held.allSatisfy { !$0.isFault && !$0.title.isEmpty })
            let changed = books.filter(\.isUpdated)
            #expect(changed.count == 10 && changed.allSatisfy { $0.title.hasSuffix(" changed") })
            try context.save()
            log.clear()
            #expect(held.map(\.pages) == stride(from: Int32(3), to: 1_000, by: 97).map { $0 })
            #expect(log.selects.isEmpty)
        }
        let count = try stack.sqlite("SELECT count(*) FROM ZBOOK WHERE ZTITLE LIKE '% changed'")
        #expect(count == "10")
    }

    @Test func aContextThatRetainsItsObjectsKeepsTheirValues() throws {
        let stack = try TestStack()
        try fill(stack, 400)
        try stack.inContext { context in
            context.retainsRegisteredObjects = true
            let books = try context.fetch(request(10))
            #expect(books.reduce(0) { $0 + Int($1.pages) } == 400 * 399 / 2)
            #expect(realized(books) == 400)
        }
    }

    @Test func sortingABatchedArrayGivesTheRightOrder() throws {
        let stack = try TestStack()
        try fill(stack, 1_500)
        try stack.inContext { context in
            let books = try context.fetch(request(10))
            let sorted = books.sorted { $0.title < $1.title }
            #expect(sorted.map(\.title) == (0..<1_500).map { "B\($0)" }.sorted())
            #expect(Set(sorted) == Set(books))
        }
    }

    @Test func objectsAreRealizedBatchByBatch() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack, 100)
        try stack.inContext { context in
            let request = request(10)
            request.returnsObjectsAsFaults = false
            log.clear()
            let books = try context.fetch(request)
            #expect(log.selects.count == 1)
            #expect(books[25].pages == 25)
            #expect(books.indices.filter { !books[$0].isFault } == Array(20..<30))
        }
    }

    @Test func relationshipsArePrefetchedBatchByBatch() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try stack.inContext { context in
            for number in 0..<100 {
                let author = Author(context: context)
                author.name = "Author \(number)"
                let book = Book(context: context)
                (book.title, book.pages, book.author) = ("B", Int32(number), author)
            }
            try context.save()
        }
        try stack.inContext { context in
            let request = request(20)
            request.relationshipKeyPathsForPrefetching = ["author"]
            log.clear()
            let books = try context.fetch(request)
            #expect(log.selects.count == 1)
            #expect(books[0].pages == 0)
            #expect(log.selects.count == 3)
            #expect(books[..<20].compactMap { $0.author?.name } == (0..<20).map { "Author \($0)" })
            #expect(log.selects.count == 3)
            #expect(context.registeredObjects.count == 120)
            request.relationshipKeyPathsForPrefetching = ["nobody"]
            #expect(throws: CocoaError.self) { try context.fetch(request) }
        }
    }

    @Test func aFetchedResultsControllerKeepsEarlierBatches() throws {
        let stack = try TestStack()
        try fill(stack, 1_000)
        try stack.inContext { context in
            let controller = NSFetchedResultsController(
                fetchRequest: request(50), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            let books = try #require(controller.fetchedObjects)
            #expect(realized(books) == 0)
            for (index, book) in books.enumerated() { #expect(book.pages == index) }
            #expect(realized(books) == 1_000)
        }
    }
}
