import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite struct FoundationPredicateTests {
    struct Author {
        var name: String
        var born: Int?
    }

    struct Tag {
        var name: String
        var weight: Int
    }

    struct Book {
        var title: String
        var subtitle: String?
        var pages: Int
        var price: Double
        var isRead: Bool
        var author: Author?
        var tags: [Tag]
        var codes: [Int]
    }

    static let books = [
        Book(
            title: "Alpha", subtitle: "first", pages: 100, price: 9.5, isRead: true,
            author: Author(name: "Ann", born: 1950),
            tags: [Tag(name: "red", weight: 1), Tag(name: "blue", weight: 5)], codes: [1, 2]),
        Book(
            title: "Beta", subtitle: nil, pages: 33, price: 20, isRead: false, author: Author(name: "Bob", born: nil),
            tags: [], codes: []),
        Book(
            title: "", subtitle: "", pages: -7, price: 0, isRead: false, author: nil,
            tags: [Tag(name: "red", weight: 9)], codes: [7]),
    ]

    /// Translates, compares the text, and checks on all books that both predicates agree.
    func check(_ predicate: Predicate<Book>, _ format: String, location: SourceLocation = #_sourceLocation) throws {
        let translated = try NSPredicate(translating: predicate)
        #expect(translated.predicateFormat == format, sourceLocation: location)
        for book in Self.books {
            let expected = try predicate.evaluate(book)
            #expect(try translated.matches(book) == expected, "\(book.title): \(format)", sourceLocation: location)
        }
        #expect(NSPredicate(predicate) != nil, sourceLocation: location)
    }

    @Test func stringsAreSearchedAndComparedWhateverTheirCase() throws {
        let word = "ÀLPH"
        try check(#Predicate { $0.title.localizedStandardContains(word) }, "title CONTAINS[cd] \"ÀLPH\"")
        try check(#Predicate { $0.title.localizedStandardContains("") }, "title CONTAINS[cd] \"\"")
        try check(
            #Predicate { !$0.title.localizedStandardContains("bet") && $0.pages > 0 },
            "(NOT title CONTAINS[cd] \"bet\") AND pages > 0")
        let (same, less, more) = (
            ComparisonResult.orderedSame, ComparisonResult.orderedAscending, ComparisonResult.orderedDescending
        )
        try check(#Predicate { $0.title.caseInsensitiveCompare("ALPHA") == same }, "title ==[c] \"ALPHA\"")
        try check(#Predicate { $0.title.caseInsensitiveCompare("ALPHA") != same }, "title !=[c] \"ALPHA\"")
        try check(#Predicate { less == $0.title.caseInsensitiveCompare("beta") }, "title <[c] \"beta\"")
        try check(#Predicate { $0.title.caseInsensitiveCompare("ALPHA") == more }, "title >[c] \"ALPHA\"")
        try check(#Predicate { $0.title.localizedCompare("Alpha") == same }, "title ==[l] \"Alpha\"")
        try check(#Predicate { $0.title.localizedCompare("alpha") == more }, "title >[l] \"alpha\"")
        let optional = #Predicate<Book> { $0.subtitle?.localizedStandardContains("FIR") == true }
        let translated = try NSPredicate(translating: optional)
        #expect(try Self.books.map { try translated.matches($0) } == [true, false, false])
        #expect(try Self.books.map { try optional.evaluate($0) } == [true, false, false])
    }

    @Test func aStringOrderThatIsComparedWithNothingIsNamed() {
        let order = #Predicate<Book> {
            $0.title.caseInsensitiveCompare("a") == $0.title.caseInsensitiveCompare("b")
        }
        let error = #expect(throws: CocoaError.self) { try NSPredicate(translating: order) }
        #expect(error?.localizedDescription.contains("StringCaseInsensitiveCompare") == true)
        #expect(error?.localizedDescription.contains("ComparisonResult") == true)
    }

    @Test func aStoreAnswersAsThePredicateDoes() throws {
        let stack = try TestStack()
        try stack.inContext { context throws in
            for title in ["Über den Fluss", "uber alles", "Under", "ÜBER"] {
                TestSupport.Book(context: context).title = title
            }
            try context.save()
            func titles(_ predicate: Predicate<TestSupport.Book>) throws -> Int {
                let request = NSFetchRequest<TestSupport.Book>(entityName: "Book")
                request.predicate = NSPredicate(predicate)
                return try context.count(for: request)
            }
            let same = ComparisonResult.orderedSame
            #expect(try titles(#Predicate { $0.title.localizedStandardContains("uber") }) == 3)
            #expect(try titles(#Predicate { $0.title.caseInsensitiveCompare("über") == same }) == 1)
        }
    }

    @Test func comparisonsAndLogic() throws {
        try check(
            #Predicate { $0.pages > 50 && $0.title != "Beta" || $0.isRead },
            "(pages > 50 AND title != \"Beta\") OR isRead == 1")
        try check(#Predicate { !$0.isRead }, "NOT isRead == 1")
        try check(#Predicate { $0.isRead == false }, "isRead == 0")
        let limit = 33
        try check(
            #Predicate { $0.pages >= limit && $0.pages <= 100 && $0.price < 10 },
            "(pages >= 33 AND pages <= 100) AND price < 10")
        try check(#Predicate { _ in true }, "TRUEPREDICATE")
    }

    @Test func arithmeticAndRanges() throws {
        try check(#Predicate { $0.pages * 2 + 1 == 201 }, "(pages * 2) + 1 == 201")
        try check(
            #Predicate { $0.pages / 2 == 16 || $0.pages % 2 == 1 }, "pages / 2 == 16 OR modulus:by:(pages, 2) == 1")
        try check(#Predicate { $0.price / 2 > 5 }, "price / 2 > 5")
        try check(#Predicate { -$0.pages == 7 }, "0 - pages == 7")
        try check(#Predicate { (1...50).contains($0.pages) }, "pages BETWEEN {1, 50}")
        try check(#Predicate { (0..<33).contains($0.pages) }, "pages >= 0 AND pages < 33")
        let range = 30...40
        try check(#Predicate { range.contains($0.pages) }, "pages BETWEEN {30, 40}")
    }

    @Test func texts() throws {
        try check(#Predicate { $0.title.contains("eta") }, "title CONTAINS \"eta\"")
        try check(#Predicate { $0.title.starts(with: "Al") }, "title BEGINSWITH \"Al\"")
        try check(#Predicate { $0.title.isEmpty }, "length:(title) == 0")
        try check(#Predicate { $0.title.count > 4 }, "length:(title) > 4")
        try check(#Predicate { $0.title.contains("") }, "title != nil")
    }

    @Test func optionals() throws {
        try check(#Predicate { $0.subtitle == nil }, "subtitle == nil")
        try check(#Predicate { $0.author?.name == "Ann" }, "author.name == \"Ann\"")
        try check(#Predicate { $0.author?.born == nil }, "author.born == nil")
        try check(
            #Predicate { ($0.subtitle ?? "none") == "none" }, "TERNARY(subtitle != nil, subtitle, \"none\") == \"none\""
        )
        try check(#Predicate { $0.subtitle?.contains("rst") == true }, "subtitle != nil AND subtitle CONTAINS \"rst\"")
        try check(
            #Predicate { $0.subtitle?.contains("rst") == false }, "subtitle != nil AND (NOT subtitle CONTAINS \"rst\")")
        try check(
            #Predicate { $0.subtitle?.contains("rst") ?? true }, "(NOT subtitle != nil) OR subtitle CONTAINS \"rst\"")
        try check(#Predicate { $0.subtitle?.contains("rst") ?? false }, "subtitle != nil AND subtitle CONTAINS \"rst\"")
    }

    @Test func collections() throws {
        try check(
            #Predicate { $0.tags.contains { $0.name == "red" && $0.weight > 5 } },
            "SUBQUERY(tags, $element1, $element1.name == \"red\" AND $element1.weight > 5).@count > 0")
        try check(
            #Predicate { $0.tags.allSatisfy { $0.weight > 3 } },
            "SUBQUERY(tags, $element1, NOT $element1.weight > 3).@count == 0")
        try check(
            #Predicate { $0.tags.filter { $0.weight > 3 }.count == 1 },
            "SUBQUERY(tags, $element1, $element1.weight > 3).@count == 1")
        try check(#Predicate { $0.tags.isEmpty }, "tags.@count == 0")
        try check(#Predicate { $0.codes.contains(7) }, "codes CONTAINS 7")
        let wanted = [33, 100]
        try check(#Predicate { wanted.contains($0.pages) }, "pages IN {33, 100}")
        try check(#Predicate { ($0.pages > 50 ? 1 : 2) == 1 }, "TERNARY(pages > 50, 1, 2) == 1")
    }

    @Test func whatCannotBeTranslatedIsNamed() {
        let predicate = #Predicate<Book> { $0.codes.starts(with: [1]) }
        let error = #expect(throws: CocoaError.self) { try NSPredicate(translating: predicate) }
        #expect(error?.localizedDescription.contains("SequenceStartsWith") == true)
        #expect(NSPredicate(predicate) == nil)
    }
}
