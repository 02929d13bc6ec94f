#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// Values that another program has written, and that an attribute can't have.
@Suite(.needsServer) struct UnreadableValueTests {
    @Test(arguments: ["'Infinity'", "'-Infinity'", "\(String(repeating: "1234567890", count: 5))", "1e-140"])
    func oneSuchValueNamesItsPlaceAndLeavesOtherRowsAlone(_ literal: String) throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                for title in ["a", "b", "c"] {
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValuesForKeys(["title": title, "cost": NSDecimalNumber(string: "1.5")])
                }
                try context.save()
                context.reset()
                _ = try stack.rows(
                    "WITH u AS (UPDATE book SET cost = \(literal)::numeric WHERE title = 'b' RETURNING 1) "
                        + "SELECT count(*)::text FROM u")
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let books = try context.fetch(request)
                #expect(books.map { $0.value(forKey: "title") as? String } == ["a", "b", "c"])
                #expect(books[0].value(forKey: "cost") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
                #expect(books[2].value(forKey: "cost") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
                // Others are saved as ever, and so is what else the row has.
                books[0].setValue("z", forKey: "title")
                books[1].setValue("y", forKey: "title")
                try context.save()
                #expect(try stack.rows("SELECT title FROM book ORDER BY z_pk") == [["z"], ["y"], ["c"]])
                // Who asks for the value has none, and is told where it is.
                #expect(books[1].value(forKey: "cost") == nil)
                let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
                #expect(error?.localizedDescription.contains("row 2 of table book, column cost") == true)
                #expect(throws: CocoaError.self) {
                    books[2].setValue("x", forKey: "title")
                    try context.save()
                }
                // Another value heals it.
                books[1].setValue(NSDecimalNumber(string: "2.5"), forKey: "cost")
                try context.save()
                #expect(try stack.rows("SELECT cost::text FROM book ORDER BY z_pk") == [["1.5"], ["2.5"], ["1.5"]])
            }
        }
    }

    @Test func dictionariesAndSumsNameTheRow() throws {
        try ServerStack.with { stack in
            try stack.inContext { context in
                for title in ["a", "b", "c"] {
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValuesForKeys(["title": title, "cost": NSDecimalNumber(string: "1.5")])
                }
                try context.save()
                _ = try stack.rows(
                    "WITH u AS (UPDATE book SET cost = 'Infinity' WHERE title = 'b' RETURNING 1) "
                        + "SELECT count(*)::text FROM u")
                let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["title", "cost"]
                for isDistinct in [false, true] {
                    request.returnsDistinctResults = isDistinct
                    let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
                    #expect(error?.localizedDescription.contains("row 2 of table book, column cost") == true)
                }
                let sum = NSExpressionDescription()
                (sum.name, sum.expressionResultType) = ("sum", .decimalAttributeType)
                sum.expression = NSExpression(format: "sum:(cost)")
                request.propertiesToFetch = [sum]
                let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
                #expect(error?.localizedDescription.contains("row 2 of table book, column cost") == true)
                request.predicate = NSPredicate(format: "title != 'b'")
                #expect(try context.fetch(request).first?["sum"] as? NSDecimalNumber == NSDecimalNumber(string: "3"))
                request.propertiesToFetch = ["title"]
                request.predicate = nil
                #expect(try context.fetch(request).count == 3)
            }
        }
    }
}
#endif
