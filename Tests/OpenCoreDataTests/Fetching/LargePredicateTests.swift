import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Predicates with many or deeply nested conditions: SQLite and the in-memory store answer the same.
@Suite struct LargePredicateTests {
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType]

    private static func stack(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.inContext { context in
            for number in 0..<20 {
                let book = Book(context: context)
                book.setValue("Book \(number)", forKey: "title")
                book.setValue(number, forKey: "pages")
                book.setValue(number % 3 == 0 ? nil : "i\(number)", forKey: "isbn")
                book.setValue(Decimal(string: "12345678901234567890123456789012345678"), forKey: "cost")
            }
            try context.save()
        }
        return stack
    }

    private static func pages(_ predicate: NSPredicate, _ stack: TestStack) throws -> [Int] {
        try stack.inContext { context in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = predicate
            let count = try context.count(for: request)
            let result = try context.fetch(request).compactMap { $0.value(forKey: "pages") as? Int }.sorted()
            #expect(count == result.count)
            return result
        }
    }

    @Test(arguments: types) func fiftyAndMoreNegationsAreAnswered(_ type: String) throws {
        let stack = try Self.stack(type)
        for (format, expected) in [("pages < 5", 5), ("isbn == 'i1'", 1), ("isbn != 'i1'", 19), ("isbn > 'i1'", 12)] {
            var predicate: NSPredicate = NSPredicate(format: format)
            for count in 1...120 {
                predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
                guard count == 50 || count == 51 || count == 120 else { continue }
                #expect(
                    try Self.pages(predicate, stack).count == (count % 2 == 0 ? expected : 20 - expected),
                    "\(format) \(count)")
            }
        }
    }

    @Test(arguments: types) func thousandsOfAlternativesAreAnswered(_ type: String) throws {
        let stack = try Self.stack(type)
        for count in [1_000, 20_000] {
            let equalities = (0..<count).map { NSPredicate(format: "pages == %d", 15 + $0) }
            #expect(
                try Self.pages(NSCompoundPredicate(orPredicateWithSubpredicates: equalities), stack)
                    == [15, 16, 17, 18, 19])
            let others = (0..<count).map { NSPredicate(format: "title CONTAINS %@", "1\($0)") }
            #expect(try Self.pages(NSCompoundPredicate(orPredicateWithSubpredicates: others), stack) == Array(10...19))
            let none = (0..<count).map { NSPredicate(format: "pages != %d", 15 + $0) }
            #expect(try Self.pages(NSCompoundPredicate(andPredicateWithSubpredicates: none), stack) == Array(0..<15))
        }
        let string = (0..<3_000).map { "title == 'Book \($0 + 18)'" }.joined(separator: " OR ")
        #expect(try Self.pages(NSPredicate(validatingFormat: string), stack) == [18, 19])
        let mixed = (0..<100).map { number in
            number == 7 ? NSPredicate(format: "isbn == nil") : NSPredicate(format: "isbn == %@", "i\(number)")
        }
        #expect(try Self.pages(NSCompoundPredicate(orPredicateWithSubpredicates: mixed), stack).count == 19)
    }

    @Test(arguments: types) func chainsOfPairsAreAnswered(_ type: String) throws {
        let stack = try Self.stack(type)
        var any: NSPredicate = NSPredicate(format: "pages == 3")
        var mixed: NSPredicate = NSPredicate(format: "pages == 3")
        for number in 0..<450 {
            let pages = NSPredicate(format: "pages == %d", 17 + number)
            any = NSCompoundPredicate(orPredicateWithSubpredicates: [any, pages])
            let isbn = NSPredicate(format: "isbn == %@", "i\(5 + number)")
            let inner = NSCompoundPredicate(orPredicateWithSubpredicates: [mixed, isbn])
            let fewer = NSPredicate(format: "pages < %d", 1_000 - number)
            mixed = NSCompoundPredicate(andPredicateWithSubpredicates: [fewer, inner])
        }
        #expect(try Self.pages(any, stack) == [3, 17, 18, 19])
        #expect(try Self.pages(mixed, stack) == (0..<20).filter { $0 == 3 || ($0 >= 5 && $0 % 3 != 0) })
    }

    @Test func whatIsTooDeepIsTheSameErrorInAllStores() throws {
        var predicate: NSPredicate = NSPredicate(format: "pages == 3")
        for _ in 0..<111_000 { predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate) }
        var texts: Set<String> = []
        for type in Self.types {
            let stack = try Self.stack(type)
            let error = #expect(throws: CocoaError.self) { try Self.pages(predicate, stack) }
            #expect(error?.code == .coreData)
            texts.insert(error?.localizedDescription ?? "")
        }
        #expect(texts.count == 1 && texts.first?.contains("111002 levels") == true, "\(texts)")
    }

    @Test(arguments: types) func numbersThatAreNoneEqualNothing(_ type: String) throws {
        let stack = try Self.stack(type)
        let nan = Double.nan
        let counts: [(NSPredicate, Int)] = [
            (NSPredicate(format: "price == %f", nan), 0), (NSPredicate(format: "price != %f", nan), 20),
            (NSPredicate(format: "NOT price == %f", nan), 20), (NSPredicate(format: "price < %f", nan), 0),
            (NSPredicate(format: "NOT price >= %f", nan), 20), (NSPredicate(format: "price IN %@", [nan, 7.5]), 0),
            (NSPredicate(format: "NOT price IN %@", [nan, 7.5]), 20),
            (NSPredicate(format: "pages IN %@", [nan, 7.0]), 1),
            (NSPredicate(format: "NOT pages IN %@", [nan, 7.0]), 19),
            (NSPredicate(format: "pages BETWEEN %@", [0, nan]), 0),
            (NSPredicate(format: "NOT pages BETWEEN %@", [0, nan]), 20),
            (NSPredicate(format: "isbn == nil AND price == %f", nan), 0),
            (NSPredicate(format: "cost <= %@", NSDecimalNumber.notANumber), 0),
            (NSPredicate(format: "%@ <= pages", NSDecimalNumber.notANumber), 0),
            (NSPredicate(format: "published == %f", nan), 0), (NSPredicate(format: "pages < %f", Double.infinity), 20),
        ]
        for (predicate, count) in counts {
            #expect(try Self.pages(predicate, stack).count == count, "\(predicate)")
        }
    }

    @Test(arguments: types) func textOperatorsSeeTheDigitsThatAColumnHolds(_ type: String) throws {
        let stack = try Self.stack(type)
        let counts = [
            ("cost CONTAINS '1.2345678901234568e+37'", 20), ("cost BEGINSWITH '1.2345678901234568'", 20),
            ("cost LIKE '*e+37'", 20), ("cost CONTAINS '12345678901234567890123'", 0), ("cost ENDSWITH '678'", 0),
            ("CAST(cost, 'NSString') == '1.2345678901234568e+37'", 20),
        ]
        for (format, count) in counts {
            #expect(try Self.pages(NSPredicate(format: format), stack).count == count, "\(format)")
        }
    }

    @Test(arguments: types) func aTernaryMayHaveValuesOfTwoKinds(_ type: String) throws {
        let stack = try Self.stack(type)
        let counts = [
            ("TERNARY(pages < 5, title, 3) == 3", 15), ("TERNARY(pages < 5, title, 3) BEGINSWITH 'Book'", 5),
            ("TERNARY(pages < 5, pages, title) == 3", 1), ("TERNARY(pages < 5, pages, price) / 2 == 1", 2),
            ("TERNARY(pages < 5, nil, 'x') == nil", 5), ("TERNARY(pages < 5, 'x', 7) + 1 == 8", -1),
            ("TERNARY(pages < 5, 'x', isbn) IN {'x', 'i7'}", 6), ("NOT TERNARY(pages < 5, title, 3) > 2", 0),
            ("TERNARY(pages < 5, author, 3) == 3", 15), ("ANY TERNARY(pages < 5, isbn, 3) == 3", 15),
        ]
        for (format, count) in counts {
            let predicate = try NSPredicate(validatingFormat: format)
            if count < 0 {
                #expect(throws: CocoaError.self, "\(format)") { try Self.pages(predicate, stack) }
            } else {
                #expect(try Self.pages(predicate, stack).count == count, "\(format)")
            }
        }
    }

    @Test(arguments: types) func aToManyContainsNoObjectThatIsMissing(_ type: String) throws {
        let stack = try Self.stack(type)
        for format in ["tags CONTAINS nil", "nil IN tags", "author.books CONTAINS nil", "ANY tags == nil"] {
            #expect(try Self.pages(NSPredicate(format: format), stack).isEmpty, "\(format)")
            #expect(try Self.pages(NSPredicate(format: "NOT (\(format))"), stack).count == 20, "\(format)")
        }
    }

    @Test(arguments: types) func aVariableThatStandsForItselfIsAnError(_ type: String) throws {
        let stack = try Self.stack(type)
        let predicate = NSPredicate(format: "pages == $x").withSubstitutionVariables([
            "x": NSExpression(format: "$x + $x")
        ])
        #expect(throws: CocoaError.self) { try Self.pages(predicate, stack) }
    }
}
