import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Operators on bits in format strings, in memory and in stores.
struct BitOperatorTests {
    static let storeTypes = [NSSQLiteStoreType, NSInMemoryStoreType]

    @Test func theyAreTheFunctionsOfApplesNames() {
        let names = [
            "a & 1": "bitwiseAnd:with:", "a | 1": "bitwiseOr:with:", "a ^ 1": "bitwiseXor:with:",
            "a << 1": "leftshift:by:", "a >> 1": "rightshift:by:", "~a": "onesComplement:",
        ]
        for (format, name) in names {
            let expression = NSExpression(format: format)
            #expect(expression.expressionType == .function && expression.function == name, "\(format)")
            #expect(NSExpression(format: expression.description) == expression, "\(format)")
        }
    }

    static let values: [(String, Int)] = [
        ("6 & 3", 2), ("6 | 3", 7), ("6 ^ 3", 5), ("~5", -6), ("1 << 4", 16), ("-16 >> 2", -4), ("-1 & 255", 255),
        // As in C, with comparisons apart.
        ("1 | 2 & 3", 3), ("1 | 6 ^ 2", 5), ("7 & 1 << 1", 2), ("1 << 2 + 1", 8), ("~1 + 2", 0), ("2 * ~0", -2),
        ("(1 | 2) & 2", 2), ("- ~4", 5), ("~~7", 7),
        ("1 << 64", 0), ("1 << 63", Int.min), ("-1 >> 64", -1), ("5 >> 64", 0), ("5 >> 200", 0), ("8 << -2", 2),
        ("8 >> -1", 16), ("1 << -9223372036854775807", 0), ("6.9 & 3", 2), ("-2.5 | 0", -2),
    ]

    @Test(arguments: values) func theyAreEvaluated(_ format: String, _ value: Int) {
        #expect(NSExpression(format: format).expressionValue(with: nil, context: nil) as? Int == value)
    }

    @Test func nothingGivesNothing() {
        for format in ["$x & 1", "1 | $x", "~$x", "$x << 2", "2 >> $x", "1e30 & 1"] {
            let value = NSExpression(format: format).expressionValue(with: nil, context: ["x": NSNull()])
            #expect(value == nil, "\(format)")
        }
    }

    @Test(arguments: storeTypes) func storesGiveTheSame(type: String) throws {
        let stack = try TestStack(type: type)
        let pages: [Int32] = [0, 1, 2, 3, 4, 5, 6, 7, 255, -1, -8, .max, .min]
        let prices = [0, 1.9, 6.5, -3.5, 1e30, 255, 7, 2, 9e15, -1e30, 64, 65, 3]
        try stack.inContext { context in
            for (index, number) in pages.enumerated() {
                let book = Book(context: context)
                book.pages = number
                book.price = prices[index]
                if index % 5 == 4 { book.setValue(nil, forKey: "pages") }
                if index % 4 == 3 { book.setValue(nil, forKey: "price") }
            }
            try context.save()
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            let formats = [
                "pages & 4 == 4", "(pages & 4) != 0", "pages | 1 == 7", "pages ^ 3 == 0", "~pages == -3",
                "pages << 2 > 10",
                "pages >> 1 == -4", "pages << price < 0", "pages >> price == 0", "price & 1 == 1", "~price < 0",
                "price << 1 == 12", "price | pages == 7", "pages & 4 == nil", "pages << 64 == 0", "pages >> 64 == -1",
                "pages << -1 == 1", "inPrint & 1 == 1", "pages & (1 << 2) == 4 AND NOT (pages & 1 == 1)",
                "pages & 6 IN {2, 4}", "price ^ pages > 0", "pages & nil == nil",
            ]
            for format in formats {
                let request = NSFetchRequest<Book>(entityName: "Book")
                request.predicate = NSPredicate(format: format)
                let found = try Set(context.fetch(request))
                let wanted = Set(books.filter { NSPredicate(format: format).evaluate(with: $0) })
                #expect(found == wanted, "\(format)")
                #expect(format.contains("nil ==") || !found.isEmpty, "\(format)")
            }
        }
    }

    @Test(arguments: storeTypes) func computedColumnsAndBatchUpdatesUseThem(type: String) throws {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for number: Int32 in [1, 6] { Book(context: context).pages = number }
            try context.save()
            let masked = NSExpressionDescription()
            masked.name = "masked"
            masked.expression = NSExpression(format: "pages & 4 | 8")
            masked.expressionResultType = .integer64AttributeType
            let request = NSFetchRequest<NSDictionary>(entityName: "Book")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [masked]
            #expect(try Set(context.fetch(request).compactMap { $0["masked"] as? Int }) == [8, 12])
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["pages": NSExpression(format: "pages | 16")]
            try context.execute(update)
        }
        try stack.inContext { context in
            let books = try context.fetch(NSFetchRequest<Book>(entityName: "Book"))
            #expect(Set(books.map(\.pages)) == [17, 22])
        }
    }

    @Test func dataAndOtherOperatorsAreReadAsBefore() throws {
        #expect(NSPredicate(format: "a < <0a0b>").formatError == nil)
        #expect(NSPredicate(format: "a > 1 && b < 2 || c == 3") == NSPredicate(format: "a > 1 AND b < 2 OR c == 3"))
        for format in ["a & == 1", "a ~ 1", "~ == 1", "a << == 2", "& a", "a | | b == 1", "(a == 1) & 2 == 2"] {
            #expect(throws: CocoaError.self, "\(format)") { try NSPredicate(validatingFormat: format) }
        }
    }
}
