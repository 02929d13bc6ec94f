import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Requests for any result, `NSFetchRequest<NSFetchRequestResult>`, as code for Apple's systems writes them.
@Suite(.serialized) struct ResultTypeIdiomTests {
    private func withBooks(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let stack = try TestStack()
        try stack.inContext { context in
            for (title, pages) in [("a", 10), ("a", 20), ("b", 30)] {
                let book = Book(context: context)
                book.title = title
                book.pages = Int32(pages)
            }
            try context.save()
            try body(context)
        }
    }

    private func sum() -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = "total"
        column.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
        column.expressionResultType = .integer64AttributeType
        return column
    }

    @Test func dictionariesComeThroughARequestForAnyResult() throws {
        try withBooks { context in
            let request: NSFetchRequest<any NSFetchRequestResult> = Book.fetchRequest()
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["title", sum()]
            request.propertiesToGroupBy = ["title"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let results = try context.fetch(request)
            let rows = try #require(results as? [[String: Any]])
            #expect(rows.map { $0["title"] as? String } == ["a", "b"])
            #expect(rows.map { $0["total"] as? Int } == [30, 30])
            #expect((results as? [NSDictionary])?.compactMap { $0["total"] as? NSNumber } == [30, 30])
            #expect((results.first as? [String: AnyObject])?.keys.sorted() == ["title", "total"])
            let typed = try #require(NSFetchRequest<NSDictionary>.converted(request))
            #expect(try context.fetch(typed).map { $0["title"] as? String } == ["a", "b"])
            let swift = try #require(NSFetchRequest<[String: Any]>.converted(request))
            #expect(try context.fetch(swift).count == 2)
            let objects = try #require(NSFetchRequest<NSObject>.converted(request))
            #expect(try context.fetch(objects).allSatisfy { $0 is NSDictionary })
        }
    }

    @Test func dictionariesComeThroughAsynchronousFetchesAndExecute() throws {
        try withBooks { context in
            let request: NSFetchRequest<any NSFetchRequestResult> = Book.fetchRequest()
            request.resultType = .dictionaryResultType
            let executed = try request.execute()
            #expect((executed as? [[String: Any]])?.count == 3)
            let plain = try context.execute(request) as? NSAsynchronousFetchResult<any NSFetchRequestResult>
            #expect((plain?.finalResult as? [[String: Any]])?.count == 3)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            #expect(try child.performAndWait { try child.fetch(request).count } == 3)
        }
    }

    @Test func aControllerForAnyResultHasDictionaries() throws {
        try withBooks { context in
            let request: NSFetchRequest<any NSFetchRequestResult> = Book.fetchRequest()
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["title", "pages"]
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            let controller: NSFetchedResultsController<any NSFetchRequestResult> = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            let rows = try #require(controller.fetchedObjects as? [[String: Any]])
            #expect(rows.map { $0["pages"] as? Int } == [10, 20, 30])
            let last = controller.object(at: IndexPath(row: 2, section: 0))
            #expect(controller.indexPath(forObject: last) == IndexPath(row: 2, section: 0))
        }
    }

    @Test func identifiersAndCountsComeThroughEveryFittingType() throws {
        try withBooks { context in
            let ids: NSFetchRequest<any NSFetchRequestResult> = Book.fetchRequest()
            ids.resultType = .managedObjectIDResultType
            let found = try #require(try context.fetch(ids) as? [NSManagedObjectID])
            #expect(found.count == 3)
            let typed = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            typed.resultType = .managedObjectIDResultType
            #expect(try Set(context.fetch(typed)) == Set(found))
            let count: NSFetchRequest<any NSFetchRequestResult> = Book.fetchRequest()
            count.resultType = .countResultType
            let counted = try context.fetch(count)
            #expect(counted as? [NSNumber] == [3] && counted.first as? Int == 3)
            let number = NSFetchRequest<NSNumber>(entityName: "Book")
            number.resultType = .countResultType
            #expect(try context.fetch(number) == [3])
        }
    }

    @Test func aConvertedRequestHasTheSettingsAndKeepsWhatFits() throws {
        try withBooks { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages > %d", 10)
            request.fetchLimit = 1
            let any = try #require(NSFetchRequest<any NSFetchRequestResult>.converted(request))
            #expect(any.entityName == "Book" && any.predicate == request.predicate && any.fetchLimit == 1)
            #expect(NSFetchRequest<any NSFetchRequestResult>.converted(any) === any)
            #expect(NSFetchRequest<Book>.converted(NSBatchDeleteRequest(fetchRequest: any)) == nil)
            #expect(NSFetchRequest<Book>.converted(nil) == nil)
            any.fetchLimit = 0
            try context.execute(NSBatchDeleteRequest(fetchRequest: any))
            #expect(try context.count(for: NSFetchRequest<Book>(entityName: "Book")) == 1)
        }
    }

    @Test func aListOfRequestsHoldsThemAll() throws {
        try withBooks { context in
            let fetch: NSFetchRequest<any NSFetchRequestResult> = NSFetchRequest(entityName: "Book")
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["pages": 1]
            let requests: [NSPersistentStoreRequest] = [
                update, NSBatchDeleteRequest(fetchRequest: fetch), NSFetchRequest<Book>(entityName: "Book"),
            ]
            for request in requests { try context.execute(request) }
            #expect(try context.count(for: fetch) == 0)
            #expect(requests.map { $0 is NSFetchRequest<Book> } == [false, false, true])
        }
    }
}
