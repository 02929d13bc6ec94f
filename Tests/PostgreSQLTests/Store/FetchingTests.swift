#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct FetchingTests {
    /// Three authors, with 3, 2 and 1 books.
    private func fill(_ stack: ServerStack) throws {
        try stack.inContext { context in
            for (place, name) in ["Jane", "Émile", "Leo"].enumerated() {
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue(name, forKey: "name")
                for number in 0..<3 - place {
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValue("\(name) \(number)", forKey: "title")
                    book.setValue(100 * (number + 1), forKey: "pages")
                    book.setValue(author, forKey: "author")
                }
            }
            try context.save()
        }
    }

    private func titles(_ format: String, _ stack: ServerStack) throws -> [String] {
        try stack.inContext { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: format)
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            return try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "" }
        }
    }

    /// A string operator sees a long decimal with the digits of a double, as in other stores.
    @Test func stringsAndLongDecimalsCompareAsInMemory() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                for title in ["10", "123", "2"] {
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
                        title, forKey: "title")
                }
                try context.save()
                for number in ["12345678901234567890123456789012345678", "10.5", "123"] {
                    let decimal = NSDecimalNumber(string: number)
                    for format in [
                        "title >= %@", "title < %@", "title == %@", "title BEGINSWITH %@", "%@ CONTAINS title",
                    ] {
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                        let all = try context.fetch(request)
                        let predicate = NSPredicate(format: format, decimal)
                        request.predicate = predicate
                        let expected = all.filter { predicate.evaluate(with: $0) }.map {
                            $0.value(forKey: "title") as? String
                        }
                        let found = try context.fetch(request).map { $0.value(forKey: "title") as? String }
                        #expect(Set(found) == Set(expected), "\(format) \(number)")
                    }
                }
            }
        }
    }

    @Test func predicatesFindRows() throws {
        try ServerStack.with { stack in
            try fill(stack)
            #expect(try titles("author.name == 'Jane' AND pages > 100", stack) == ["Jane 1", "Jane 2"])
            #expect(try titles("author.name CONTAINS[cd] 'EMI'", stack) == ["Émile 0", "Émile 1"])
            #expect(try titles("title BEGINSWITH 'Leo'", stack) == ["Leo 0"])
            #expect(try titles("title LIKE '*e 2'", stack) == ["Jane 2"])
            #expect(try titles("title MATCHES '.*[o] [0-9]+'", stack) == ["Leo 0"])
            #expect(try titles("pages IN {300, 7} OR title ENDSWITH[c] 'O 0'", stack) == ["Jane 2", "Leo 0"])
            #expect(try titles("author.books.@count == 2", stack) == ["Émile 0", "Émile 1"])
            #expect(try titles("pages / 0 == 1", stack) == [])
            #expect(try titles("uppercase:(title) == 'LEO 0'", stack) == ["Leo 0"])
            #expect(try titles("pages == 100.5 OR pages == 300.0", stack) == ["Jane 2"])
        }
    }

    @Test func relationshipsArePrefetchedInOneStatementEach() throws {
        try ServerStack.with { stack in
            try fill(stack)
            try stack.inContext { context in
                _ = stack.statements.take()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.relationshipKeyPathsForPrefetching = ["books"]
                let authors = try context.fetch(request)
                #expect(stack.statements.take().count == 2)
                let counts = authors.map { ($0.value(forKey: "books") as? NSSet)?.count ?? 0 }.sorted()
                #expect(counts == [1, 2, 3])
                #expect(stack.statements.take().isEmpty)
            }
        }
    }

    @Test func groupsAreComputedByTheServer() throws {
        try ServerStack.with { stack in
            try fill(stack)
            try stack.inContext { context in
                let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                request.resultType = .dictionaryResultType
                let sum = NSExpressionDescription()
                sum.name = "total"
                sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
                sum.expressionResultType = .integer64AttributeType
                request.propertiesToGroupBy = ["author.name"]
                request.propertiesToFetch = ["author.name", sum]
                request.havingPredicate = NSPredicate(format: "$total > 100")
                request.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: true)]
                _ = stack.statements.take()
                let rows = try context.fetch(request)
                #expect(stack.statements.take().count == 1)
                #expect(rows.map { $0["total"] as? Int } == [600, 300])
                #expect(rows.map { $0["author.name"] as? String } == ["Jane", "Émile"])
            }
        }
    }

    @Test func sortsThatSQLCannotExpressAreDoneOnTheRows() throws {
        try ServerStack.with { stack in
            try fill(stack)
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.sortDescriptors = [
                    NSSortDescriptor(
                        key: "name", ascending: true,
                        selector: NSSelectorFromString("localizedCaseInsensitiveCompare:"))
                ]
                request.fetchLimit = 2
                let names = try context.fetch(request).map { $0.value(forKey: "name") as? String }
                #expect(names == ["Émile", "Jane"])
            }
        }
    }

    @Test func aSortKeyThatIsNoneIsAnErrorInAnEmptyStore() throws {
        try ServerStack.with { stack in
            stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "tilte", ascending: true)]
                let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
                #expect(error?.localizedDescription.contains("tilte") == true)
            }
        }
    }

    @Test func aPinnedContextReadsTheStateThatItWasPinnedTo() throws {
        try ServerStack.with { stack in
            try fill(stack)
            let context = stack.context()
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                #expect(try context.count(for: request) == 6)
                try stack.inContext { other in
                    for book in try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                        other.delete(book)
                    }
                    try other.save()
                }
                #expect(try context.count(for: request) == 6)
                request.predicate = NSPredicate(format: "title MATCHES '.*0'")
                #expect(try context.count(for: request) == 3)
                try context.setQueryGenerationFrom(nil)
                request.predicate = nil
                #expect(try context.count(for: request) == 0)
            }
        }
    }

    @Test func aPlanOfTheServerIsTold() throws {
        try ServerStack.with { stack in
            try fill(stack)
            try stack.inContext { context in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "pages > 100")
                let explanation = try context.explain(request)
                let statement = try #require(explanation.statements.first)
                #expect(statement.rowsReturned == 3)
                #expect(!statement.plan.isEmpty)
                #expect(statement.storeURL?.password == nil)
            }
        }
    }
}
#endif
