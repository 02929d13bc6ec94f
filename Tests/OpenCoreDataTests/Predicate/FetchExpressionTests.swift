import Foundation
import OpenCoreData
import TestSupport
import Testing

/// `FETCH(request, context, countOnly)` as text and as an expression.
struct FetchExpressionTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    @Test func theTextIsReadAndPrinted() throws {
        let text =
            "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Car\", \"TRUEPREDICATE\"), "
            + "$manager.sourceContext, NO)"
        let predicate = try #require(NSPredicate(format: "a IN \(text)") as? NSComparisonPredicate)
        let fetch = try #require(predicate.rightExpression as? NSFetchRequestExpression)
        #expect(!fetch.isCountOnlyRequest && fetch.expressionType == NSFetchRequestExpressionType)
        #expect(fetch.requestExpression.function == "fetchRequestForSourceEntityNamed:predicateString:")
        #expect(fetch.contextExpression == NSExpression(format: "$manager.sourceContext"))
        #expect(NSExpression(format: fetch.description) == fetch)
        #expect(NSExpression(format: text) == fetch)
        #expect(NSExpression(format: "FETCH($r, $c, YES)") != NSExpression(format: "FETCH($r, $c, NO)"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) == predicate)
        for broken in ["FETCH(a)", "FETCH(a, b)", "FETCH(a, b, c)", "FETCH(a, b, 'x')", "FETCH a", "FETCH(a, b, NO"] {
            #expect(throws: CocoaError.self, "\(broken)") { try NSExpression(validatingFormat: broken) }
        }
    }

    @Test(arguments: storeTypes) func itIsEvaluatedInMemoryAndForAStore(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for (name, titles) in [("Austen", ["Emma", "Persuasion"]), ("Brontë", ["Villette"])] {
                let author = Author(context: context)
                author.name = name
                for title in titles {
                    let book = Book(context: context)
                    book.title = title
                    book.author = author
                }
            }
            try context.save()
            let authors = NSFetchRequest<Author>(entityName: "Author")
            authors.predicate = NSPredicate(format: "name BEGINSWITH 'A'")
            let variables: [String: Any] = ["request": authors, "context": context]
            let books = NSFetchRequest<Book>(entityName: "Book")
            books.predicate = NSPredicate(format: "author IN FETCH($request, $context, NO)")
                .withSubstitutionVariables(variables)
            #expect(Set(try context.fetch(books).map(\.title)) == ["Emma", "Persuasion"])
            let all = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(
                Set(all.filter { books.predicate?.evaluate(with: $0) == true }.map(\.title)) == ["Emma", "Persuasion"])
            let count = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: authors), context: NSExpression(forConstantValue: context),
                countOnly: true)
            #expect(count.expressionValue(with: nil, context: nil) as? Int == 1)
            let text = NSExpression(format: "FETCH($request, $context, YES)")
            #expect(text.expressionValue(with: nil, context: NSMutableDictionary(dictionary: variables)) as? Int == 1)
            books.predicate = NSPredicate(
                format: "author.books.@count > FETCH(%@, %@, YES)", argumentArray: [authors, context])
            #expect(Set(try context.fetch(books).map(\.title)) == ["Emma", "Persuasion"])
        }
    }

    @Test func whatIsNoRequestIsAnErrorThatSaysSo() throws {
        let stack = try TestStack()
        stack.inContext { context in
            let books = NSFetchRequest<Book>(entityName: "Book")
            books.predicate = NSPredicate(format: "author IN FETCH('x', %@, NO)", argumentArray: [context])
            let error = #expect(throws: CocoaError.self) { try context.fetch(books) }
            #expect(error?.localizedDescription.contains("fetch request") == true)
        }
    }
}
