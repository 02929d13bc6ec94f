import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Sums and averages of strings: each counts as the number that it begins with, in memory as in SQL.
@Suite struct TextSumTests {
    private static let texts = [
        "12", "3.5x", " 7", "abc", "", "-2e1", "+.5", "1e", "0x10", "5.", ".", "-", "1.2.3", "é4", "\t9",
    ]

    @Test func aStringCountsAsTheNumberThatItBeginsWith() throws {
        for text in Self.texts {
            let sum = NSExpression(format: "sum:(%@)", argumentArray: [[text]]).expressionValue(with: nil, context: nil)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("none")
            let cast = try SQLiteShell.run("SELECT CAST('\(text)' AS REAL)", on: file)
            #expect((sum as? NSNumber)?.doubleValue == Double(cast), "\(text)")
        }
    }

    @Test(arguments: UndoWalkTests.types) func everyStoreAddsThemUpAlike(_ type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            let author = Author(context: context)
            for text in Self.texts {
                let book = Book(context: context)
                book.title = text
                book.author = author
            }
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["sum", "average"].map { name in
                let column = NSExpressionDescription()
                column.name = name
                column.expression = NSExpression(format: "\(name):(title)")
                column.expressionResultType = .doubleAttributeType
                return column
            }
            let row = try #require(try context.fetch(request).first)
            #expect((row["sum"] as? NSNumber)?.doubleValue == 19.2)
            #expect((row["average"] as? NSNumber)?.doubleValue == 19.2 / 15)
            #expect((author.value(forKeyPath: "books.@sum.title") as? NSNumber)?.doubleValue == 19.2)
            for format in ["books.@sum.title > 19.1", "books.@avg.title < 1.3"] {
                let authors = NSFetchRequest<Author>(entityName: "Author")
                authors.predicate = NSPredicate(format: format)
                #expect(try context.fetch(authors) == [author], "\(format)")
                #expect(authors.predicate?.evaluate(with: author) == true)
            }
        }
    }

    @Test func otherValuesThanNumbersAndStringsAreAnError() {
        let sum = NSExpression(format: "sum:(%@)", argumentArray: [[UUID()]])
        #expect(sum.expressionValue(with: nil, context: nil) == nil)
    }
}
