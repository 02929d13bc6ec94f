<<<<<<< HEAD
import OpenCoreData
import Testing

@Suite struct FetchRequestTests {
    let layout = ModelLayout.layout(of: PublishingModel.make())

    private func entity(_ name: String) throws -> EntityLayout {
        try #require(layout.entities.first { $0.name == name })
    }

    // Apple behaviour 4.12
    @Test func resultTypesHaveApplesNumbers() {
        #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
        #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
        #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
        #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
    }

    @Test func aRequestBeginsWithApplesDefaults() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        #expect(request.entityName == "Book")
        #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
        #expect(request.includesSubentities && request.includesPropertyValues && request.includesPendingChanges)
        #expect(request.returnsObjectsAsFaults)
        #expect(!request.returnsDistinctResults && !request.shouldRefreshRefetchedObjects)
        #expect(request.resultType == .managedObjectResultType)
        #expect(request.requestType == .fetchRequestType)
    }

    // Apple behaviour 6.11
    @Test func aNamedRequestFindsItsEntityWhenItIsExecuted() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        #expect(request.entity == nil)
        let model = PublishingModel.make()
        #expect(try request.resolveEntity(in: model) === model.entitiesByName["Book"])
        #expect(request.entity === model.entitiesByName["Book"])
        let unknown = NSFetchRequest<NSManagedObject>(entityName: "Magazine")
        let error = #expect(throws: CocoaError.self) { try unknown.resolveEntity(in: model) }
        #expect(error?.localizedDescription.contains("Magazine") == true)
    }

    @Test func aCopyHasAllSettingsAndTheResultType() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.predicate = NSPredicate(format: "price > 3")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        request.fetchLimit = 5
        request.fetchOffset = 2
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title"]
        request.propertiesToGroupBy = ["title"]
        request.returnsDistinctResults = true
        request.includesSubentities = false
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        #expect(copy !== request)
        #expect(copy.entityName == "Book")
        #expect(copy.predicate == request.predicate)
        #expect(copy.sortDescriptors == request.sortDescriptors)
        #expect(copy.fetchLimit == 5 && copy.fetchOffset == 2)
        #expect(copy.resultType == .dictionaryResultType)
        #expect(copy.propertiesToFetch as? [String] == ["title"])
        #expect(copy.propertiesToGroupBy as? [String] == ["title"])
        #expect(copy.returnsDistinctResults && !copy.includesSubentities)
    }

    @Test func aRequestSurvivesAnArchive() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "price > 3 AND title BEGINSWITH[c] 'a'")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: false), NSSortDescriptor(key: "price", ascending: true),
        ]
        request.fetchLimit = 5
        request.includesSubentities = false
        request.propertiesToFetch = ["title"]
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        request.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = false
        let copy = try #require(NSFetchRequest<NSManagedObject>(coder: unarchiver))
        #expect(copy.entityName == "Book")
        #expect(copy.predicate?.predicateFormat == request.predicate?.predicateFormat)
        #expect(copy.sortDescriptors == request.sortDescriptors)
        #expect(copy.fetchLimit == 5 && !copy.includesSubentities && copy.includesPendingChanges)
        #expect(copy.propertiesToFetch as? [String] == ["title"])
        let empty = NSKeyedArchiver(requiringSecureCoding: false)
        empty.finishEncoding()
        #expect(NSFetchRequest<NSManagedObject>(coder: try NSKeyedUnarchiver(forReadingFrom: empty.encodedData)) == nil)
    }

    @Test func executingWithoutACurrentContextIsAnError() {
        let error = #expect(throws: CocoaError.self) {
            try NSFetchRequest<NSManagedObject>(entityName: "Book").execute()
        }
        #expect(error?.localizedDescription.contains("Book") == true)
    }

    // MARK: Columns

    private func keys(_ properties: [Any]?, _ name: String = "Book") throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: name)
        request.propertiesToFetch = properties
        return try request.resultColumns(for: entity(name)).map(\.key)
    }

    // Apple behaviour 6.5
    @Test func dictionariesHaveAllAttributesUnlessColumnsAreNamed() throws {
        #expect(try keys(nil).sorted() == ["pages", "price", "published", "title"])
        #expect(try keys(["title", "author", "author.name"]) == ["title", "author", "author.name"])
    }

    @Test func computedColumnsKeepTheirNameAndType() throws {
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "price")])
        total.expressionResultType = .doubleAttributeType
        let identity = NSExpressionDescription()
        identity.name = "id"
        identity.expression = NSExpression.expressionForEvaluatedObject()
        identity.expressionResultType = .objectIDAttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.propertiesToFetch = [total, identity]
        let columns = try request.resultColumns(for: entity("Book"))
        #expect(columns.map(\.key) == ["total", "id"])
        #expect(columns.map(\.type) == [.doubleAttributeType, .objectIDAttributeType])
    }

    // Apple behaviour 6.5
    @Test func aToManyOrUnknownColumnIsAnErrorThatNamesIt() {
        for name in ["tags", "author.books", "colour", "author.colour"] {
            let error = #expect(throws: CocoaError.self) { try keys([name]) }
            #expect(error?.localizedDescription.contains("'\(name)'") == true)
        }
    }

    @Test func aGroupedResultHasOnlyGroupedAndComputedColumns() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.propertiesToFetch = ["title", "price"]
        request.propertiesToGroupBy = ["title"]
        let error = #expect(throws: CocoaError.self) { try request.resultColumns(for: entity("Book")) }
        #expect(error?.localizedDescription.contains("'price'") == true)
    }

    @Test func fetchRequestExpressionsKeepTheirParts() throws {
        let request = NSExpression(forConstantValue: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        let context = NSExpression(forVariable: "context")
        let expression = NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: true)
        let fetch = try #require(expression as? NSFetchRequestExpression)
        #expect(fetch.isCountOnlyRequest)
        #expect(fetch.requestExpression === request && fetch.contextExpression === context)
        #expect(fetch.expressionType == NSFetchRequestExpressionType)
        #expect(NSFetchRequestExpressionType.rawValue == 50)
=======
import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 6 of the observed behaviour: what a fetch request's settings do. Numbers are section.fact.
@Suite(.serialized) struct FetchRequestTests {
    static let storeTypes = [NSInMemoryStoreType, NSSQLiteStoreType]

    /// Books a to e with 1 to 5 pages, saved, in a new context.
    private func withBooks(_ type: String, _ body: (NSManagedObjectContext, [String: Book]) throws -> Void) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for (index, title) in ["a", "b", "c", "d", "e"].enumerated() {
                let book = Book(context: context)
                book.title = title
                book.pages = Int32(index + 1)
            }
            try context.save()
        }
        try stack.inContext { context in
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            try body(context, Dictionary(uniqueKeysWithValues: books.map { ($0.title, $0) }))
        }
    }

    private func request(_ format: String? = nil) -> NSFetchRequest<Book> {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        return request
    }

    // 6.1
    @Test(arguments: storeTypes) func unsavedChangesCount(type: String) throws {
        try withBooks(type) { context, books in
            context.delete(books["a"]!)
            books["b"]?.pages = 100
            books["e"]?.pages = 0
            let new = Book(context: context)
            new.title = "new"
            new.pages = 2
            Book(context: context).pages = 50
            let found = try context.fetch(request("pages < 5"))
            #expect(found.map(\.title) == ["e", "new", "c", "d"])
            #expect(found.map(\.pages) == [0, 2, 3, 4])
        }
    }

    // 6.2
    @Test(arguments: storeTypes) func withoutPendingChangesMembershipIsAsSaved(type: String) throws {
        try withBooks(type) { context, books in
            context.delete(books["a"]!)
            books["b"]?.pages = 100
            _ = Book(context: context)
            let request = request("pages < 4")
            request.includesPendingChanges = false
            let found = try context.fetch(request)
            #expect(found.map(\.title) == ["a", "b", "c"])
            #expect(found.map(\.pages) == [1, 100, 3])
        }
    }

    // 6.3: unlike Apple's, our result is in order.
    @Test(arguments: storeTypes) func identifiersFollowUnsavedChanges(type: String) throws {
        try withBooks(type) { context, books in
            context.delete(books["a"]!)
            books["b"]?.pages = 100
            let new = Book(context: context)
            new.pages = 2
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
            request.resultType = .managedObjectIDResultType
            request.predicate = NSPredicate(format: "pages < 5")
            request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
            let found = try context.fetch(request)
            #expect(found == [new.objectID, books["c"]!.objectID, books["d"]!.objectID])
            #expect(found.first?.isTemporaryID == true)
            request.includesPendingChanges = false
            let saved = try context.fetch(request)
            #expect(saved == ["a", "b", "c", "d"].map { books[$0]!.objectID })
        }
    }

    // 6.4
    @Test(arguments: storeTypes) func countsFollowUnsavedChanges(type: String) throws {
        try withBooks(type) { context, books in
            context.delete(books["a"]!)
            books["b"]?.pages = 100
            _ = Book(context: context)
            let request = request("pages < 5")
            let now = try context.count(for: request)
            #expect(now == 3)
            request.includesPendingChanges = false
            let saved = try context.count(for: request)
            #expect(saved == 4)
            let numbers = NSFetchRequest<NSNumber>(entityName: "Book")
            numbers.resultType = .countResultType
            let result = try context.fetch(numbers)
            #expect(result.map(\.intValue) == [5])
        }
    }

    @Test(arguments: storeTypes) func countsHeedOffsetAndLimit(type: String) throws {
        try withBooks(type) { context, _ in
            let request = request()
            request.fetchLimit = 2
            let limited = try context.count(for: request)
            #expect(limited == 2)
            request.fetchLimit = 0
            request.fetchOffset = 4
            let rest = try context.count(for: request)
            #expect(rest == 1)
            request.fetchOffset = 9
            let none = try context.count(for: request)
            #expect(none == 0)
        }
    }

    // 6.6
    @Test(arguments: storeTypes) func offsetAndLimitAreExactInACleanContext(type: String) throws {
        try withBooks(type) { context, _ in
            let request = request()
            request.fetchOffset = 1
            request.fetchLimit = 2
            let window = try context.fetch(request).map(\.title)
            #expect(window == ["b", "c"])
            request.fetchLimit = 0
            request.fetchOffset = 3
            let rest = try context.fetch(request).map(\.title)
            #expect(rest == ["d", "e"])
        }
    }

    // 6.6
    @Test(arguments: storeTypes) func theLimitHoldsWithUnsavedChanges(type: String) throws {
        try withBooks(type) { context, _ in
            Book(context: context).title = "new"
            let request = request()
            request.fetchLimit = 2
            let titles = try context.fetch(request).map(\.title)
            #expect(titles == ["new", "a"])
        }
    }

    // 6.7
    @Test(arguments: storeTypes) func subentitiesCanBeLeftOut(type: String) throws {
        try withBooks(type) { context, _ in
            GraphicNovel(context: context).title = "saved novel"
            try context.save()
            GraphicNovel(context: context).title = "pending novel"
            let request = request()
            let all = try context.fetch(request)
            #expect(all.count == 7 && all.filter { $0 is GraphicNovel }.count == 2)
            request.includesSubentities = false
            let own = try context.fetch(request)
            let count = try context.count(for: request)
            #expect(own.count == 5 && count == 5)
            let novels = try context.count(for: NSFetchRequest<GraphicNovel>(entityName: "GraphicNovel"))
            #expect(novels == 2)
        }
    }

    // 6.9
    @Test(arguments: storeTypes) func subqueriesCount(type: String) throws {
        try withBooks(type) { context, books in
            let (jane, leo) = (Author(context: context), Author(context: context))
            jane.name = "Jane"
            leo.name = "Leo"
            jane.books = Set(["a", "b", "c"].map { books[$0]! })
            leo.books = Set(["d", "e"].map { books[$0]! })
            try context.save()
            let request = NSFetchRequest<Author>(entityName: "Author")
            request.predicate = NSPredicate(format: "SUBQUERY(books, $b, $b.pages > 1).@count > 1")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(request).map(\.name)
            #expect(found == ["Jane", "Leo"])
            request.predicate = NSPredicate(format: "SUBQUERY(books, $b, $b.pages > 3).@count > 0")
            let late = try context.fetch(request)
            #expect(late == [leo])
            let evaluated: [Author] = [jane, leo].filter { request.predicate!.evaluate(with: $0) }
            #expect(evaluated == [leo])
        }
    }

    // 6.10: ALL over nothing is true, NONE too, ANY is false, in both stores and in memory.
    @Test(arguments: storeTypes) func quantifiersOverNothing(type: String) throws {
        try withBooks(type) { context, _ in
            let author = Author(context: context)
            try context.save()
            for (format, expected) in [("ALL books.pages > 3", 1), ("NONE books.pages > 3", 1), ("ANY books.pages > 3", 0)] {
                let request = NSFetchRequest<Author>(entityName: "Author")
                request.predicate = NSPredicate(format: format)
                let count = try context.count(for: request)
                #expect(count == expected, "\(format)")
                #expect(request.predicate?.evaluate(with: author) == (expected == 1), "\(format)")
            }
        }
    }

    // 6.11: ours has no entity until executed, and no exception.
    @Test(arguments: storeTypes) func aRequestByNameFindsItsEntityWhenExecuted(type: String) throws {
        try withBooks(type) { context, _ in
            let request = NSFetchRequest<Book>(entityName: "Book")
            #expect(request.entity == nil && request.entityName == "Book")
            _ = try context.fetch(request)
            #expect(request.entity?.name == "Book")
        }
    }

    // 6.13
    @Test(arguments: storeTypes) func predicatesOfEveryKind(type: String) throws {
        try withBooks(type) { context, books in
            let author = Author(context: context)
            author.name = "Zoë"
            books["a"]?.author = author
            books["b"]?.setValue("123", forKey: "isbn")
            try context.save()
            func found(_ format: String, _ arguments: [Any] = []) throws -> String {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                return try context.fetch(request).map(\.title).joined()
            }
            let cases: [(String, [Any], String)] = [
                ("title LIKE[c] 'A*'", [], "a"), ("title ==[c] 'A'", [], "a"), ("title == 'A'", [], ""),
                ("author.name CONTAINS[cd] 'ZOE'", [], "a"), ("title MATCHES '[bc]'", [], "bc"),
                ("pages BETWEEN {2, 4}", [], "bcd"), ("title IN {'a', 'e', 'x'}", [], "ae"),
                ("NOT (title IN %@)", [["a", "b"]], "cde"), ("isbn IN %@", [[123, 456]], "b"),
                ("author == %@", [author], "a"), ("author == %@", [author.objectID], "a"),
                ("SELF IN %@", [[books["c"]!, books["d"]!]], "cd"), ("SELF == %@", [books["e"]!], "e"),
                ("SELF IN %@", [[books["c"]!.objectID]], "c"), ("author == nil", [], "bcde"), ("author != nil", [], "a"),
                ("author != %@", [author], "bcde"), ("title BEGINSWITH 'e' OR pages == 1", [], "ae"),
            ]
            for (format, arguments, expected) in cases {
                let result = try found(format, arguments)
                #expect(result == expected, "\(format)")
                books["e"]?.title = "e"
                let dirty = try found(format, arguments)
                #expect(dirty == expected, "\(format) with unsaved changes")
                context.rollback()
            }
        }
    }

    // 6.14
    @Test(arguments: storeTypes) func aFetchedPropertyRunsItsRequest(type: String) throws {
        let model = LibraryModel.make()
        let author = try #require(model.entitiesByName["Author"])
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "compatriots"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
        request.entity = author
        request.predicate = NSPredicate(
            format: "country == $FETCH_SOURCE.country AND name != $FETCHED_PROPERTY.userInfo.except")
        fetched.fetchRequest = request
        fetched.userInfo = ["except": "Leo"]
        author.properties.append(fetched)
        let stack = try TestStack(model: model, type: type)
        try stack.inContext { context in
            let authors = [("Jane", "UK"), ("Leo", "UK"), ("Emily", "UK"), ("Victor", "FR")].map { name, country in
                let author = Author(context: context)
                author.name = name
                author.country = country
                return author
            }
            try context.save()
            let found = authors[0].value(forKey: "compatriots") as? [Author]
            #expect(Set(found?.map(\.name) ?? []) == ["Jane", "Emily"])
        }
    }

    @Test(arguments: storeTypes) func requestsWithABatchSizeGiveTheSameObjects(type: String) throws {
        try withBooks(type) { context, books in
            let request = request("pages > 1")
            request.fetchBatchSize = 2
            let found = try context.fetch(request)
            #expect(found.map(\.title) == ["b", "c", "d", "e"])
            request.includesPropertyValues = false
            request.fetchBatchSize = 0
            let bare = try context.fetch(request)
            #expect(bare == found)
        }
    }

    @Test(arguments: storeTypes) func executeUsesTheContextOfTheBlock(type: String) throws {
        try withBooks(type) { _, _ in
            let titles = try request("pages > 3").execute().map(\.title)
            #expect(titles == ["d", "e"])
        }
    }

    @Test func aRequestCanBeCopied() throws {
        let request = request("pages > 1")
        request.fetchLimit = 3
        request.fetchBatchSize = 20
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title"]
        let copy = try #require(request.copy() as? NSFetchRequest<Book>)
        #expect(copy !== request && copy.predicate == request.predicate && copy.fetchLimit == 3)
        #expect(copy.fetchBatchSize == 20 && copy.propertiesToFetch as? [String] == ["title"])
>>>>>>> 6c6eddc (Conformance tests for objects, contexts, merging and fetching; a waiting caller's queue is known, faults touched by inverses are not validated unread)
    }
}
