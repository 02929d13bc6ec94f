import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `fetchInBatches(_:)`: a collection that makes its objects batch by batch.
@Suite struct FetchedObjectsTests {
    private func fill(_ stack: TestStack, _ count: Int) throws {
        try stack.inContext { context in
            let rows: [[String: Any]] = (0..<count).map { ["title": "B\($0 % 50)", "pages": $0] }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        }
    }

    private func request(_ size: Int, sortedBy key: String? = "pages") -> NSFetchRequest<Book> {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.fetchBatchSize = size
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return request
    }

    // Behaviour 2.17
    @Test func onlyTheRowsOfTouchedBatchesAreRead() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack, 1_000)
        try stack.inContext { context in
            log.clear()
            let books = try context.fetchInBatches(request(100))
            #expect(books.count == 1_000 && books.batchSize == 100)
            #expect(log.selects.count == 1 && log.selects.allSatisfy { !$0.contains("ZTITLE") })
            #expect(context.registeredObjects.isEmpty)
            #expect(books[250].pages == 250)
            #expect(log.selects.count == 2)
            #expect(books[200].pages == 200 && books[299].pages == 299)
            #expect(log.selects.count == 2)
            #expect(context.registeredObjects.count == 100)
            #expect(books.last?.pages == 999)
            #expect(log.selects.count == 3)
            #expect(books.objectID(at: 0).entity.name == "Book")
            #expect(log.selects.count == 3)
        }
    }

    // Behaviour 2.17
    @Test func objectsOfEarlierBatchesGoUnlessSomebodyNeedsThem() throws {
        let stack = try TestStack()
        try fill(stack, 5_000)
        try stack.inContext { context in
            let books = try context.fetchInBatches(request(50))
            var (most, sum) = (0, 0)
            var kept: Book?
            for (index, book) in books.enumerated() {
                sum += Int(book.pages)
                if index == 10 { book.setValue("changed", forKey: "isbn") }
                if index == 20 { kept = book }
                if index % 200 == 0 { most = max(most, context.registeredObjects.count) }
            }
            #expect(sum == 5_000 * 4_999 / 2)
            #expect(most <= 102)
            #expect(context.registeredObjects.count <= 102)
            #expect(context.updatedObjects.count == 1 && kept?.pages == 20)
            #expect(books[10].value(forKey: "isbn") as? String == "changed" && books[20] === kept)
            try context.save()
        }
        #expect(try stack.sqlite("SELECT ZPAGES FROM ZBOOK WHERE ZISBN = 'changed'") == "10")
    }

    @Test func relationshipsReadOnTheWayDoNotPileUp() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack, 1_000)
        try stack.inContext { context in
            let author = Author(context: context)
            author.name = "Ann"
            for book in try context.fetchInBatches(request(100)) { book.author = author }
            try context.save()
        }
        try stack.inContext { context in
            log.clear()
            var names = Set<String>()
            for book in try context.fetchInBatches(request(100)) {
                if let name = book.author?.name { names.insert(name) }
                #expect(book.tags.isEmpty)
            }
            #expect(names == ["Ann"])
            #expect(context.registeredObjects.count <= 201)
            // Identities; ten batches with their tags; and the author.
            #expect(log.selects.count <= 1 + 10 * 2 + 10)
        }
    }

    @Test(arguments: BatchModel.storeTypes) func unsavedChangesCountAsInAFetch(type: String) throws {
        let stack = try TestStack(type: type)
        try fill(stack, 120)
        try stack.inContext { context in
            for book in try context.fetch(request(0)) {
                if book.pages % 17 == 0 { context.delete(book) }
                if book.pages % 13 == 0 { book.title = "B7x" }
            }
            for number in 0..<9 {
                let book = number % 2 == 0 ? GraphicNovel(context: context) : Book(context: context)
                (book.title, book.pages) = ("B\(number * 6)", Int32(number * 20))
            }
            for predicate in [nil, NSPredicate(format: "title BEGINSWITH 'B7'"), NSPredicate(format: "pages > 60")] {
                for keys in [["pages", "title"], ["title", "pages"], []] {
                    for limit in [0, 7] {
                        let request = NSFetchRequest<Book>(entityName: "Book")
                        request.predicate = predicate
                        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: $0 == "title") }
                        request.fetchLimit = keys.isEmpty ? 0 : limit
                        request.fetchBatchSize = 10
                        let expected = try context.fetch(request)
                        let batched = Array(try context.fetchInBatches(request))
                        let string = { (books: [Book]) in books.map { "\($0.title)/\($0.pages)" } }
                        if keys.isEmpty {
                            #expect(Set(batched) == Set(expected) && batched.count == expected.count)
                        } else {
                            #expect(string(batched) == string(expected))
                        }
                    }
                }
            }
        }
    }

    @Test func unsavedObjectsKeepTheirPlaceWhenTheyAreSaved() throws {
        let stack = try TestStack()
        try fill(stack, 30)
        try stack.inContext { context in
            let new = Book(context: context)
            new.pages = 5
            let books = try context.fetchInBatches(request(10))
            #expect(books.count == 31 && books[6] === new)
            try context.save()
            #expect(books[6] === new && !books.objectID(at: 6).isTemporaryID)
        }
    }

    @Test func identifiersNeedNoRows() throws {
        let log = StatementLog()
        let stack = try TestStack(options: log.options)
        try fill(stack, 200)
        try stack.inContext { context in
            log.clear()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            let ids = try context.fetchInBatches(request)
            #expect(Set(ids).count == 200 && log.selects.count == 1)
            let dictionaries = NSFetchRequest<[String: Any]>(entityName: "Book")
            dictionaries.resultType = .dictionaryResultType
            #expect(throws: CocoaError.self) { try context.fetchInBatches(dictionaries) }
            #expect(throws: CocoaError.self) { try context.fetchInBatches(NSFetchRequest<Author>(entityName: "Book")) }
        }
    }

    @Test func aRowThatIsGoneIsAFaultWithoutValues() throws {
        let stack = try TestStack()
        try fill(stack, 30)
        try stack.inContext { context in
            let books = try context.fetchInBatches(request(10))
            _ = try stack.sqlite("DELETE FROM ZBOOK WHERE ZPAGES = 25")
            #expect(books[24].pages == 24)
            #expect(books[25].title.isEmpty && books[26].pages == 26)
        }
    }

    @Test func severalStoresAndChildrenGiveAllObjects() throws {
        let stack = try TestStack()
        try fill(stack, 30)
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("Second.sqlite"), options: nil)
        try stack.inContext { context in
            let insert = NSBatchInsertRequest(entityName: "GraphicNovel", objects: [["title": "N", "pages": 12]])
            insert.affectedStores = [second]
            _ = try context.execute(insert)
            let sorted = try context.fetchInBatches(request(10))
            #expect(sorted.count == 31 && sorted[13].title == "N")
            let unsorted = try context.fetchInBatches(request(10, sortedBy: nil))
            #expect(unsorted.count == 31 && unsorted.contains { $0 is GraphicNovel })
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let inChild = child.performAndWait { () -> [Int32]? in
                (try? child.fetchInBatches(request(10)))?.map(\.pages)
            }
            #expect(inChild == sorted.map(\.pages))
        }
    }
}
