import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Section 6 of the observed behavior: what a fetch request's settings do. Numbers are section.fact.
@Suite(.serialized) struct FetchResultsTests {
    @Test func whatACollectionOperatorComputesIsANumberOfAnyType() throws {
        let stack = try TestStack()
        try stack.inContext { context in
            let author = Author(context: context)
            for pages in [10, 20, 35] {
                let book = Book(context: context)
                book.pages = Int32(pages)
                book.author = author
            }
            let sum = author.value(forKeyPath: "books.@sum.pages")
            #expect(sum as? Int == 65 && sum as? Int64 == 65 && sum as? NSNumber == 65 && sum as? Double == 65)
            #expect(author.value(forKeyPath: "books.@count") as? Int == 3)
            #expect(author.value(forKeyPath: "books.@max.pages") as? Int == 35)
            let average = try #require(author.value(forKeyPath: "books.@avg.pages") as? Double)
            #expect(abs(average - 65.0 / 3) < 1e-9)
            author.books.first?.setValue(NSDecimalNumber(value: 3), forKey: "cost")
            #expect(author.value(forKeyPath: "books.@max.cost") as? NSDecimalNumber == 3)
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book")) as NSArray
            #expect(books.value(forKeyPath: "@sum.pages") as? Int == 65)
        }
    }

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

    // Behaviour 6.1
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

    // Behaviour 6.2
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

    // Unlike Apple's, our result is in order.
    // Behaviour 6.3
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

    // Behaviour 6.4
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

    // Behaviour 6.6
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

    // Behaviour 6.6
    @Test(arguments: storeTypes) func theLimitHoldsWithUnsavedChanges(type: String) throws {
        try withBooks(type) { context, _ in
            Book(context: context).title = "new"
            let request = request()
            request.fetchLimit = 2
            let titles = try context.fetch(request).map(\.title)
            #expect(titles == ["new", "a"])
        }
    }

    // Behaviour 6.7
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

    // Behaviour 6.9
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

    // ALL over nothing is true, NONE too, ANY is false, in both stores and in memory.
    // Behaviour 6.10
    @Test(arguments: storeTypes) func quantifiersOverNothing(type: String) throws {
        try withBooks(type) { context, _ in
            let author = Author(context: context)
            try context.save()
            for (format, expected) in [
                ("ALL books.pages > 3", 1), ("NONE books.pages > 3", 1), ("ANY books.pages > 3", 0),
            ] {
                let request = NSFetchRequest<Author>(entityName: "Author")
                request.predicate = NSPredicate(format: format)
                let count = try context.count(for: request)
                #expect(count == expected, "\(format)")
                #expect(request.predicate?.evaluate(with: author) == (expected == 1), "\(format)")
            }
        }
    }

    // Ours has no entity until executed, and no exception.
    // Behaviour 6.11
    @Test(arguments: storeTypes) func aRequestByNameFindsItsEntityWhenExecuted(type: String) throws {
        try withBooks(type) { context, _ in
            let request = NSFetchRequest<Book>(entityName: "Book")
            #expect(request.entity == nil && request.entityName == "Book")
            _ = try context.fetch(request)
            #expect(request.entity?.name == "Book")
        }
    }

    // Behaviour 6.13
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
                ("SELF IN %@", [[books["c"]!.objectID]], "c"), ("author == nil", [], "bcde"),
                ("author != nil", [], "a"),
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

    // Behaviour 6.14
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
            fetched.userInfo = ["except": "Emily"]
            let others = authors[0].value(forKey: "compatriots") as? [Author]
            #expect(Set(others?.map(\.name) ?? []) == ["Jane", "Leo"])
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
    }

    @Test(arguments: storeTypes, ["CONTAINS", "BEGINSWITH", "ENDSWITH", "CONTAINS[cd]"])
    func anEmptyPartMatchesNothing(type: String, name: String) throws {
        try withBooks(type) { context, books in
            books["a"]?.title = ""
            try context.save()
            let count = try context.count(for: request("title \(name) ''"))
            let inverse = try context.count(for: request("NOT title \(name) ''"))
            #expect(count == 0 && inverse == 5)
        }
    }
}
